import { join, resolve } from 'node:path';
import { chooseCriteria } from '../../cli-kit/criteria/choose-criteria.js';
import { exitCodeOf } from '../../cli-kit/exit-codes.js';
import { artifactTypes } from '../../cli-kit/inputs/artifact-type.js';
import { readInputs } from '../../cli-kit/inputs/read-inputs.js';
import { readTask } from '../../cli-kit/inputs/read-task.js';
import type { PreparedReview, ReviewSettings } from '../../cli-kit/inputs/review-settings.js';
import type { Io } from '../../cli-kit/io.js';
import { ownPaths, prepareRuns } from '../../cli-kit/kept-runs.js';
import { chooseProvider, providerChoice } from '../../cli-kit/provider/choose-provider.js';
import { Progress } from '../../cli-kit/show/progress.js';
import { noWatchdog, startWatchdog, type Watchdog } from '../../cli-kit/watchdog/watchdog.js';
import { loadConfig } from '../../config/load-config.js';
import { ReviewLoopError } from '../../core/errors.js';
import { digestOf } from '../../core/json.js';
import type { Outcome } from '../../core/outcome.js';
import type { Pipeline } from '../../pipeline/pipeline-options.js';
import { systemClock } from '../../ports/clock.js';
import { systemRandom } from '../../ports/random.js';
import { reportAssessment, reportReview } from '../../reports/report-review.js';
import { reportRun } from '../../reports/report-run.js';
import { saveRequest } from '../../reports/run-request.js';
import type { AgentOutput, AgentRequest } from '../../self-review/agent.js';
import { sanitise } from '../../terminal/sanitise.js';
import { chooseTrust } from './choose-trust.js';
import { filePipeline } from './file-pipeline.js';
import { finishReview } from './finish-review.js';
import { requestOf } from './request-of.js';
import { twinWarning } from './trusted-files.js';
import { changedFiles } from './write-back.js';

/**
 * Reviews files, with `fix` in a loop, shows the result and keeps it.
 *
 * @returns The exit code.
 * @throws ReviewLoopError for wrong use and for what cannot be written
 */
export async function runReview(io: Io, settings: ReviewSettings): Promise<number> {
  const { watchdogEntry, checkTimeoutMs } = settings;
  const watchdog =
    watchdogEntry === undefined
      ? noWatchdog
      : startWatchdog(watchdogEntry, { timeoutMs: checkTimeoutMs });
  try {
    const prepared = await prepare(io, settings, watchdog);
    await prepareRuns(settings.store);
    const { outcome, at, durationMs, fixers } = await perform(io, prepared, watchdog);
    const changed = changedFiles(prepared.inputs.sources, outcome.output);
    const exitCode = exitCodeOf(outcome, settings.failOn);
    const report = reportRun(outcome, {
      ...about(prepared),
      at,
      durationMs,
      exitCode,
      fixers,
      changed: changed.map(({ source }) => source.path),
      written: [],
    });
    return await finishReview(io, { prepared, report, changed, output: outcome.output });
  } finally {
    await watchdog.stop();
  }
}

async function prepare(
  io: Io,
  settings: ReviewSettings,
  watchdog: Watchdog,
): Promise<PreparedReview> {
  const { config, paths, maxFileSize, maxFiles } = settings;
  checkTogether(settings);
  watchdog.tell({ kind: 'begin', call: { of: 'configuration' } });
  const loaded =
    config === false
      ? { config: {}, file: undefined }
      : await loadConfig(io.cwd, config === undefined ? undefined : resolve(io.cwd, config));
  if (settings.fix && loaded.config.commands?.some(({ cwd }) => cwd !== undefined) === true)
    throw new ReviewLoopError(
      'usage',
      '--fix makes versions that are not on the disk, which a command with `cwd` judges: leave its `cwd` out',
    );
  const task = await readTask(io, settings);
  const own = [task.source, loaded.file, ...ownPaths(settings.store)].filter(
    (path) => path !== undefined,
  );
  const inputs = await readInputs(io, paths, {
    maxFileSize,
    maxFiles,
    exclude: settings.exclude,
    typeOf: artifactTypes(settings.types),
    own,
  });
  const asksModel = providerChoice(settings.provider, loaded.config) !== undefined;
  const criteria = await chooseCriteria({
    cwd: io.cwd,
    output: inputs.output,
    option: settings.criteria,
    config: loaded.config,
    configFile: loaded.file,
    asksModel,
  });
  watchdog.tell({ kind: 'end', call: { of: 'configuration' } });
  return { settings, loaded, task, inputs, criteria };
}

