import { join } from 'node:path';
import { isBuiltIn } from '../../../blocks/criteria/artifact-criterion.js';
import type { Pipeline } from '../../../blocks/pipeline/pipeline-options.js';
import { isSameModel } from '../../../blocks/reviewers/confirm.js';
import { requirementCriterion } from '../../../blocks/reviewers/covered-requirement.js';
import { type Gap, isOpen } from '../../../core/gap.js';
import { digestOf } from '../../../core/json.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import { sanitise } from '../../../node/terminal/sanitise.js';
import { systemClock } from '../../../ports/clock.js';
import { systemRandom } from '../../../ports/random.js';
import type { AgentOutput, AgentRequest } from '../../../products/self-review/agent.js';
import { chooseCriteria } from '../../cli-kit/criteria/choose-criteria.js';
import { usageError } from '../../cli-kit/errors.js';
import { artifactTypes, readInputs } from '../../cli-kit/inputs/read-inputs.js';
import {
  listedSource,
  type ReadTask,
  readTask,
  type TaskRequirements,
  taskRequirements,
} from '../../cli-kit/inputs/read-task.js';
import type { Io } from '../../cli-kit/io.js';
import { chooseLimited, providerLimits } from '../../cli-kit/provider/choose-provider.js';
import { providerFor } from '../../cli-kit/provider/provider-choice.js';
import { carryOut } from '../../cli-kit/runs/carry-out.js';
import type { RunCall } from '../../cli-kit/runs/run-kind.js';
import { warnAboutSecrets } from '../../cli-kit/secrets/find-secrets.js';
import { quoted } from '../../cli-kit/show/listing.js';
import type { Watchdog } from '../../cli-kit/watchdog/watchdog.js';
import type { Config } from '../../config/config.js';
import { loadAllowedSecrets } from '../../config/load-allowed-secrets.js';
import { loadConfig } from '../../config/load-config.js';
import { reportAssessment, reportReview } from '../../reports/report-run.js';
import { saveRequest } from '../../reports/run-folder.js';
import type { RunReport, ScoreBar } from '../../reports/run-report.js';
import { thresholdBars } from '../../reports/verdict-counts.js';
import { askingFiles, chooseTrust, filePipeline, type TrustChoice } from './file-pipeline.js';
import { fileRun, withWatchdog } from './file-run.js';
import type { PreparedReview, ReviewRun, ReviewSettings } from './review-settings.js';
import { againArguments, requestOf } from './run-request.js';

export async function runReview(io: Io, run: ReviewRun): Promise<number> {
  const { settings, store, shownFrom: cwd, watchdogEntry } = run;
  const { format, quiet, report, require } = settings;
  const shown = { format, quiet, report, require };
  const call: RunCall = { io, store, watchdogEntry, cwd, ...shown };
  return withWatchdog(call, settings, (watchdog) =>
    carryOut(call, {
      times: 'review',
      open: async (waitFor) => {
        waitFor('reading files');
        const prepared = await prepare(io, run, watchdog);
        await store.prepare();
        return opened(call, prepared, watchdog);
      },
    }),
  );
}

