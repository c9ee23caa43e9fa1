import { resolve } from 'node:path';
import { Argument, Command } from 'commander';
import {
  formatOption,
  jsonOption,
  storeFolder,
  storeOption,
} from '../../cli-kit/common-options.js';
import type { Io } from '../../cli-kit/io.js';
import { userName } from '../../cli-kit/user-name.js';
import type { HumanAnswerKind } from '../../core/human.js';
import { answerTask } from '../../task-review/command/answer-task.js';
import { taskOfRun } from '../../task-review/command/kept-tasks.js';
import { answerKeptRun } from './answer-run.js';

const kinds: readonly HumanAnswerKind[] = ['approve', 'reject', 'revise', 'skip', 'override'];

const help = `
An id may be shortened as long as only one run starts so. \`revise\` and \`override\` need --reason. A run that ended
without approval takes \`override\` only. Files are written back where the run was started with --write. The configuration
is loaded again, and should be the one that the run was started with.

Exit codes: those of the new outcome; 2 when the answer was refused.

Examples:
  reviewloop answer 0192f3c8 approve
  reviewloop answer 0192f3c8 revise --reason 'Name the price'
  reviewloop answer 0192f3c8 override --reason 'Legal has checked it'`;

interface AnswerOptions {
  readonly reason?: string;
  readonly by?: string;
  readonly question?: string;
  readonly format: 'text' | 'json';
  readonly quiet?: boolean;
  readonly store: string;
}

/** `reviewloop answer`: answers a suspended run, or overrides how one ended. */
export function answerCommand(io: Io, entry: URL, done: (code: number) => void): Command {
  return withOptions(new Command('answer'))
    .summary('answer a run that waits, or override one that was not approved')
    .description(
      'Answers a question of a suspended run and goes on with it, or lets through what an ended run holds.',
    )
    .argument('<id>', 'the run')
    .addArgument(new Argument('<answer>', 'what to answer').choices(kinds))
    .option('--question <id>', 'the question, where there are several')
    .addHelpText('after', help)
    .action(async (id: string, kind: HumanAnswerKind, options: AnswerOptions) =>
      done(await act(io, entry, { id, kind, options })),
    );
}

/** `reviewloop override`: short for `reviewloop answer ID override`. */
export function overrideCommand(io: Io, entry: URL, done: (code: number) => void): Command {
  return withOptions(new Command('override'))
    .summary('short for `answer ID override`')
    .description(
      'Lets through what reviewers did not approve, as `reviewloop answer ID override` does.',
    )
    .argument('<id>', 'the run')
    .option('--question <id>', 'the question, where there are several')
    .addHelpText(
      'after',
      "\nExamples:\n  reviewloop override 0192f3c8 --reason 'Legal has checked it'",
    )
    .action(async (id: string, options: AnswerOptions) =>
      done(await act(io, entry, { id, kind: 'override', options })),
    );
}

function withOptions(command: Command): Command {
  return command
    .option('--reason <text>', 'why; of a revision, what to change')
    .option('--by <name>', 'who answers (default: the name of the user)')
    .addOption(formatOption())
    .addOption(jsonOption())
    .option('-q, --quiet', 'tell no progress')
    .addOption(storeOption());
}

async function act(
  io: Io,
  entry: URL,
  {
    id,
    kind,
    options,
  }: { readonly id: string; readonly kind: HumanAnswerKind; readonly options: AnswerOptions },
): Promise<number> {
  const { reason, by = userName(), question, format, quiet = false } = options;
  const store = resolve(io.cwd, storeFolder(options.store));
  const kept = await taskOfRun(store, id);
  if (kept !== undefined) return answerTask(io, kept, { kind, reason, by, format, store });
  return answerKeptRun(io, {
    id,
    kind,
    reason,
    by,
    question,
    format,
    quiet,
    store,
    watchdogEntry: io.watched ? entry : undefined,
  });
}
