import { byFlag, outputFlags, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag, operand } from '../../cli-kit/flags/flag.js';

const labelsFlag = flag({
  name: 'labels',
  arg: '<file>',
  help: 'a file of labels beside the answers in stored runs (default: that of `learn` in the configuration)',
});

const placeFlags = [
  labelsFlag,
  flag({
    name: 'lessons',
    arg: '<file>',
    help: 'a file of lessons (default: lessons.jsonl of the store, or the lessons in its database)',
  }),
  flag({
    name: 'criteria',
    arg: '<file>',
    help: 'the file of accepted criteria (default: reviewloop.criteria.json here or in a folder above)',
  }),
  ...outputFlags,
  storeFlag,
] as const;

const draft = operand({
  name: 'id',
  arg: '<id>',
  required: true,
  help: 'the draft, or a prefix of its id',
});

export const draftsFlags = [
  flag({ name: 'all', help: 'also accepted and rejected drafts' }),
  ...placeFlags,
] as const;

export const acceptFlags = [
  draft,
  flag({
    name: 'question',
    arg: '<text>',
    help: 'the yes-or-no question (default: that of the draft)',
  }),
  flag({
    name: 'severity',
    arg: '<severity>',
    choices: ['critical', 'major', 'minor'],
    help: 'the severity of a failure (default: that of the draft)',
  }),
  flag({ name: 'as', arg: '<id>', help: 'the id of the criterion (default: that of the draft)' }),
  byFlag,
  ...placeFlags,
] as const;

export const requirementsFlags = [labelsFlag, ...outputFlags, storeFlag] as const;

export const rejectFlags = [
  draft,
  flag({ name: 'reason', arg: '<text>', help: 'why' }),
  byFlag,
  ...placeFlags,
] as const;