async function prepare(io: Io, run: ReviewRun, watchdog: Watchdog): Promise<PreparedReview> {
  const { settings, store } = run;
  const { config, paths, maxFileSize, maxFiles } = settings;
  checkTogether(settings);
  watchdog.send({ kind: 'begin', call: { of: 'configuration' } });
  const loaded = await loadConfig(io.cwd, config);
  if (settings.fix && loaded.config.commands?.some(({ cwd }) => cwd !== undefined) === true)
    throw usageError(
      '--fix cannot be used with a command that has `cwd`: the fixed files are not on the disk; remove its `cwd`',
    );
  const task = await readTask(io, settings);
  const requirements = await taskRequirements(io, task, settings.requirements);
  const secrets = await loadAllowedSecrets(io.cwd, loaded);
  if (!settings.quiet) await warnAboutSecrets(io, secrets.entries);
  const files = [task.source, requirements?.file, loaded.file, secrets.baseline];
  const own = [...files, ...store.own].filter((path) => path !== undefined);
  const inputs =
    run.session?.inputs ??
    (await readInputs(io, paths, {
      maxFileSize,
      maxFiles,
      exclude: settings.exclude,
      typeOf: artifactTypes(settings.type),
      own,
    }));
  const chosen = providerFor(settings, loaded.config);
  const chosenCriteria = await chooseCriteria({
    cwd: io.cwd,
    output: inputs.output,
    options: settings.criteria,
    config: loaded.config,
    configFile: loaded.file,
    asksModel: chosen !== undefined,
    requirements:
      settings.requirements === false ? false : requirements && listedSource(requirements.list),
    words: settings.words,
    pages: settings.pages,
  });
  watchdog.send({ kind: 'end', call: { of: 'configuration' } });
  const { reviewers } = chosenCriteria;
  const criteria = { ...chosenCriteria, reviewers: run.session?.judge(reviewers) ?? reviewers };
  return { ...run, loaded, task, requirements, inputs, criteria };
}

function checkTogether({ paths, task, iterations, fix }: ReviewSettings): void {
  if (paths.includes('-') && task === '-')
    throw usageError('the standard input cannot be both the task and a file');
  if (iterations !== undefined && !fix) throw usageError('--iterations requires --fix');
}

/** The bars of a policy that is a function are unknown. */
function barsOf(policy: Config['policy']): ScoreBar[] {
  return typeof policy === 'function' ? [] : thresholdBars(policy);
}

async function opened(call: RunCall, prepared: PreparedReview, watchdog: Watchdog) {
  const { io, quiet } = call;
  const { settings, store, task, loaded, criteria, inputs } = prepared;
  const limit = providerLimits(loaded.config.limits, store.limits);
  const provider = await chooseLimited(io, providerFor(settings, loaded.config), {
    quiet: quiet || prepared.example,
    limit,
  });
  const trusting = await chooseTrust(settings, loaded.config, (choice) =>
    chooseLimited(io, choice, { quiet: true, limit }),
  );
  const reviewers = await askingFiles(io.cwd, loaded.config, criteria.reviewers);
  const runId = systemRandom.id();
  const request = requestOf(runId, io.cwd, prepared);
  await saveRequest(store.files, request);
  const warning = quiet ? undefined : lonelyJudgeWarning(trusting, provider);
  if (warning !== undefined) io.err(`${sanitise(warning)}\n`);
  const pipeline = await filePipeline({
    settings,
    store,
    config: loaded.config,
    reviewers,
    produce: async () => inputs.output,
    watchdog,
    provider,
    trusting,
    allowEmpty: prepared.session !== undefined,
  });
  const at = new Date(systemClock.now()).toISOString();
  informWatchdog(pipeline, prepared, at, watchdog);
  return fileRun(call, {
    request,
    pipeline,
    act: async () => ({ result: await pipeline.run(task.request, { runId, signal: io.signal }) }),
    judges: criteria.reviewers,
    about: { ...aboutReview(prepared), at, bars: barsOf(loaded.config.policy) },
    ways: async ({ gaps }, output) => ({
      again: againArguments(prepared),
      example: prepared.example,
      fix: settings.fix,
      fixable: !settings.fix && (await canFix(prepared, { gaps, output }, io.signal)),
      model: asksModel(prepared),
    }),
  });
}

function lonelyJudgeWarning(
  { trust, confirmWith }: TrustChoice,
  provider: LLMProvider | undefined,
): string | undefined {
  const judges = provider === undefined ? confirmWith : [provider, ...confirmWith];
  const [one, ...others] = judges;
  if (trust === undefined || one === undefined) return undefined;
  if (others.some((other) => !isSameModel(other, one))) return undefined;
  return `--trust ${trust}: ${one.id} judges alone, so a text needs one pass: pass models of other families with --confirm-with, or set a stricter bar (scale, passFrom)`;
}

export interface Reviewed {
  readonly gaps: readonly Gap[];
  readonly output: AgentOutput | undefined;
}

