import { defineCommand } from '../../cli-kit/flags/command.js';
import { byFlag, outputFlags, quietFlag, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag, operand } from '../../cli-kit/flags/flag.js';
import { reportFlag } from '../../cli-kit/reports/report-flag.js';

const run = operand({ name: 'id', arg: '<id>', required: true, help: 'the run' });

const answerFlags = [
  flag({ name: 'reason', arg: '<text>', help: 'the reason; for a revision, what to change' }),
  flag({ name: 'approve', help: 'for decide: approve the version too' }),
  flag({ name: 'value', arg: '<json>', help: 'for reply: the value, as JSON or as a text' }),
  byFlag,
  flag({ name: 'question', arg: '<id>', help: 'the question, if several are open' }),
  reportFlag,
  ...outputFlags,
  quietFlag,
  storeFlag,
] as const;

const answer = operand({
  name: 'answer',
  arg: '<answer>',
  required: true,
  choices: ['approve', 'reject', 'revise', 'skip', 'override', 'decide', 'reply'],
  accepts: /=/,
  help: 'the answer; R3=yes is short for decide R3=yes',
});

const decisions = operand({
  name: 'decisions',
  arg: '[decisions]',
  many: true,
  help: 'for decide: R3=yes R5=no',
});

const help = `
Any unique prefix of an id works. \`revise\` and \`override\` require --reason. A run that ended without
approval takes \`override\`, and \`decide\` for what is undecided. Files are written back if the run
was started with --write. The configuration is loaded again, and should be the one that the run was
started with.

Exit codes: those of the new outcome; 2 if the answer was refused.

Examples:
  reviewloop answer 0192f3c8 approve
  reviewloop answer 0192f3c8 revise --reason 'Name the price'
  reviewloop answer 0192f3c8 R3=yes R5=no --by Ada
  reviewloop answer 0192f3c8 R3=yes R6=yes --approve
  reviewloop answer 0192f3c8 reply --value '{"price": 12}'
  reviewloop answer 0192f3c8 override --reason 'Legal has checked it'`;

export const answerCommand = defineCommand({
  name: 'answer',
  summary: 'answer a suspended run, or override one that was not approved',
  description:
    'Answers a question of a suspended run and continues it, or overrides the decision of an ended run.',
  flags: [run, answer, decisions, ...answerFlags],
  person: ({ answer: kind }) => `you answer ${kind}`,
  help,
  run: async (call, settings) => {
    const { answerRun } = await import('./answer-run.js');
    const { answer: given, decisions } = settings;
    return answerRun(
      call,
      given.includes('=')
        ? { ...settings, answer: 'decide', decisions: [given, ...decisions] }
        : settings,
    );
  },
});

export const overrideCommand = defineCommand({
  name: 'override',
  summary: 'short for `answer ID override`',
  description: 'Accepts what reviewers did not approve, as `reviewloop answer ID override` does.',
  flags: [run, ...answerFlags],
  person: () => 'you override the reviewers',
  help: "\nExamples:\n  reviewloop override 0192f3c8 --reason 'Legal has checked it'",
  run: async (call, given) =>
    (await import('./answer-run.js')).answerRun(call, { ...given, answer: 'override' }),
});
