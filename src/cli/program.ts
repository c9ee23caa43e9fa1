import { Command, CommanderError } from 'commander';
import { calibrateCommand } from '../calibration/command/calibrate-command.js';
import { checklistCommand } from '../checklist-gate/command/checklist-command.js';
import { exitCodeOfError, exitCodes } from '../cli-kit/exit-codes.js';
import type { Io } from '../cli-kit/io.js';
import { versionOf } from '../cli-kit/package-version.js';
import { isReviewError, messageOf } from '../core/errors.js';
import { lessonsCommand } from '../lessons/command/lessons-command.js';
import { gateCommand } from '../quality-gate/command/gate-command.js';
import { mcpCommand } from '../quality-gate/mcp/mcp-command.js';
import { redactSecrets } from '../redact/secrets.js';
import { historyCommand } from '../reviewer-stage/command/history-command.js';
import {
  metricsCommand,
  showCommand,
  summaryCommand,
} from '../reviewer-stage/command/show-commands.js';
import { tasksCommand } from '../task-review/command/tasks-command.js';
import { sanitise } from '../terminal/sanitise.js';
import { demoCommand } from './demo-command.js';
import { initCommand } from './init/init-command.js';
import { reviewCommand } from './review/review-command.js';
import { answerCommand, overrideCommand } from './runs/answer-command.js';
import { auditCommand } from './runs/audit-command.js';
import { runsCommand } from './runs/runs-command.js';

const help = `
Exit codes:
${Object.entries(exitCodes)
  .map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`)
  .join('\n')}

Examples:
  reviewloop demo
  reviewloop review site --task TASK.md
  reviewloop review site --task TASK.md --fix --write
  reviewloop runs
  reviewloop answer 0192f3c8 approve`;

/**
 * Runs the command line.
 *
 * @param entry - The file of the program, which also runs as its watchdog.
 * @returns The exit code.
 */
export async function runProgram(argv: readonly string[], io: Io, entry: URL): Promise<number> {
  let code = 0;
  const pending: Promise<void>[] = [];
  const program = new Command('reviewloop')
    .description(
      'Reviews what agents produce: files against a task, with verdicts that can be trusted.',
    )
    .version(await versionOf(entry), '-V, --version')
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText('after', help);
  const done = (result: number): void => {
    code = result;
  };
  const commands = [
    reviewCommand(io, entry, done),
    demoCommand(io, entry, done),
    runsCommand(io),
    showCommand(io),
    historyCommand(io),
    summaryCommand(io),
    metricsCommand(io),
    answerCommand(io, entry, done),
    overrideCommand(io, entry, done),
    tasksCommand(io, done),
    gateCommand(io, done),
    auditCommand(io, done),
    mcpCommand(io, entry, done),
    calibrateCommand(io, done),
    lessonsCommand(io),
    checklistCommand(io, done),
    initCommand(io),
  ];
  for (const command of commands) {
    program.addCommand(command.copyInheritedSettings(program));
    for (const own of command.commands) own.copyInheritedSettings(command);
  }
  for (const command of [program, ...commands, ...commands.flatMap(({ commands: own }) => own)]) {
    command.configureOutput({
      writeOut: (text) => void pending.push(io.out(text)),
      writeErr: (text) => io.err(sanitise(text)),
    });
    if (command.parent !== null)
      command.addHelpText('after', '\nAll exit codes: reviewloop --help');
    command.showHelpAfterError(`See \`${fullName(command)} --help\`.`);
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    code = ended(error, io);
  }
  return written(pending, code, io);
}

/** The name of a command with those of the commands that it belongs to. */
function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

/** Waits until everything is out, and tells when it cannot be. */
async function written(pending: readonly Promise<void>[], code: number, io: Io): Promise<number> {
  try {
    await Promise.all(pending);
    return code;
  } catch (error) {
    return ended(error, io);
  }
}

function ended(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (io.signal.aborted) return 130;
  const code = isReviewError(error) ? ` [${error.code}]` : '';
  io.err(
    `${sanitise(redactSecrets(`error: ${error instanceof Error ? error.message : messageOf(error)}${code}`))}\n`,
  );
  return exitCodeOfError(error);
}
