import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  formatOption,
  jsonOption,
  storeFolder,
  storeOption,
} from '../../cli-kit/common-options.js';
import type { Io } from '../../cli-kit/io.js';
import {
  type ProviderFlags,
  providerOption,
  withProviderOptions,
} from '../../cli-kit/provider/provider-options.js';
import { userName } from '../../cli-kit/user-name.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { runGate } from './run-gate.js';

const help = `
A job file is YAML or JSON with steps, their outputs and reviews. \`external\` asks Claude Code (or --provider) to review;
\`self\` writes instructions for a reviewer that the agent calls itself, and takes --override-reason afterwards.
Attempts are counted for each session.

Exit codes: 0 approved or accepted, 50 needs work or no verdict, 52 the reviewer timed out, 53 instructions written and
nothing reviewed yet, 2 wrong use.

Examples:
  reviewloop gate --job job.yml --step draft --output report=report.md
  reviewloop gate --job job.yml --step draft --mode self
  reviewloop gate --job job.yml --step draft --override-reason 'All criteria passed in the second look'`;

interface GateOptions extends ProviderFlags {
  readonly job: string;
  readonly step: string;
  readonly mode: 'external' | 'self';
  readonly output?: string[];
  readonly notes?: string;
  readonly root: string;
  readonly maxInlineFiles?: number;
  readonly cli?: string;
  readonly session: string;
  readonly overrideReason?: string;
  readonly by?: string;
  readonly format: 'text' | 'json';
  readonly store: string;
}

/** `reviewloop gate`: holds a step of a job to its quality gate. */
export function gateCommand(io: Io, done: (code: number) => void): Command {
  const command = new Command('gate')
    .summary('hold a step of a job to its quality gate')
    .description(
      'Reviews what a step of a job made against its criteria, and opens or closes the gate.',
    )
    .requiredOption('--job <file>', 'the job file, YAML or JSON')
    .requiredOption('--step <id>', 'the step')
    .addOption(
      new Option('--mode <mode>', 'who reviews').choices(['external', 'self']).default('external'),
    )
    .option(
      '--output <name=path>',
      'what the step made, where the job file does not say (may be repeated)',
      (value: string, earlier: string[] = []) => [...earlier, value],
    )
    .option('--notes <text>', 'what the author says of the work')
    .option('--root <folder>', 'the folder that paths are relative to', '.')
    .option(
      '--max-inline-files <number>',
      'with more files only their paths are given (default: 5)',
      wholeNumber,
    )
    .option('--cli <program>', 'the Claude Code that reviews (default: claude)')
    .option('--session <id>', 'whose attempts are counted', 'default')
    .option('--override-reason <text>', 'let the step through without a review; recorded')
    .option('--by <name>', 'who lets it through (default: the name of the user)')
    .addOption(formatOption())
    .addOption(jsonOption())
    .addOption(storeOption())
    .addHelpText('after', help)
    .action(async (options: GateOptions) => done(await act(io, options)));
  return withProviderOptions(
    command,
    'a model that reviews instead',
    '; it sees only what is inlined',
  );
}

function act(io: Io, options: GateOptions): Promise<number> {
  const {
    job,
    step,
    mode,
    output = [],
    notes,
    root,
    maxInlineFiles,
    cli,
    session,
    overrideReason,
    by = userName(),
    format,
    store,
  } = options;
  const provider = providerOption(options);
  if (provider !== undefined && cli !== undefined)
    throw new ReviewLoopError(nodeErrors.usage, '--cli and --provider are two reviewers; name one');
  return runGate(io, {
    job,
    step,
    mode,
    outputs: output,
    notes,
    root,
    maxInlineFiles,
    cli,
    provider,
    session,
    overrideReason,
    by,
    format,
    store: resolve(io.cwd, storeFolder(store)),
  });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
