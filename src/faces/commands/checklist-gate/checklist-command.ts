import { isReviewError, messageOf } from '../../../core/errors.js';
import { sanitise } from '../../../node/terminal/sanitise.js';
import { usageError } from '../../cli-kit/errors.js';
import { type CliCommand, commandGroup, defineCommand } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import type { Io } from '../../cli-kit/io.js';
import type { ChecklistAnswer } from './checklist-actions.js';
import { type ChecklistFlags, checklistFlags } from './checklist-flags.js';

const help = `
Phases: plan-structure, plan-code, plan-docs, impl-code, impl-docs. The state is qr-{phase}.json in
--state-dir. Any number of processes may write it at once. Errors are written to the standard
output, in the form that callers of the QR format read, and end with exit code 1.

Exit codes: 0 done, and PASS; 50 FAIL; 1 an error; 130 cancelled.

Examples:
  reviewloop checklist decompose plan.md src --phase plan-code --state-dir .qr
  reviewloop checklist verify --phase plan-code --state-dir .qr
  reviewloop checklist fix --qr-fail --phase plan-code --state-dir .qr
  reviewloop checklist fix --applied --phase plan-code --state-dir .qr
  reviewloop checklist update plan-code-002 --status FAIL --finding 'no test' --phase plan-code --state-dir .qr
  reviewloop checklist accept plan-code-002 --reason 'known' --phase plan-code --state-dir .qr`;

export const checklistCommand = commandGroup({
  name: 'checklist',
  summary: 'break a review into items, verify and fix them',
  description: 'Breaks a review into items, verifies them, and prints failures for fixers.',
  help,
  commands: [
    define('decompose', 'break the work into items, once per phase'),
    define('verify', 'verify the items and show whether the gate passes', ({ trustUnhashed }) =>
      trustUnhashed ? 'you trust results without a digest' : undefined,
    ),
    define('fix', 'print instructions for the fixer'),
    define('status', 'count the items'),
    define('list', 'list the items, or export the state'),
    define('update', 'record the result of an item'),
    define(
      'accept',
      'accept a failure, once the gate has asked a person',
      ({ id }) => `you accept the failure of ${id}`,
    ),
  ],
  otherwise: ({ io }, name) => answered(io, async () => unknown(name)),
});

function define<Name extends keyof ChecklistFlags>(
  name: Name,
  summary: string,
  person?: (settings: SettingsOf<ChecklistFlags[Name]>) => string | undefined,
): CliCommand {
  return defineCommand({
    name,
    summary,
    description: `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`,
    flags: checklistFlags[name],
    ...(person !== undefined && { person }),
    cancelled: 'recorded results stay; the same command goes on',
    run: ({ io }, settings) =>
      answered(io, async () => {
        const { checklistActions } = await import('./checklist-actions.js');
        return checklistActions[name]({ io, settings });
      }),
  });
}

function unknown(name: string | undefined): never {
  throw usageError(
    name === undefined
      ? 'A command is required: decompose, verify, fix, status, list, update or accept'
      : `Unknown command: ${name}`,
  );
}

/** Errors are answers too: on the standard output, with exit code 1. */
async function answered(io: Io, work: () => Promise<ChecklistAnswer>): Promise<number> {
  try {
    const { text, code = 0, after } = await work();
    await io.out(`${sanitise(text)}\n`);
    await after?.();
    return code;
  } catch (error) {
    if (io.signal.aborted || (isReviewError(error) && error.code === 'output_unwritable'))
      throw error;
    const { checklistError } = await import('./checklist-report.js');
    await io.out(`${sanitise(checklistError(messageOf(error)))}\n`);
    return 1;
  }
}
