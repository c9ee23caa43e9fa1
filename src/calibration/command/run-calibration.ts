import { join, resolve } from 'node:path';
import { chooseCriteria } from '../../cli-kit/criteria/choose-criteria.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import type { Io } from '../../cli-kit/io.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import { providerChoice } from '../../cli-kit/provider/provider-choice.js';
import { loadConfig } from '../../config/load-config.js';
import { loadModule } from '../../config/load-module.js';
import { ReviewLoopError } from '../../core/errors.js';
import { plural } from '../../core/plural.js';
import { nodeErrors } from '../../node/errors.js';
import { writeFileAtomic } from '../../node/files.js';
import { type AgentOutput, agentRequest, textOutput } from '../../self-review/agent.js';
import { oneLine, terminalSafeJson } from '../../terminal/sanitise.js';
import { calibrate } from '../calibrate-judges.js';
import type { LabelledExample } from '../calibrate-options.js';
import type { Calibration } from '../calibration.js';
import { calibrationErrors } from '../errors.js';
import type { CalibratableJudge } from '../judge-pipeline.js';
import type { ReadLabel } from '../labels.js';
import { calibrationProblems, leastBars, newestByJudge } from '../require-calibration.js';
import type { calibrateFlags } from './calibrate-flags.js';
import { calibrateFromAnswers } from './calibrate-from-answers.js';
import { calibrationLines } from './calibration-lines.js';
import { CalibrationProgress } from './calibration-progress.js';
import {
  calibrationFileName,
  calibrationRuns,
  readLabelFile,
  storedLabels,
} from './stored-labels.js';

type CalibrateSettings = SettingsOf<typeof calibrateFlags>;

/** A judge, its examples, and how it is calibrated. */
interface Settings extends CalibrateSettings {
  readonly judge: string;
  readonly labels: string;
}

/** A judge with the examples in the shape that it takes. */
interface Prepared {
  readonly judge: CalibratableJudge<unknown, unknown>;
  readonly examples: readonly LabelledExample[];
  /** The id of a judge that is a plain function. */
  readonly id?: string | undefined;
}

/**
 * Calibrates a judge, or exports labels.
 *
 * @returns The exit code.
 * @throws ReviewLoopError `labels_invalid`, `usage`, `config_invalid`, `provider_missing`
 */
export async function calibrateOrExport(
  call: StoredCall,
  settings: CalibrateSettings,
): Promise<number> {
  const { judge, labels, exportLabels: target } = settings;
  if (target !== undefined) {
    if (judge !== undefined || labels !== undefined)
      throw new ReviewLoopError(
        nodeErrors.usage,
        'pass --export-labels alone, or --judge and --labels',
      );
    return exportLabels(call, target);
  }
  if (settings.fromAnswers) {
    if (judge !== undefined)
      throw new ReviewLoopError(nodeErrors.usage, 'pass --from-answers without --judge');
    return calibrateFromAnswers(call, settings);
  }
  if (judge === undefined || labels === undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      'calibrate requires --judge and --labels, or --export-labels, or --from-answers',
    );
  return runCalibration(call, { ...settings, judge, labels });
}

/** Calibrates a judge, shows the result, and stores it in `calibration/` of the store. */
async function runCalibration({ io, store }: StoredCall, settings: Settings): Promise<number> {
  const { format, repetitions } = settings;
  const { judge, examples, id } = await prepared(
    io,
    settings,
    aboutJudge(await readLabelFile(io, settings.labels), settings),
  );
  const provider = await chooseProvider(io, providerChoice(settings), true);
  await store.files.prepare();
  const progress = settings.quiet
    ? undefined
    : new CalibrationProgress(io, {
        judge: settings.judge,
        total: examples.length * repetitions,
      });
  if (settings.confirmWith.length > 0) {
    const { runJudgesCalibration } = await import('./run-judges-calibration.js');
    return runJudgesCalibration(io, {
      ...settings,
      store,
      judge,
      examples,
      provider,
      name: calibrationFileName(typeof judge === 'function' ? settings.judge : judge.id),
      onProgress: progress && ((judged) => progress.update(judged)),
    }).finally(() => progress?.stop());
  }
  const calibration = await calibrate(judge, examples, {
    repetitions,
    store: calibrationRuns(store),
    signal: io.signal,
    ...(settings.prior !== undefined && { prior: settings.prior }),
    ...(provider !== undefined && { provider }),
    ...(id !== undefined && { id }),
    onProgress: (judged) => progress?.update(judged),
  }).finally(() => progress?.stop());
  const file = join('calibration', `${calibrationFileName(calibration.judge.id)}.json`);
  await store.files.write(file, `${JSON.stringify(calibration, null, 2)}\n`);
  const problems = problemsOf(calibration, settings);
  const kept = store.files.shown(io.cwd, file);
  if (format === 'json')
    await io.out(`${terminalSafeJson({ schemaVersion: 1, calibration, problems, kept })}\n`);
  else
    await io.out(
      `${[
        ...calibrationLines(calibration, io),
        ...[...problems.map((problem) => `NOT FIT: ${problem}`), `stored: ${kept}`].map(oneLine),
      ].join('\n')}\n`,
    );
  if (calibration.examples.judged === 0) return 1;
  return problems.length > 0 ? 50 : 0;
}

