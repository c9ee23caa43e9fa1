import { resolve } from 'node:path';
import { chooseCriteria } from '../../cli-kit/criteria/choose-criteria.js';
import { artifactTypes } from '../../cli-kit/inputs/artifact-type.js';
import { readInputs } from '../../cli-kit/inputs/read-inputs.js';
import { listedSource, readTask, taskRequirements } from '../../cli-kit/inputs/read-task.js';
import type { Io } from '../../cli-kit/io.js';
import { outcomeExitCode } from '../../cli-kit/outcome-exit-code.js';
import {
  chooseLimited,
  providerFor,
  providerLimits,
} from '../../cli-kit/provider/choose-provider.js';
import { warnAboutSecrets } from '../../cli-kit/secrets/unused-allowances.js';
import { withAdvice } from '../../cli-kit/show/error-text.js';
import { JudgeTimes } from '../../cli-kit/show/judge-times.js';
import { Progress } from '../../cli-kit/show/progress.js';
import { restoreText } from '../../cli-kit/watchdog/restore-text.js';
import { noWatchdog, startWatchdog, type Watchdog } from '../../cli-kit/watchdog/watchdog.js';
import type { Config } from '../../config/config.js';
import { loadAllowedSecrets } from '../../config/load-allowed-secrets.js';
import { loadConfig } from '../../config/load-config.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { Outcome } from '../../core/outcome.js';
import { nodeErrors } from '../../node/errors.js';
import { systemClock } from '../../ports/clock.js';
import { systemRandom } from '../../ports/random.js';
import { reportRun } from '../../reports/report-run.js';
import { type RunRecorder, recordRun } from '../../reports/run-recorder.js';
import type { ScoreBar } from '../../reports/run-report.js';
import { thresholdBars } from '../../reports/threshold-bars.js';
import type { AgentOutput } from '../../self-review/agent.js';
import { sanitise } from '../../terminal/sanitise.js';
import { aboutReview } from './about-review.js';
import { askingFiles } from './asking-files.js';
import { chooseTrust } from './choose-trust.js';
import { filePipeline } from './file-pipeline.js';
import { informWatchdog } from './inform-watchdog.js';
import type { PreparedReview, ReviewRun, ReviewSettings } from './review-settings.js';
import { requestOf, saveRequest } from './run-request.js';
import { saveReview } from './save-review.js';
import { lonelyJudgeWarning } from './trusted-files.js';
import { changedFiles } from './write-back.js';

/**
 * Reviews files, in a loop if `fix` is set. Then it shows and stores the result.
 *
 * @returns The exit code.
 * @throws ReviewLoopError for usage errors, and if a file cannot be written
 */
export async function runReview(io: Io, run: ReviewRun): Promise<number> {
  const { watchdogEntry, settings, store } = run;
  const watchdog =
    watchdogEntry === undefined
      ? noWatchdog
      : startWatchdog(watchdogEntry, {
          timeoutMs: settings.checkTimeout * 1000,
          restore: restoreText(io),
        });
  const progress = settings.quiet ? undefined : new Progress(io);
  try {
    progress?.waitFor('reading files');
    const prepared = await prepare(io, run, watchdog);
    await store.prepare();
    const times = new JudgeTimes(store.files, 'review');
    progress?.expect(times.expected());
    const performed = await perform(io, prepared, { watchdog, progress, times });
    await times.save();
    const { outcome, at, durationMs, fixers, recorder } = performed;
    progress?.waitFor('storing the run');
    const changed = changedFiles(prepared.inputs.sources, outcome.output);
    const exitCode = outcomeExitCode(outcome, settings.failOn);
    const report = reportRun(withAdvice(outcome), {
      ...aboutReview(prepared),
      at,
      durationMs,
      exitCode,
      fixers,
      changed: changed.map(({ source }) => source.path),
      written: [],
      judges: recorder.judges(),
      bars: barsOf(prepared.loaded.config.policy),
    });
    return await saveReview(io, {
      progress,
      prepared,
      report,
      changed,
      output: outcome.output,
      versions: recorder.versions(),
    });
  } finally {
    progress?.stop();
    await watchdog.stop();
  }
}

async function prepare(io: Io, run: ReviewRun, watchdog: Watchdog): Promise<PreparedReview> {
  const { settings, store } = run;
  const { config, paths, maxFileSize, maxFiles } = settings;
  checkTogether(settings);
  watchdog.send({ kind: 'begin', call: { of: 'configuration' } });
  const loaded =
    config === false
      ? { config: {}, file: undefined }
      : await loadConfig(io.cwd, config === undefined ? undefined : resolve(io.cwd, config));
  if (settings.fix && loaded.config.commands?.some(({ cwd }) => cwd !== undefined) === true)
    throw new ReviewLoopError(
      nodeErrors.usage,
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
    throw new ReviewLoopError(
      nodeErrors.usage,
      'the standard input cannot be both the task and a file',
    );
  if (iterations !== undefined && !fix)
    throw new ReviewLoopError(nodeErrors.usage, '--iterations requires --fix');
}

/** Returns the scores that approval needs; those of a policy that is a function are unknown. */
function barsOf(policy: Config['policy']): ScoreBar[] {
  return typeof policy === 'function' ? [] : thresholdBars(policy);
}

interface Performed {
  readonly outcome: Outcome<AgentOutput>;
  readonly at: string;
  readonly durationMs: number;
  /** The ids of the gaps for which a fixer changed something. */
  readonly fixers: ReadonlySet<string>;
  readonly recorder: RunRecorder;
}

/** What follows a run while it works. */
interface Watchers {
  readonly watchdog: Watchdog;
  readonly progress: Progress | undefined;
  readonly times: JudgeTimes;
}

async function perform(
  io: Io,
  prepared: PreparedReview,
  { watchdog, progress, times }: Watchers,
): Promise<Performed> {
  const { settings, task, loaded, criteria, inputs } = prepared;
  const runId = systemRandom.id();
  const limit = providerLimits(loaded.config.limits, prepared.store.limits);
  const provider = await chooseLimited(io, providerFor(settings, loaded.config), {
    quiet: settings.quiet || prepared.example,
    limit,
  });
  const trusting = await chooseTrust(settings, loaded.config, (choice) =>
    chooseLimited(io, choice, { quiet: true, limit }),
  );
  const reviewers = await askingFiles(io.cwd, loaded.config, criteria.reviewers);
  await saveRequest(prepared.store.files, requestOf(runId, io.cwd, prepared));
  const warning = settings.quiet ? undefined : lonelyJudgeWarning(trusting, provider);
  if (warning !== undefined) io.err(`${sanitise(warning)}\n`);
  const pipeline = filePipeline({
    settings,
    store: prepared.store,
    config: loaded.config,
    reviewers,
    produce: async () => inputs.output,
    watchdog,
    provider,
    trusting,
    allowEmpty: prepared.session !== undefined,
  });
  const startedAt = systemClock.now();
  const at = new Date(startedAt).toISOString();
  const fixers = new Set<string>();
  pipeline.on('fix-apply', ({ gap }) => void fixers.add(gap));
  informWatchdog(pipeline, prepared, at, watchdog);
  const recorder = recordRun(pipeline, { reviewers: criteria.reviewers });
  progress?.follow(pipeline);
  times.follow(pipeline);
  const outcome = await pipeline.run(task.request, { runId, signal: io.signal });
  const durationMs = Math.max(0, systemClock.now() - startedAt);
  return { outcome, at, durationMs, fixers, recorder };
}
