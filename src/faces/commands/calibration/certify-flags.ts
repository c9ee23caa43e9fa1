import { outputFlags, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag } from '../../cli-kit/flags/flag.js';
import { openShare } from '../../cli-kit/flags/values.js';

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
