import { Command } from 'commander';
import type { Io } from '../../cli-kit/io.js';
import { withProviderOptions } from '../../cli-kit/provider/provider-options.js';
import { userName } from '../../cli-kit/user-name.js';
import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { sanitise } from '../../terminal/sanitise.js';
import {
  type ChecklistCall,
  type ChecklistOptions,
  checklistActions,
} from './checklist-actions.js';
import { checklistError } from './checklist-xml.js';

const help = `
Phases: plan-structure, plan-code, plan-docs, impl-code, impl-docs. The state is qr-{phase}.json in --state-dir.
Any number of processes may write it at once. Errors are written to the standard output, in the form that callers of
seed 001 read, and end with exit code 1.

Exit codes: 0 done, and PASS; 50 FAIL; 1 an error; 130 cancelled.

Examples:
  reviewloop checklist decompose plan.md src --phase plan-code --state-dir .qr
  reviewloop checklist verify --phase plan-code --state-dir .qr
  reviewloop checklist fix --qr-fail --phase plan-code --state-dir .qr
  reviewloop checklist fix --applied --phase plan-code --state-dir .qr
  reviewloop checklist update plan-code-002 --status FAIL --finding 'no test' --phase plan-code --state-dir .qr
  reviewloop checklist accept plan-code-002 --reason 'known' --phase plan-code --state-dir .qr`;

/** `reviewloop checklist`: the gate of seed 001 for agents that talk to it by commands. */
export function checklistCommand(io: Io, done: (code: number) => void): Command {
  const act = (
    name: keyof typeof checklistActions,
    options: ChecklistOptions,
    more: Partial<ChecklistCall> = {},
  ): Promise<void> =>
    answered(io, done, () => checklistActions[name]({ io, options, paths: [], id: '', ...more }));
  const withPaths = (name: 'decompose' | 'verify' | 'status', summary: string): Command =>
    common(
      new Command(name)
        .summary(summary)
        .description(`${summary}.`)
        .argument(
          '[paths...]',
          'what is reviewed: files, folders or globs (default: those of the decomposition)',
        ),
    ).action((paths: string[], options: ChecklistOptions) => act(name, options, { paths }));
  const withId = (name: 'update' | 'accept', summary: string): Command =>
    common(
      new Command(name).summary(summary).description(`${summary}.`).argument('<id>', 'the item'),
    ).action((id: string, options: ChecklistOptions) => act(name, options, { id }));
  const decompose = withProviderOptions(
    withPaths('decompose', 'break the work into items, once per phase'),
    'a model that adds items',
    ' (default: the items of code and the ready questions)',
  );
  const verify = withProviderOptions(
    withPaths('verify', 'verify the items, and say whether the gate passes'),
    'the model that verifies items without a rule',
    ' (default: they stay TODO)',
  )
    .option('--bit', 'print PASS or FAIL and nothing else')
    .option('--trust-unhashed', 'count a PASS that does not tell over which content it was given');
  const fix = common(
    new Command('fix')
      .summary('what a fixer has to know')
      .description('Prints what failed, for a fixer.'),
  )
    .option('--qr-fail', 'print it as the prompt of a fixer, with an overview')
    .option(
      '--applied',
      'tell that the fixes are done: what failed is TODO again, and the next iteration begins',
    )
    .action((options: ChecklistOptions) => act('fix', options));
  const list = common(
    new Command('list')
      .summary('list the items')
      .description('Lists the items, or exports the state.'),
  )
    .option('--status <status>', 'only TODO, PASS or FAIL')
    .option('--schema <version>', 'export the state as JSON: 1.0 with its five fields, or 1.1')
    .action((options: ChecklistOptions) => act('list', options));
  const update = withId('update', 'write what a verifier says of an item')
    .option('--status <status>', 'PASS or FAIL')
    .option('--finding <text>', 'what failed')
    .option('--fix <text>', 'what repairs it')
    .option('--evidence <text>', 'a quote that shows it')
    .option('--location <place>', 'where it stands: path, path:12 or path:12-15')
    .option('--severity <severity>', 'MUST, SHOULD or COULD');
  const accept = withId('accept', 'let a failure through, once the gate has asked a person')
    .option('--reason <text>', 'why')
    .option('--by <name>', 'who lets it through', userName())
    .option('--audit <dir>', 'the folder of the audit log (default: the state directory)');
  const parent = new Command('checklist')
    .summary('the gate of seed 001: decompose, verify, fix')
    .description('Breaks a review into items, verifies them, and tells fixers what failed.')
    .addHelpText('after', help);
  parent
    .argument('[command...]')
    .allowUnknownOption()
    .action((names: string[]) => answered(io, done, async () => unknown(names[0])));
  for (const command of [
    decompose,
    verify,
    fix,
    withPaths('status', 'count the items'),
    list,
    update,
    accept,
  ])
    parent.addCommand(command);
  return parent;
}

function common(command: Command): Command {
  return command
    .option('--phase <phase>', 'the phase')
    .option('--qr-phase <phase>', 'the same, as tools of seed 001 call it')
    .option('--state-dir <dir>', 'the folder of the state files')
    .option('--request <text>', 'what was asked for');
}

function unknown(name: string | undefined): never {
  throw new ReviewLoopError(
    nodeErrors.usage,
    name === undefined
      ? 'A command is required: decompose, verify, fix, status, list, update or accept'
      : `Unknown command: ${name}`,
  );
}

/** Errors are answers too: on the standard output, with exit code 1. */
async function answered(
  io: Io,
  done: (code: number) => void,
  work: () => Promise<{ readonly text: string; readonly code?: number }>,
): Promise<void> {
  try {
    const { text, code = 0 } = await work();
    await io.out(`${sanitise(text)}\n`);
    done(code);
  } catch (error) {
    if (io.signal.aborted || (isReviewError(error) && error.code === 'output_unwritable'))
      throw error;
    await io.out(`${sanitise(checklistError(messageOf(error)))}\n`);
    done(1);
  }
}