function checkTogether({ paths, task, iterations, fix }: ReviewSettings): void {
  if (paths.includes('-') && task === '-')
    throw new ReviewLoopError('usage', 'the standard input cannot be both the task and a file');
  if (iterations !== undefined && !fix)
    throw new ReviewLoopError(
      'usage',
      '--iterations bounds a loop, which there is with --fix only',
    );
}

interface Performed {
  readonly outcome: Outcome<AgentOutput>;
  readonly at: string;
  readonly durationMs: number;
  /** The ids of gaps that a fixer changed something for. */
  readonly fixers: ReadonlySet<string>;
}

async function perform(io: Io, prepared: PreparedReview, watchdog: Watchdog): Promise<Performed> {
  const { settings, task, loaded, criteria, inputs } = prepared;
  const runId = systemRandom.id();
  await saveRequest(settings.store, requestOf(runId, io.cwd, prepared));
  const provider = await chooseProvider(
    io,
    providerChoice(settings.provider, loaded.config),
    settings.quiet || settings.example,
  );
  const trusting = await chooseTrust(io, settings, loaded.config);
  const warning = settings.quiet ? undefined : twinWarning(criteria.reviewers, trusting, provider);
  if (warning !== undefined) io.err(`${sanitise(warning)}\n`);
  const pipeline = filePipeline({
    settings,
    config: loaded.config,
    reviewers: criteria.reviewers,
    produce: async () => inputs.output,
    watchdog,
    provider,
    trusting,
  });
  const startedAt = systemClock.now();
  const at = new Date(startedAt).toISOString();
  const fixers = new Set<string>();
  pipeline.on('fix-apply', ({ gap }) => void fixers.add(gap));
  informWatchdog(pipeline, prepared, at, watchdog);
  const progress = settings.quiet ? undefined : new Progress(io);
  progress?.follow(pipeline);
  try {
    const outcome = await pipeline.run(task.request, { runId, signal: io.signal });
    return { outcome, at, durationMs: Math.max(0, systemClock.now() - startedAt), fixers };
  } finally {
    progress?.stop();
  }
}

function about({ task, criteria, inputs }: PreparedReview) {
  const files = inputs.sources.map(({ path, bytes, artifact }) => ({
    path,
    type: artifact.type,
    bytes,
  }));
  return {
    task: { source: task.source },
    criteria: {
      chosen: [...criteria.chosen],
      because: criteria.because,
      ...(criteria.why.length > 0 && { why: [...criteria.why] }),
      names: { ...criteria.names },
    },
    files,
    notReviewed: [...inputs.notReviewed],
  };
}

/** Tells the watchdog what it needs to keep a run that gets stuck. */
function informWatchdog(
  pipeline: Pipeline<AgentRequest, AgentOutput>,
  prepared: PreparedReview,
  at: string,
  watchdog: Watchdog,
): void {
  const { store } = prepared.settings;
  const first = digestOf(prepared.inputs.output);
  pipeline.on('run-start', ({ runId }) => {
    const report = {
      schemaVersion: 1,
      runId,
      at,
      durationMs: 0,
      ...about(prepared),
      coverage: [],
      fixed: [],
      changed: [],
      written: [],
    };
    watchdog.tell({ kind: 'run', file: join(store, 'runs', runId, 'review.json'), report });
  });
  pipeline.on('reviewer-end', ({ assessments }) => {
    const gaps = assessments.flatMap((assessment) => ('gaps' in assessment ? assessment.gaps : []));
    watchdog.tell({
      kind: 'answer',
      assessments: assessments.map(reportAssessment),
      gaps: [...gaps],
    });
  });
  pipeline.on('review-end', ({ review }) =>
    watchdog.tell({ kind: 'review', review: reportReview(review, review.version === first) }),
  );
}
