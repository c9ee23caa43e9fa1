import type { LLMProvider } from '../../../core/llm-provider.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { calibrate, calibrateJudges } from '../../../products/calibration/calibrate-judges.js';
import type { CalibrateOptions } from '../../../products/calibration/calibrate-options.js';
import type { Calibration } from '../../../products/calibration/calibration.js';
import {
  calibrationProblems,
  leastBars,
  newestByJudge,
} from '../../../products/calibration/require-calibration.js';
import { usageError } from '../../cli-kit/errors.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { type Io, tell } from '../../cli-kit/io.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import { providerChoice } from '../../cli-kit/provider/provider-choice.js';
import { calibrateFromAnswers, exportLabels } from './calibrate-by-answers.js';
import type { calibrateFlags } from './calibration-flags.js';
import { calibrationLines, judgesLines, progressOf } from './calibration-lines.js';
import { askingReviewer, type ChosenJudge, chosenJudge } from './chosen-judge.js';
import { calibrationFileName, calibrationRuns, keepRecord } from './stored-labels.js';

type CalibrateSettings = SettingsOf<typeof calibrateFlags>;

interface Settings extends CalibrateSettings {
  readonly judge: string;
  readonly labels: string;
}

export async function calibrateOrExport(
  call: StoredCall,
  settings: CalibrateSettings,
): Promise<number> {
  const { judge, labels, exportLabels: target } = settings;
  if (target !== undefined) {
    if (judge === undefined && labels === undefined) return exportLabels(call, target);
    throw usageError('pass --export-labels alone, or --judge and --labels');
  }
  if (settings.fromAnswers) {
    if (judge === undefined) return calibrateFromAnswers(call, settings);
    throw usageError('pass --from-answers without --judge');
  }
  if (judge === undefined || labels === undefined)
    throw usageError(
      'calibrate requires --judge and --labels, or --export-labels, or --from-answers',
    );
  return runCalibration(call, { ...settings, judge, labels });
}

interface Measured {
  /** The name of its file, after the judge. */
  readonly name: string;
  readonly record: object;
  readonly data: object;
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/** Stores the result in `calibration/` of the store. */
async function runCalibration({ io, store }: StoredCall, settings: Settings): Promise<number> {
  const { judge: name, repetitions, prior, confirmWith } = settings;
  const chosen = await chosenJudge(io, settings);
  const provider = await chooseProvider(io, providerChoice(settings), true);
  await store.files.prepare();
  const total = chosen.examples.length * repetitions;
  const progress = settings.quiet ? undefined : progressOf(io, { judge: name, total });
  const options = {
    ...{ repetitions, prior, provider, signal: io.signal, store: calibrationRuns(store) },
    onProgress: progress?.update,
  };
  const measure = confirmWith.length > 0 ? severalJudges : oneJudge;
  const measured = await measure(io, { chosen, settings }, options).finally(() => progress?.stop());
  const { data, lines, exitCode } = measured;
  const kept = await keepRecord(store, io.cwd, measured);
  await tell(io, settings.format, {
    data: { ...data, kept },
    lines: [...lines, oneLine(`stored: ${kept}`)],
  });
  return exitCode;
}

interface Asked {
  readonly chosen: ChosenJudge;
  readonly settings: Settings;
}

async function oneJudge(
  io: Io,
  { chosen: { judge, examples, id }, settings }: Asked,
  options: CalibrateOptions,
): Promise<Measured> {
  const calibration = await calibrate(judge, examples, { ...options, id });
  const problems = problemsOf(calibration, settings);
  const said = problems.map((problem) => oneLine(`NOT FIT: ${problem}`));
  return {
    name: calibrationFileName(calibration.judge.id),
    record: calibration,
    data: { calibration, problems },
    lines: [...calibrationLines(calibration, io), ...said],
    exitCode: calibration.examples.judged === 0 ? 1 : problems.length > 0 ? 50 : 0,
  };
}

/** Measures them together, and in each order. */
async function severalJudges(
  io: Io,
  { chosen: { judge, examples }, settings: { judge: named, confirmWith } }: Asked,
  { provider, ...options }: CalibrateOptions,
): Promise<Measured> {
  const providers: LLMProvider[] = provider === undefined ? [] : [provider];
  for (const name of confirmWith) {
    const other = await chooseProvider(io, { name }, true);
    if (other !== undefined) providers.push(other);
  }
  const judges = await calibrateJudges(askingReviewer(judge), examples, { ...options, providers });
  const isBroken = judges.calibrations.some(({ examples: { judged } }) => judged === 0);
  return {
    name: `${calibrationFileName(typeof judge === 'function' ? named : judge.id)}.judges`,
    record: judges,
    data: { judges },
    lines: judgesLines(judges, io),
    exitCode: isBroken ? 1 : 0,
  };
}

/** Empty without `--min-tnr` and `--min-tpr`. */
function problemsOf(calibration: Calibration, { minTnr, minTpr }: Settings): string[] {
  if (minTnr === undefined && minTpr === undefined) return [];
  const { judge } = calibration;
  return calibrationProblems({ ...judge, tier: 'model' }, newestByJudge([calibration]), {
    ...leastBars,
    minTnr: minTnr ?? 0,
    minTpr: minTpr ?? 0,
  });
}
