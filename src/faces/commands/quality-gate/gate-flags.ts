import {
  byFlag,
  outputFlags,
  providerFlags,
  quietFlag,
  storeFlag,
} from '../../cli-kit/flags/common-flags.js';
import { flag } from '../../cli-kit/flags/flag.js';
import { countFromZero, seconds } from '../../cli-kit/flags/values.js';
import { reportFlag } from '../../cli-kit/reports/report-flag.js';

export const reviewTimeoutFlag = flag({
  name: 'reviewTimeout',
  arg: '<seconds>',
  parse: seconds,
  help: 'the time limit of a review (default: 240, and 30 for each file beyond the fifth)',
});

export const gateFlags = [
  flag({ name: 'job', arg: '<file>', required: true, help: 'the job file, YAML or JSON' }),
  flag({ name: 'step', arg: '<id>', required: true, help: 'the step' }),
  flag({
    name: 'mode',
    arg: '<mode>',
    choices: ['external', 'self'],
    default: 'external',
    help: 'who reviews: Claude Code or a model, or the agent itself',
  }),
  flag({
    name: 'output',
    arg: '<name=path>',
    many: true,
    help: 'an output of the step, if the job file names no path; may be repeated',
  }),
  flag({ name: 'notes', arg: '<text>', help: "the author's notes about the work" }),
  flag({
    name: 'root',
    arg: '<folder>',
    default: '.',
    help: 'the folder that paths are relative to',
  }),
  flag({
    name: 'maxInlineFiles',
    arg: '<number>',
    parse: countFromZero,
    help: 'with more files, only paths are sent (default: 5; with --mode self: 0)',
  }),
  reviewTimeoutFlag,
  flag({ name: 'cli', arg: '<program>', help: 'path of the Claude Code CLI (default: claude)' }),
  flag({
    name: 'session',
    arg: '<id>',
    default: 'default',
    help: 'the session that counts the attempts',
  }),
  flag({
    name: 'overrideReason',
    arg: '<text>',
    help: 'accept the step without a review; recorded in the audit log',
  }),
  byFlag,
  ...providerFlags('a model that reviews instead', '; it sees only inlined files'),
  reportFlag,
  ...outputFlags,
  quietFlag,
  storeFlag,
] as const;
