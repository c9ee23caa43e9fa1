import { join } from 'node:path';
import type { LLMProvider } from '../../../core/llm-provider.js';
import type { Reviewer } from '../../../core/reviewer.js';
import { figureText } from '../../../core/score-text.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { calibrateJudges } from '../../../products/calibration/calibrate-judges.js';
import type {
  CalibrateOptions,
  LabelledExample,
} from '../../../products/calibration/calibrate-options.js';
import type { JudgesCalibration } from '../../../products/calibration/calibration.js';
import type { CalibratableJudge } from '../../../products/calibration/judge-pipeline.js';
import { usageError } from '../../cli-kit/errors.js';
import { type Io, tell } from '../../cli-kit/io.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import { listing } from '../../cli-kit/show/listing.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { writeJson } from '../../reports/run-folder.js';
import { calibrationLines, cheapestOrders, gateRows, gateTitles } from './calibration-lines.js';
import { calibrationRuns } from './stored-labels.js';

export interface JudgesSettings
  extends Pick<CalibrateOptions, 'provider' | 'repetitions' | 'prior' | 'onProgress'> {
  readonly judge: CalibratableJudge<unknown, unknown>;
  readonly examples: readonly LabelledExample[];
  readonly confirmWith: readonly string[];
  readonly format: string;
  readonly store: StoreHandle;
  readonly name: string;
}

/** Measures several judges together, shows the result, and stores it as `<judge>.judges.json`. */
export async function runJudgesCalibration(io: Io, settings: JudgesSettings): Promise<number> {
  const { examples, store, repetitions, prior } = settings;
  const found = await calibrateJudges(askingReviewer(settings.judge), examples, {
    providers: await judgesOf(io, settings),
    repetitions,
    store: calibrationRuns(store),
    signal: io.signal,
    ...(prior !== undefined && { prior }),
    ...(settings.onProgress && { onProgress: settings.onProgress }),
  });
  const file = join('calibration', `${settings.name}.judges.json`);
  await writeJson(store.files, file, found);
  const kept = store.files.shown(io.cwd, file);
  const lines = [...judgesLines(found, io), oneLine(`stored: ${kept}`)];
  await tell(io, settings.format, { data: { judges: found, kept }, lines });
  return found.calibrations.every(({ examples: { judged } }) => judged > 0) ? 0 : 1;
}

async function judgesOf(
  io: Io,
  { provider, confirmWith }: Pick<JudgesSettings, 'provider' | 'confirmWith'>,
): Promise<LLMProvider[]> {
  const judges = provider === undefined ? [] : [provider];
  for (const name of confirmWith) {
    const other = await chooseProvider(io, { name }, true);
    if (other !== undefined) judges.push(other);
  }
  return judges;
}

function askingReviewer(judge: CalibratableJudge<unknown, unknown>): Reviewer<unknown, unknown> {
  if (typeof judge === 'object' && 'review' in judge && judge.asks !== undefined) return judge;
  throw usageError(
    '--confirm-with requires a --judge that asks a model, such as llmCriterion(...)',
  );
}

function judgesLines({ calibrations, gates, prior, notes }: JudgesCalibration, io: Io): string[] {
  const shown = [...new Set(gates.map(({ bar }) => bar))].flatMap((bar) =>
    cheapestOrders(gates.filter((gate) => gate.bar === bar)),
  );
  return [
    ...calibrations.flatMap((one) => [...calibrationLines(one, io), '']),
    `judges in turn until one fails, each set in its cheapest order; ${figureText(100 * prior)} % of the texts are wrong`,
    ...listing(io, gateRows(shown), gateTitles),
    ...notes.map((note) => oneLine(`note: ${note}`)),
  ];
}
