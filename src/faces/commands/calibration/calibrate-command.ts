import { defineCommand } from '../../cli-kit/flags/command.js';
import { calibrateFlags, certifyFlags } from './calibration-flags.js';

const calibrateHelp = `
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
  help: calibrateHelp,
  run: async (...given) => (await import('./run-calibration.js')).calibrateOrExport(...given),
});

const certifyHelp = `
A file of labels contains a JSON object per approval: {"task": "...", "output": "...",
"label": "pass"}, with "fail" for a wrong approval and an optional "id". Label a random sample of the
approvals of one arrangement, and decide its size before; or pass --sequential from the start.

Exit codes: 0 certified or still valid, 50 not certified or withdrawn, 2 usage error.

Examples:
  reviewloop certify --labels labels.jsonl --arrangement 3f2a... --alpha 0.1 --delta 0.1
  reviewloop certify --labels labels.jsonl --arrangement arrangement.json --sequential
  reviewloop certify --labels audited.jsonl --audit .reviewloop/certificates/3f2a....json`;

export const certifyCommand = defineCommand({
  name: 'certify',
  summary: 'certify how many approvals are wrong, from labels of people',
  description:
    'Certifies from labels of people that at most a share of the approvals is wrong, ' +
    'or says how many more labels could decide it.',
  flags: certifyFlags,
  help: certifyHelp,
  run: async (...given) => (await import('./run-certify.js')).runCertify(...given),
});
