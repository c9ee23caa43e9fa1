import {
  configFlag,
  outputFlags,
  providerFlags,
  quietFlag,
  storeFlag,
} from '../../cli-kit/flags/common-flags.js';
import { flag } from '../../cli-kit/flags/flag.js';
import { openShare, repetitionCount, share } from '../../cli-kit/flags/values.js';

export const calibrateFlags = [
  flag({
    name: 'judge',
    short: 'j',
    arg: '<id|file#name>',
    help: 'the judge: the id of a criterion of the configuration, or an export of a module',
  }),
  flag({
    name: 'labels',
    short: 'l',
    arg: '<file>',
    help: 'the labelled examples, one per line, or - for the standard input',
  }),
  flag({
    name: 'exportLabels',
    arg: '<file>',
    help: 'write the answers of people in stored runs as labels, or - for the standard output',
  }),
  flag({
    name: 'fromAnswers',
    help: 'calibrate every judge by what people answered in stored runs, and by --labels; asks no model',
  }),
  configFlag,
  flag({
    name: 'repetitions',
    arg: '<n>',
    parse: repetitionCount,
    default: 1,
    help: 'how often every example is judged, to measure how steady the judge is',
  }),
  flag({
    name: 'confirmWith',
    arg: '<name>',
    many: true,
    help: 'measure this model on the same examples, and each order of the models; may be repeated',
  }),
  flag({
    name: 'prior',
    arg: '<share>',
    parse: openShare,
    help: 'the share of first texts that are wrong, if the labels are no random sample',
  }),
  flag({
    name: 'minTnr',
    arg: '<share>',
    parse: share,
    help: 'exit 50 if fewer bad examples fail, at the low end of the interval',
  }),
  flag({
    name: 'minTpr',
    arg: '<share>',
    parse: share,
    help: 'exit 50 if fewer good examples pass, at the low end of the interval',
  }),
  ...providerFlags('the model to ask'),
  ...outputFlags,
  quietFlag,
  storeFlag,
] as const;

export const certifyFlags = [
  flag({
    name: 'labels',
    short: 'l',
    arg: '<file>',
    help: 'the labelled approvals, one per line, the oldest first, or - for the standard input',
  }),
  flag({
    name: 'arrangement',
    arg: '<digest|file>',
    help: 'what approved them: the digest that requireCertificate names, or a JSON file',
  }),
  flag({
    name: 'alpha',
    arg: '<share>',
    parse: openShare,
    help: 'the greatest share of wrong approvals (0.1)',
  }),
  flag({
    name: 'delta',
    arg: '<share>',
    parse: openShare,
    help: 'the greatest probability of a false certificate, or of a false withdrawal (0.1)',
  }),
  flag({
    name: 'sequential',
    help: 'test after every label, so that labels may be added until it certifies',
  }),
  flag({
    name: 'audit',
    arg: '<file>',
    help: 'test this certificate by labels of later approvals',
  }),
  ...outputFlags,
  storeFlag,
] as const;
