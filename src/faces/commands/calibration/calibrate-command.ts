import { defineCommand } from '../../cli-kit/flags/command.js';
import { calibrateFlags } from './calibration-flags.js';

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
  reviewloop calibrate --judge clear --labels labels.jsonl --provider anthropic:MODEL --confirm-with openai:MODEL
  reviewloop calibrate --export-labels labels.jsonl
  reviewloop calibrate --from-answers`;

export const calibrateCommand = defineCommand({
  name: 'calibrate',
  summary: 'measure how far a judge can be trusted, on labelled examples',
  description:
    'Measures how far a judge can be trusted: how much good work it passes ' +
    'and how much bad work it fails, on examples that people labelled.',
  flags: calibrateFlags,
  cancelled: 'judged examples are stored; the same command goes on',
  help,
  run: async (...given) => (await import('./run-calibration.js')).calibrateOrExport(...given),
});
