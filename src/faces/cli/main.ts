import { writeSync } from 'node:fs';
import { ReviewLoopError } from '../../core/errors.js';
import { cliErrors } from '../cli-kit/errors.js';
import { processIo } from '../cli-kit/process-io.js';
import { runProgram } from './program.js';

/** A second signal ends the process at once. */
export async function main(entry: URL): Promise<never> {
  const controller = new AbortController();
  let isOver = false;
  process.once('exit', (code) => {
    if (!isOver) process.exitCode = endedEarly(code);
  });
  const end = (code: number): never => {
    isOver = true;
    process.exit(code);
  };
  const cancel = (): void => {
    if (controller.signal.aborted) end(130);
    controller.abort(new ReviewLoopError('cancelled', 'the user ended the command'));
  };
  process.on('SIGINT', cancel);
  process.on('SIGTERM', cancel);
  // a terminal that closes ends the command with its children
  process.on('SIGHUP', cancel);
  return end(await runProgram(process.argv.slice(2), await processIo(controller.signal), entry));
}

/**
 * Tells that the process ends although the command is not over: a criterion, a provider or the
 * configuration called `process.exit`, or waits for what can never come. Its code 0 would look like
 * an approval.
 */
function endedEarly(code: number): number {
  const { what, fix } = new ReviewLoopError(
    cliErrors.process_ended,
    `the process ended with code ${code} before the command was over`,
  );
  try {
    writeSync(2, `error: ${what}. ${fix} [process_ended]\n`);
  } catch {
    // nobody reads: the code says it
  }
  // a system keeps the last eight bits of a code
  return code % 256 === 0 ? 1 : code;
}
