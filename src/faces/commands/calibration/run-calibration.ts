import { join, resolve } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import { plural } from '../../../core/plural.js';
import type { Usage } from '../../../core/usage.js';
import { writeFileAtomic } from '../../../node/files.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import type { Clock } from '../../../ports/clock.js';
import { calibrate } from '../../../products/calibration/calibrate-judges.js';
import type { LabelledExample } from '../../../products/calibration/calibrate-options.js';
import type { Calibration } from '../../../products/calibration/calibration.js';
import {
  calibrationOfDecisions,
  decidedVerdicts,
  type UnusedLabels,
} from '../../../products/calibration/decided-verdicts.js';
import { calibrationErrors } from '../../../products/calibration/errors.js';
import type { CalibratableJudge } from '../../../products/calibration/judge-pipeline.js';
import type { ReadLabel } from '../../../products/calibration/labels.js';
import { isOfOneTask } from '../../../products/calibration/learn-from-decisions.js';
import {
  calibrationProblems,
  leastBars,
  newestByJudge,
} from '../../../products/calibration/require-calibration.js';
import { type AgentOutput, agentRequest, textOutput } from '../../../products/self-review/agent.js';
import { chooseCriteria } from '../../cli-kit/criteria/choose-criteria.js';
import { usageError } from '../../cli-kit/errors.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { type Io, tell } from '../../cli-kit/io.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import { providerChoice } from '../../cli-kit/provider/provider-choice.js';
import {
  durationText,
  headRow,
  LiveView,
  usageTexts,
  type ViewIo,
} from '../../cli-kit/show/live-view.js';
import { loadConfig } from '../../config/load-config.js';
import { loadModule } from '../../config/load-module.js';
import { writeJson } from '../../reports/run-folder.js';
import type { calibrateFlags } from './calibrate-flags.js';
import { calibrationLines } from './calibration-lines.js';
import {
  calibrationFileName,
  calibrationRuns,
  readLabelFile,
  storedLabels,
} from './stored-labels.js';

type CalibrateSettings = SettingsOf<typeof calibrateFlags>;

interface Settings extends CalibrateSettings {
  readonly judge: string;
  readonly labels: string;
}

interface Prepared {
  readonly judge: CalibratableJudge<unknown, unknown>;
  readonly examples: readonly LabelledExample[];
  readonly id?: string | undefined;
}

/** Calibrates a judge, or exports labels. */
export async function calibrateOrExport(
  call: StoredCall,
  settings: CalibrateSettings,
): Promise<number> {
  const { judge, labels, exportLabels: target } = settings;
  if (target !== undefined) {
    if (judge !== undefined || labels !== undefined)
      throw usageError('pass --export-labels alone, or --judge and --labels');
    return exportLabels(call, target);
  }
  if (settings.fromAnswers) {
    if (judge !== undefined) throw usageError('pass --from-answers without --judge');
    return calibrateFromAnswers(call, settings);
  }
  if (judge === undefined || labels === undefined)
    throw usageError(
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
  await writeJson(store.files, file, calibration);
  const problems = problemsOf(calibration, settings);
  const kept = store.files.shown(io.cwd, file);
  const said = [...problems.map((problem) => `NOT FIT: ${problem}`), `stored: ${kept}`];
  await tell(io, format, {
    data: { calibration, problems, kept },
    lines: [...calibrationLines(calibration, io), ...said.map(oneLine)],
  });
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
    throw usageError(
      `no criterion ${named} in ${loaded.file ?? 'the criteria that fit the examples'}; ` +
        `the criteria are ${reviewers.map(({ id }) => id).join(', ')}`,
      named,
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
    throw usageError(
      `${file} exports no ${name}; it exports ${names === '' ? 'nothing' : names}`,
      name,
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

/**
 * Calibrates every judge by the answers of people, shows the records, and stores each beside those of
 * `calibrate`, as `JUDGE.answers.json`.
 *
 * @returns The exit code: 1 if the answers say nothing about a judge.
 */
async function calibrateFromAnswers(
  { io, store }: StoredCall,
  { labels: file, format }: { readonly labels?: string | undefined; readonly format: string },
): Promise<number> {
  const labels = [
    ...(await storedLabels(store)).labels,
    ...(file === undefined ? [] : await readLabelFile(io, file)),
  ];
  const { unused } = decidedVerdicts(labels);
  const found = calibrationOfDecisions(labels).filter(({ judge }) => !isOfOneTask(judge.id));
  const judges = new Map<string, Calibration[]>();
  for (const calibration of found) {
    const { id } = calibration.judge;
    judges.set(id, [...(judges.get(id) ?? []), calibration]);
  }
  await store.files.prepare();
  const kept: string[] = [];
  for (const [id, calibrations] of judges) {
    const path = join('calibration', `${calibrationFileName(id)}.answers.json`);
    await writeJson(store.files, path, calibrations);
    kept.push(store.files.shown(io.cwd, path));
  }
  await tell(io, format, {
    data: { calibrations: found, unused, kept },
    lines: [
      ...(found.length === 0 ? [nothingDecided] : []),
      ...found.flatMap((calibration) => calibrationLines(calibration, io)),
      unusedLine(unused),
      ...kept.map((path) => oneLine(`stored: ${path}`)),
    ],
  });
  return found.length === 0 ? 1 : 0;
}

const nothingDecided =
  'no answer of a person is about the verdict of a judge: ' +
  'answer reviews with `reviewloop answer ID decide CRITERION=yes`, or name a file with --labels';

function unusedLine({ overridden, contradictory, repeated, unattributed }: UnusedLabels): string {
  return [
    `not used: ${plural(overridden, 'override')}`,
    `${contradictory} contradictory`,
    `${repeated} repeated`,
    `${unattributed} about no single judge`,
  ].join(', ');
}

interface Judged {
  readonly done: number;
  readonly usage: Usage;
}

class CalibrationProgress {
  readonly #view: LiveView;
  readonly #judge: string;
  readonly #total: number;
  #judged: Judged = { done: 0, usage: {} };

  constructor(
    io: ViewIo,
    about: { readonly judge: string; readonly total: number; readonly clock?: Clock },
  ) {
    const { judge, total, clock } = about;
    this.#judge = judge;
    this.#total = total;
    this.#view = new LiveView(
      io,
      {
        rows: ({ columns }) => [headRow(this.#view.elapsedMs, this.#parts(), columns)],
        heartbeat: () => [durationText(this.#view.elapsedMs), ...this.#parts()].join(', '),
      },
      clock,
    );
    this.#view.start();
  }

  update(judged: Judged): void {
    this.#judged = judged;
    this.#view.changed();
  }

  stop(): void {
    this.#view.stop();
  }

  #parts(): string[] {
    const { done, usage } = this.#judged;
    const judged = `${done}/${this.#total} judged by ${this.#judge}`;
    return [judged, ...usageTexts(usage), ...this.#left(done)];
  }

  #left(done: number): string[] {
    if (done === 0 || done >= this.#total) return [];
    const ms = (this.#view.elapsedMs / done) * (this.#total - done);
    return ms < 1000 ? [] : [`about ${durationText(ms)} left`];
  }
}
