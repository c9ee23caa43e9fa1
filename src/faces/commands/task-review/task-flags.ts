import {
  byFlag,
  configFlag,
  outputFlags,
  providerFlags,
  quietFlag,
  storeFlag,
} from '../../cli-kit/flags/common-flags.js';
import { flag } from '../../cli-kit/flags/flag.js';
import { amount, seconds, wholeNumber } from '../../cli-kit/flags/values.js';
import { reportFlag } from '../../cli-kit/reports/report-flag.js';

const tasksFlag = flag({
  name: 'tasks',
  arg: '<file>',
  required: true,
  help: 'the task list',
});

/** The record of a task stores them unchanged. */
export const taskRecordFlags = [
  flag({ name: 'testCommand', arg: '<command>', help: 'the command that tests the work' }),
  flag({
    name: 'lintCommand',
    arg: '<command>',
    help: 'the command that lints the work; files that it changes are tested again',
  }),
  flag({ name: 'review', help: '', off: 'skip the review of the code' }),
  flag({ name: 'hitlReview', help: 'ask a person after every review' }),
  flag({ name: 'commit', help: '', off: 'commit nothing' }),
  flag({
    name: 'timeout',
    arg: '<seconds>',
    parse: seconds,
    default: 3600,
    help: 'timeout of one command, and of one review if it is below 900',
  }),
  flag({
    name: 'budgetTokens',
    arg: '<n>',
    parse: wholeNumber,
    help: 'the most tokens that reviews of this command may take',
  }),
  flag({
    name: 'budgetUsd',
    arg: '<amount>',
    parse: amount,
    help: 'the most US dollars that reviews of this command may cost, as the model reports them',
  }),
  flag({
    name: 'allowEnv',
    arg: '<name>',
    many: true,
    help: 'an environment variable for commands; may be repeated',
  }),
  ...providerFlags('the model that reviews'),
] as const;

export const runTasksFlags = [
  tasksFlag,
  flag({ name: 'all', help: 'every task' }),
  flag({ name: 'task', arg: '<id>', many: true, help: 'this task; may be repeated' }),
  flag({
    name: 'exec',
    arg: '<command>',
    help: 'the command that does a task (default: executor.exec of the configuration)',
  }),
  flag({
    name: 'reviewPolicy',
    arg: '<policy>',
    choices: ['advisory', 'required'],
    help: 'whether a failed review blocks the task; required needs a review (default: advisory)',
  }),
  flag({
    name: 'roles',
    arg: '<list>',
    help: 'reviewers: quality,implementation,testing,simplification,docs',
  }),
  flag({
    name: 'hitlUnattended',
    arg: '<how>',
    choices: ['suspend', 'ignore'],
    default: 'suspend',
    help: 'with --parallel, --tui or no terminal: let tasks wait for `reviewloop answer`, or ask nobody',
  }),
  flag({
    name: 'attempts',
    arg: '<n>',
    parse: wholeNumber,
    help: 'the maximum number of attempts at a task (default: 3)',
  }),
  flag({
    name: 'parallel',
    arg: '<n>',
    parse: wholeNumber,
    default: 1,
    help: 'the number of tasks that run at a time, each in its own git worktree',
  }),
  flag({
    name: 'anew',
    help: 'begin again, also done tasks that --task names; changes are set aside',
  }),
  flag({
    name: 'tui',
    help: 'show all tasks on the screen, ended ones too, and the results at the end',
  }),
  byFlag,
  configFlag,
  reportFlag,
  ...taskRecordFlags,
  ...outputFlags,
  quietFlag,
  storeFlag,
] as const;

export const taskStatusFlags = [tasksFlag, ...outputFlags, storeFlag] as const;
