import { Command, CommanderError } from 'commander';
import { isReviewError } from '../../core/errors.js';
import { redactSecrets } from '../../core/redact/secrets.js';
import { sanitise } from '../../node/terminal/sanitise.js';
import { exitCodeOfError, exitCodes } from '../cli-kit/exit-codes.js';
import type { CliCommand } from '../cli-kit/flags/command.js';
import type { Io } from '../cli-kit/io.js';
import { versionOf } from '../cli-kit/package-file.js';
import { errorText } from '../cli-kit/show/error-text.js';
import { calibrateCommand, certifyCommand } from '../commands/calibration/calibrate-command.js';
import { checklistCommand } from '../commands/checklist-gate/checklist-command.js';
import { lessonsCommand } from '../commands/lessons/lessons-command.js';
import { gateCommand } from '../commands/quality-gate/gate-command.js';
import { tasksCommand } from '../commands/task-review/tasks-command.js';
import { acceptCommand } from '../mcp/accept-command.js';
import { mcpCommand } from '../mcp/mcp-command.js';
import { attestCommand, verifyCommand } from './attest/attest-command.js';
import { completionCommand } from './completion/completion-command.js';
import { demoCommand } from './demo-command.js';
import { diffCommand } from './diff/diff-command.js';
import { hookCommand } from './hook/hook-command.js';
import { inboxCommand } from './inbox/inbox-command.js';
import { initCommand } from './init/init-command.js';
import { reportCommand } from './report/report-command.js';
import { requirementsCommand } from './requirements/requirements-command.js';
import { reviewCommand } from './review/review-command.js';
import { answerCommand, overrideCommand } from './runs/answer-command.js';
import { auditCommand } from './runs/audit-command.js';
import { resumeCommand, runsCommand, runsWords } from './runs/runs-command.js';
import { secretsCommand } from './secrets/secrets-command.js';
import { storeCommand } from './store/store-command.js';

export const commands: readonly CliCommand[] = [
  reviewCommand,
  requirementsCommand,
  secretsCommand,
  demoCommand,
  runsCommand,
  ...runsWords,
  reportCommand,
  diffCommand,
  answerCommand,
  overrideCommand,
  resumeCommand,
  inboxCommand,
  tasksCommand,
  gateCommand,
  acceptCommand,
  auditCommand,
  attestCommand,
  verifyCommand,
  storeCommand,
  mcpCommand(async (call, answer) => {
    const { answerByClient } = await import('./runs/answer-run.js');
    return answerByClient(call, answer);
  }),
  calibrateCommand,
  certifyCommand,
  lessonsCommand,
  checklistCommand,
  hookCommand,
  initCommand,
  completionCommand(() => commands),
];

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

export async function runProgram(argv: readonly string[], io: Io, entry: URL): Promise<number> {
  const pending: Promise<void>[] = [];
  const program = new Command('reviewloop')
    .description(
      'Reviews what agents produce: files against a task, with verdicts that can be trusted.',
    )
    .version(await versionOf(entry), '-V, --version')
    .enablePositionalOptions()
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText('after', help);
  let code = 0;
  for (const command of commands)
    program.addCommand(
      command.commander(async (work) => {
        code = await work({ io, entry });
      }),
    );
  configure(program, {
    writeOut: (text) => void pending.push(io.out(text)),
    writeErr: (text) => io.err(sanitise(redactSecrets(text))),
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    code = exitCodeAfter(error, io);
  }
  try {
    await Promise.all(pending);
    return code;
  } catch (error) {
    return exitCodeAfter(error, io);
  }
}

interface Output {
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
}

function configure(command: Command, output: Output): void {
  command.configureOutput(output);
  command.showHelpAfterError(`See \`${fullName(command)} --help\`.`);
  if (command.parent !== null) command.addHelpText('after', '\nAll exit codes: reviewloop --help');
  for (const own of command.commands) {
    own.copyInheritedSettings(command);
    configure(own, output);
  }
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

function exitCodeAfter(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (io.signal.aborted) return 130;
  const code = isReviewError(error) ? ` [${error.code}]` : '';
  io.err(`${sanitise(redactSecrets(`error: ${errorText(error)}${code}`))}\n`);
  return exitCodeOfError(error);
}
