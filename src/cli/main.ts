import { processIo } from '../cli-kit/process-io.js';
import { ReviewLoopError } from '../core/errors.js';
import { runProgram } from './program.js';

/** Runs the command line in this process. A second signal ends the process at once. */
export async function main(entry: URL): Promise<never> {
  const controller = new AbortController();
  const cancel = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new ReviewLoopError('cancelled', 'the user ended the command'));
  };
  process.on('SIGINT', cancel);
  process.on('SIGTERM', cancel);
  // a terminal that closes ends the command with its children
  process.on('SIGHUP', cancel);
  process.exit(await runProgram(process.argv.slice(2), processIo(controller.signal), entry));
}
