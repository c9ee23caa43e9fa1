import { isReviewError, messageOf } from '../../../core/errors.js';
import { sanitise } from '../../../node/terminal/sanitise.js';
import { usageError } from '../../cli-kit/errors.js';
import { type CliCommand, commandGroup, defineCommand } from '../../cli-kit/flags/command.js';
import type { Flag, SettingsOf } from '../../cli-kit/flags/flag.js';
import type { Io } from '../../cli-kit/io.js';
import type { ChecklistAnswer, ChecklistCall, checklistActions } from './checklist-actions.js';
import { checklistFlags } from './checklist-flags.js';
import { checklistError } from './checklist-xml.js';

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

/** `reviewloop checklist`: breaks a review into items, verifies and fixes them. */
export const checklistCommand = commandGroup({
  name: 'checklist',
  summary: 'break a review into items, verify and fix them',
  description: 'Breaks a review into items, verifies them, and prints failures for fixers.',
  help,
  commands: [
    define(
      {
        name: 'decompose',
        summary: 'break the work into items, once per phase',
        flags: checklistFlags.decompose,
      },
      (actions, call) => actions.decompose(call),
    ),
    define(
      {
        name: 'verify',
        summary: 'verify the items and show whether the gate passes',
        flags: checklistFlags.verify,
        person: ({ trustUnhashed }) =>
          trustUnhashed ? 'you trust results without a digest' : undefined,
      },
      (actions, call) => actions.verify(call),
    ),
    define(
      { name: 'fix', summary: 'print instructions for the fixer', flags: checklistFlags.fix },
      (actions, call) => actions.fix(call),
    ),
    define(
      { name: 'status', summary: 'count the items', flags: checklistFlags.status },
      (actions, call) => actions.status(call),
    ),
    define(
      { name: 'list', summary: 'list the items, or export the state', flags: checklistFlags.list },
      (actions, call) => actions.list(call),
    ),
    define(
      { name: 'update', summary: 'record the result of an item', flags: checklistFlags.update },
      (actions, call) => actions.update(call),
    ),
    define(
      {
        name: 'accept',
        summary: 'accept a failure, once the gate has asked a person',
        flags: checklistFlags.accept,
        person: ({ id }) => `you accept the failure of ${id}`,
      },
      (actions, call) => actions.accept(call),
    ),
  ],
  otherwise: ({ io }, name) => answered(io, async () => unknown(name)),
});

interface Definition<Flags extends readonly Flag[]> {
  readonly name: string;
  readonly summary: string;
  readonly flags: Flags;
  readonly person?: (settings: SettingsOf<Flags>) => string | undefined;
}

function define<const Flags extends readonly Flag[]>(
  { name, summary, flags, person }: Definition<Flags>,
  act: (actions: typeof checklistActions, call: ChecklistCall<Flags>) => Promise<ChecklistAnswer>,
): CliCommand {
  return defineCommand({
    name,
    summary,
    description: `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`,
    flags,
    ...(person !== undefined && { person }),
    cancelled: 'recorded results stay; the same command goes on',
    run: ({ io }, settings) =>
      answered(io, async () => {
        const { checklistActions } = await import('./checklist-actions.js');
        return act(checklistActions, { io, settings });
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

/** Prints an answer; errors are answers too: on the standard output, with exit code 1. */
async function answered(io: Io, work: () => Promise<ChecklistAnswer>): Promise<number> {
  try {
    const { text, code = 0, after } = await work();
    await io.out(`${sanitise(text)}\n`);
    await after?.();
    return code;
  } catch (error) {
    if (io.signal.aborted || (isReviewError(error) && error.code === 'output_unwritable'))
      throw error;
    await io.out(`${sanitise(checklistError(messageOf(error)))}\n`);
    return 1;
  }
}
