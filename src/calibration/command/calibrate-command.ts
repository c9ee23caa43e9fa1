import { defineCommand } from '../../cli-kit/flags/command.js';
import {
  configFlag,
  outputFlags,
  providerFlags,
  storeFlag,
} from '../../cli-kit/flags/common-flags.js';
import { flag } from '../../cli-kit/flags/flag.js';
import { repetitionCount, share } from '../../cli-kit/flags/values.js';

/** The flags of `reviewloop calibrate`. */
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
  configFlag,
  flag({
    name: 'repetitions',
    arg: '<n>',
    parse: repetitionCount,
    default: 1,
    help: 'how often every example is judged, to measure how steady the judge is',
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
  storeFlag,
] as const;

const help = `
A file of labels contains a JSON object per line: {"task": "...", "output": "...", "label": "pass"},
with "fail" for bad work and an optional "id". The judge is a criterion of the configuration by its
id, or an export of a module as FILE.mjs#NAME: a criterion, a reviewer or a function. Verdicts are
stored, so a stopped calibration continues without paying again.

Exit codes: 0 calibrated, 50 below --min-tnr or --min-tpr or too few examples for them, 1 no example
could be judged, 2 usage error, 130 cancelled.

Examples:
  reviewloop calibrate --judge clear --labels labels.jsonl --provider anthropic:MODEL
  reviewloop calibrate --judge judges.mjs#clear --labels labels.jsonl --repetitions 3 --min-tnr 0.8
  reviewloop calibrate --export-labels labels.jsonl`;

/** `reviewloop calibrate`: measures how far a judge can be trusted. */
export const calibrateCommand = defineCommand({
  name: 'calibrate',
  summary: 'measure how far a judge can be trusted, on labelled examples',
  description:
    'Measures how far a judge can be trusted: how much good work it passes and how much bad work it fails, on examples that people labelled.',
  flags: calibrateFlags,
  help,
  run: async ({ io }, settings) => {
    const { calibrateOrExport } = await import('./run-calibration.js');
    return calibrateOrExport(io, settings);
  },
});
