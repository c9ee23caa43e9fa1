import { resolve } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import { plural } from '../../../core/plural.js';
import type { Reviewer } from '../../../core/reviewer.js';
import { writeFileAtomic } from '../../../node/files.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { calibrate, calibrateJudges } from '../../../products/calibration/calibrate-judges.js';
import type {
  CalibrateOptions,
  LabelledExample,
} from '../../../products/calibration/calibrate-options.js';
import type { Calibration } from '../../../products/calibration/calibration.js';
import {
  calibrationOfDecisions,
  decidedVerdicts,
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
import { loadConfig } from '../../config/load-config.js';
import { loadModule } from '../../config/load-module.js';
import type { calibrateFlags } from './calibration-flags.js';
import { calibrationLines, judgesLines, progressOf } from './calibration-lines.js';
import {
  calibrationFileName,
  calibrationRuns,
  keepRecord,
  readLabelFile,
  storedLabels,
} from './stored-labels.js';

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

async function exportLabels({ io, store }: StoredCall, target: string): Promise<number> {
  const { labels, lost } = await storedLabels(store);
  const text = labels.map((label) => `${JSON.stringify(label)}\n`).join('');
  if (target === '-') await io.out(text);
  else await writeFileAtomic(resolve(io.cwd, target), text);
  const good = labels.filter(({ label }) => label === 'pass').length;
  const counts = `${plural(labels.length, 'label')} (${good} pass, ${labels.length - good} fail)`;
  const missing =
    lost === 0 ? '' : `; skipped ${plural(lost, 'answer')} about versions that were not stored`;
  io.err(`${counts} from ${store.files.shown(io.cwd)}${missing}\n`);
  return 0;
}

/**
 * Shows the records, and stores each beside those of `calibrate`, as `JUDGE.answers.json`.
 *
 * @returns The exit code: 1 if the answers say nothing about a judge.
 */
async function calibrateFromAnswers(
  { io, store }: StoredCall,
  { labels: file, format }: Pick<SettingsOf<typeof calibrateFlags>, 'labels' | 'format'>,
): Promise<number> {
  const labels = [
    ...(await storedLabels(store)).labels,
    ...(file === undefined ? [] : await readLabelFile(io, file)),
  ];
  const { unused } = decidedVerdicts(labels);
  const found = calibrationOfDecisions(labels).filter(({ judge }) => !isOfOneTask(judge.id));
  const kept: string[] = [];
  for (const id of new Set(found.map(({ judge }) => judge.id))) {
    const name = `${calibrationFileName(id)}.answers`;
    const record = found.filter(({ judge }) => judge.id === id);
    kept.push(await keepRecord(store, io.cwd, { name, record }));
  }
  const { overridden, contradictory, repeated, unattributed } = unused;
  await tell(io, format, {
    data: { calibrations: found, unused, kept },
    lines: [
      ...(found.length === 0 ? [nothingDecided] : []),
      ...found.flatMap((calibration) => calibrationLines(calibration, io)),
      `not used: ${plural(overridden, 'override')}, ${contradictory} contradictory, ` +
        `${repeated} repeated, ${unattributed} about no single judge`,
      ...kept.map((path) => oneLine(`stored: ${path}`)),
    ],
  });
  return found.length === 0 ? 1 : 0;
}

const nothingDecided =
  'no answer of a person is about the verdict of a judge: ' +
  'answer reviews with `reviewloop answer ID decide CRITERION=yes`, or name a file with --labels';

type Judge = CalibratableJudge<unknown, unknown>;

interface ChosenJudge {
  readonly judge: Judge;
  readonly examples: readonly LabelledExample[];
  /** The id of a judge that is a plain function. */
  readonly id?: string | undefined;
}

async function chosenJudge(io: Io, settings: Settings): Promise<ChosenJudge> {
  const labels = aboutJudge(await readLabelFile(io, settings.labels), settings);
  const { judge: named } = settings;
  const hash = named.lastIndexOf('#');
  if (hash > 0) return exported(io, [named.slice(0, hash), named.slice(hash + 1)], labels);
  const examples = labels.map(({ task, output, ...label }) => ({
    ...label,
    task: typeof task === 'string' ? agentRequest({ id: label.id, description: task }) : task,
    output: typeof output === 'string' ? textOutput(output) : output,
  }));
  const loaded = await loadConfig(io.cwd, settings.config);
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
  return { judge: judge as Judge, examples };
}

async function exported(
  io: Io,
  [file, name]: readonly [file: string, name: string],
  labels: readonly ReadLabel[],
): Promise<ChosenJudge> {
  const module = await loadModule(resolve(io.cwd, file), file);
  const judge = module[name];
  const names = Object.keys(module).join(', ');
  if (judge === undefined)
    throw usageError(
      `${file} exports no ${name}; it exports ${names === '' ? 'nothing' : names}`,
      name,
    );
  return {
    judge: judge as Judge,
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

function askingReviewer(judge: Judge): Reviewer<unknown, unknown> {
  if (typeof judge === 'object' && 'review' in judge && judge.asks !== undefined) return judge;
  throw usageError(
    '--confirm-with requires a --judge that asks a model, such as llmCriterion(...)',
  );
}
