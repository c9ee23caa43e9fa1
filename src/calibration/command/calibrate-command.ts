import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import {
  formatOption,
  jsonOption,
  storeFolder,
  storeOption,
} from '../../cli-kit/common-options.js';
import type { Io } from '../../cli-kit/io.js';
import { providerOption, withProviderOptions } from '../../cli-kit/provider/provider-options.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import type { CalibrateCommandOptions } from './calibrate-options.js';
import { exportLabels } from './export-labels.js';
import { runCalibration } from './run-calibration.js';

const help = `
A file of labels has an object of JSON in every line: {"task": "...", "output": "...", "label": "pass"}, with "fail" for
bad work and perhaps an "id". The judge is a criterion of the configuration by its id, or an export of a module as
FILE.mjs#NAME: a criterion, a reviewer or a function. What it says is kept, so a calibration that was stopped goes on
without paying again.

Exit codes: 0 calibrated, 50 below --min-tnr or --min-tpr or too few examples for them, 1 no example could be judged,
2 wrong use, 130 cancelled.

Examples:
  reviewloop calibrate --judge clear --labels labels.jsonl --provider anthropic:MODEL
  reviewloop calibrate --judge judges.mjs#clear --labels labels.jsonl --repetitions 3 --min-tnr 0.8
  reviewloop calibrate --export-labels labels.jsonl`;

/** `reviewloop calibrate`: measures how far a judge can be trusted. */
export function calibrateCommand(io: Io, done: (code: number) => void): Command {
  const command = new Command('calibrate')
    .summary('measure how far a judge can be trusted, on labelled examples')
    .description(
      'Measures how far a judge can be trusted: how much good work it passes and how much bad work it fails, on examples that people labelled.',
    )
    .option(
      '-j, --judge <id|file#name>',
      'the judge: the id of a criterion of the configuration, or an export of a module',
    )
    .option(
      '-l, --labels <file>',
      'the labelled examples, one in every line (- for the standard input)',
    )
    .option(
      '--export-labels <file>',
      'write the answers of people over kept runs as labels (- for the standard output)',
    )
    .option(
      '-c, --config <file>',
      'the configuration (default: reviewloop.config.{js,mjs,ts,json,yaml,yml}, found upward)',
    )
    .option('--no-config', 'look for no configuration')
    .option(
      '--repetitions <n>',
      'how often every example is judged, to tell how steady the judge is',
      wholeNumber,
      1,
    )
    .option(
      '--min-tnr <share>',
      'exit with 50 unless so much bad work fails, at the low end of the interval',
      shareOf,
    )
    .option(
      '--min-tpr <share>',
      'exit with 50 unless so much good work passes, at the low end of the interval',
      shareOf,
    )
    .addOption(formatOption())
    .addOption(jsonOption())
    .addOption(storeOption())
    .addHelpText('after', help)
    .action(async (options: CalibrateCommandOptions) => done(await act(io, options)));
  return withProviderOptions(command, 'the model that is asked');
}

async function act(io: Io, options: CalibrateCommandOptions): Promise<number> {
  const { judge, labels, exportLabels: target } = options;
  const folder = resolve(io.cwd, storeFolder(options.store));
  if (target !== undefined) {
    if (judge !== undefined || labels !== undefined)
      throw new ReviewLoopError(
        nodeErrors.usage,
        'give --export-labels alone, or --judge and --labels',
      );
    return exportLabels(io, folder, target);
  }
  if (judge === undefined || labels === undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      'calibrate needs --judge and --labels, or --export-labels',
    );
  providerOption(options);
  return runCalibration(io, { ...options, judge, labels, folder });
}

function wholeNumber(value: string): number {
  if (!/^[1-9]\d{0,3}$/.test(value))
    throw new InvalidArgumentError('Expected a whole number from 1 to 9999.');
  return Number(value);
}

function shareOf(value: string): number {
  const share = value.trim() === '' ? Number.NaN : Number(value);
  if (!(share >= 0 && share <= 1)) throw new InvalidArgumentError('Expected a number from 0 to 1.');
  return share;
}
