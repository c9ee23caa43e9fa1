import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { storeFolder, storeOption, wholeNumber } from '../../cli-kit/common-options.js';
import type { Io } from '../../cli-kit/io.js';
import { keptRuns, prepareRuns } from '../../cli-kit/kept-runs.js';
import { versionOf } from '../../cli-kit/package-version.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import {
  type ProviderFlags,
  providerOption,
  withProviderOptions,
} from '../../cli-kit/provider/provider-options.js';
import { QualityGate } from '../quality-gate.js';
import type { ServedGate } from './gate-server.js';
import { serveGate } from './gate-server.js';

const help = `
Tools: start_workflow, finished_step, review_status, get_instructions, submit_verdict. A job file names the steps of a
workflow, their outputs and how they are reviewed. What is known of a workflow is kept in gates/ of the store: a server that
is ended and started again goes on with it.

With a provider the gate asks that model (external). Without one the agent is told to have a subagent review its work
(self); with --verified only the verdict that the subagent hands in opens the gate.

Examples:
  reviewloop mcp
  reviewloop mcp --verified
  reviewloop mcp --provider cli:claude`;

interface McpOptions extends ProviderFlags {
  readonly root: string;
  readonly verified?: boolean;
  readonly maxAttempts?: number;
  readonly store: string;
}

/** `reviewloop mcp`: holds a coding agent to a quality gate, over the Model Context Protocol. */
export function mcpCommand(io: Io, entry: URL, done: (code: number) => void): Command {
  const command = new Command('mcp')
    .summary('serve a quality gate to a coding agent')
    .description(
      'Serves a quality gate over the Model Context Protocol, on the standard input and output.',
    )
    .option('--root <folder>', 'the project, which no path may leave', '.')
    .option('--verified', 'count only verdicts that a reviewer hands in')
    .addOption(
      new Option(
        '--max-attempts <n>',
        'how many reviews of a step may fail (default: 3)',
      ).argParser(wholeNumber),
    )
    .addOption(storeOption())
    .addHelpText('after', help)
    .action(async (options: McpOptions) => done(await act(io, entry, options)));
  return withProviderOptions(command, 'the model that reviews');
}

async function act(
  io: Io,
  entry: URL,
  { root, verified = false, maxAttempts, store, ...flags }: McpOptions,
): Promise<number> {
  const provider = await chooseProvider(io, providerOption(flags), true);
  const folder = resolve(io.cwd, storeFolder(store));
  await prepareRuns(folder);
  const gate = new QualityGate({ root: resolve(io.cwd, root), ...(provider && { provider }) });
  const served = await serveGate({
    gate,
    folder: join(folder, 'gates'),
    verified,
    maxAttempts,
    audit: keptRuns(folder).audit,
    version: await versionOf(entry),
  });
  await ended(io, served);
  return 0;
}

/** Waits until the client goes away, or the user ends the command. */
async function ended({ signal }: Io, served: ServedGate): Promise<void> {
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await served.close();
}