async function prepared(
  io: Io,
  { judge: named, config }: Settings,
  labels: readonly ReadLabel[],
): Promise<Prepared> {
  const hash = named.lastIndexOf('#');
  if (hash > 0) return exported(io, named.slice(0, hash), named.slice(hash + 1), labels);
  const examples = labels.map(({ task, output, ...label }) => ({
    ...label,
    task: typeof task === 'string' ? agentRequest({ id: label.id, description: task }) : task,
    output: typeof output === 'string' ? textOutput(output) : output,
  }));
  const loaded = await loadConfig(io.cwd, config);
  const { reviewers } = await chooseCriteria({
    cwd: io.cwd,
    output: examples[0]?.output as AgentOutput,
    options: [],
    config: loaded.config,
    configFile: loaded.file,
  });
  const judge = reviewers.find(({ id }) => id === named);
  if (judge === undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `no criterion ${named} in ${loaded.file ?? 'the criteria that fit the examples'}; ` +
        `the criteria are ${reviewers.map(({ id }) => id).join(', ')}`,
      { value: named },
    );
  return { judge: judge as CalibratableJudge<unknown, unknown>, examples };
}

async function exported(
  io: Io,
  file: string,
  name: string,
  labels: readonly ReadLabel[],
): Promise<Prepared> {
  const module = await loadModule(resolve(io.cwd, file), file);
  const judge = module[name];
  const names = Object.keys(module).join(', ');
  if (judge === undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `${file} exports no ${name}; it exports ${names === '' ? 'nothing' : names}`,
      { value: name },
    );
  return {
    judge: judge as CalibratableJudge<unknown, unknown>,
    examples: labels,
    ...(typeof judge === 'function' && { id: name }),
  };
}

function aboutJudge(labels: readonly ReadLabel[], { judge, labels: file }: Settings): ReadLabel[] {
  const name = judge.slice(judge.lastIndexOf('#') + 1);
  const own = labels.filter(({ criterion = name }) => criterion === name);
  if (own.length === 0)
    throw new ReviewLoopError(
      calibrationErrors.labels_invalid,
      `${file} contains no label about ${name}, only about other criteria`,
      { value: file },
    );
  return own;
}

/** Returns why a judge misses `--min-tnr` or `--min-tpr`; empty without them. */
function problemsOf(calibration: Calibration, { minTnr, minTpr }: Settings): string[] {
  if (minTnr === undefined && minTpr === undefined) return [];
  const { judge } = calibration;
  return calibrationProblems({ ...judge, tier: 'model' }, newestByJudge([calibration]), {
    ...leastBars,
    minTnr: minTnr ?? 0,
    minTpr: minTpr ?? 0,
  });
}

/**
 * Writes the answers of people in stored runs as labels.
 *
 * @param target - A file, or - for the standard output.
 * @returns The exit code.
 */
async function exportLabels({ io, store }: StoredCall, target: string): Promise<number> {
  const { labels, lost } = await storedLabels(store);
  const text = labels.map((label) => `${JSON.stringify(label)}\n`).join('');
  if (target === '-') await io.out(text);
  else await writeFileAtomic(resolve(io.cwd, target), text);
  const good = labels.filter(({ label }) => label === 'pass').length;
  const missing =
    lost === 0 ? '' : `; skipped ${plural(lost, 'answer')} about versions that were not stored`;
  io.err(
    [
      plural(labels.length, 'label'),
      `(${good} pass, ${labels.length - good} fail)`,
      `from ${store.files.shown(io.cwd)}${missing}
`,
    ].join(' '),
  );
  return 0;
}