function asksModel({ settings, loaded }: PreparedReview): boolean {
  return providerFor(settings, loaded.config) !== undefined;
}

/**
 * A model works on the gaps, or a fixer applies to one. A fixer of the user counts without being
 * called, because it may cost something.
 */
async function canFix(
  prepared: PreparedReview,
  { gaps, output }: Reviewed,
  signal: AbortSignal,
): Promise<boolean> {
  const open = gaps.filter(isOpen);
  const revises = prepared.loaded.config.address !== undefined || asksModel(prepared);
  if (revises && open.some(({ autoFixable }) => autoFixable)) return true;
  for (const gap of open)
    if (output !== undefined && (await applies(prepared, { gap, output, signal }))) return true;
  return false;
}

async function applies(
  { criteria, task }: PreparedReview,
  {
    gap,
    output,
    signal,
  }: { readonly gap: Gap; readonly output: AgentOutput; readonly signal: AbortSignal },
): Promise<boolean> {
  const owner = criteria.reviewers.find(({ id }) => id === (gap.raisedBy ?? gap.criterionId));
  if (owner?.fix === undefined) return false;
  if (!isBuiltIn(owner)) return true;
  try {
    const fixed = await owner.fix(output, gap, { task: task.request, signal });
    return digestOf(fixed) !== digestOf(output);
  } catch {
    return false;
  }
}

function informWatchdog(
  pipeline: Pipeline<AgentRequest, AgentOutput>,
  prepared: PreparedReview,
  at: string,
  watchdog: Watchdog,
): void {
  // a database cannot be asked while this thread is stuck
  const store = prepared.store.local(prepared.shownFrom);
  const first = digestOf(prepared.inputs.output);
  const about = aboutReview(prepared);
  pipeline.on('run-start', ({ runId }) => {
    const report = {
      schemaVersion: 1,
      runId,
      at,
      durationMs: 0,
      ...about,
      coverage: [],
      fixed: [],
      changed: [],
      written: [],
    };
    watchdog.send({ kind: 'run', file: join(store, 'runs', runId, 'review.json'), report });
  });
  pipeline.on('reviewer-end', ({ assessments }) => {
    const gaps = assessments.flatMap((assessment) => ('gaps' in assessment ? assessment.gaps : []));
    watchdog.send({
      kind: 'answer',
      assessments: assessments.map(reportAssessment),
      gaps: [...gaps],
    });
  });
  pipeline.on('review-end', ({ review }) =>
    watchdog.send({
      kind: 'review',
      review: reportReview(review, review.version === first, about.requirements?.ids),
    }),
  );
}

function aboutReview({ task, requirements, criteria, inputs }: PreparedReview) {
  const files = inputs.sources.map(({ path, bytes, artifact }) => ({
    path,
    type: artifact.type,
    bytes,
  }));
  return {
    task: { source: task.source, text: task.request.context.task.description ?? '' },
    ...(requirements && { requirements: reportRequirements(requirements, task) }),
    criteria: {
      chosen: [...criteria.chosen],
      reason: criteria.reason,
      ...(criteria.why.length > 0 && { why: [...criteria.why] }),
      names: { ...criteria.names },
    },
    files,
    notReviewed: [...inputs.notReviewed],
  };
}

function reportRequirements(
  { file, list, taskChanged }: TaskRequirements,
  { source, file: taskFile }: ReadTask,
): NonNullable<RunReport['requirements']> {
  const leftOut = list.filter(({ strength }) => strength === 'OUT').map(({ text }) => text);
  const task = taskFile === undefined ? '--task-text TEXT' : quoted(taskFile);
  const warning =
    `${source} has changed since ${file} was written; to see what differs, run ` +
    `\`reviewloop requirements ${task} --write ${quoted(file)}\``;
  return {
    file,
    judged: list.length - leftOut.length,
    leftOut,
    ids: Object.fromEntries(list.map(({ id, text }) => [requirementCriterion(text), id])),
    taskChanged,
    ...(taskChanged && { warning }),
  };
}
