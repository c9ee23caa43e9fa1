import { relative } from 'node:path';
import { answerOf, type GivenAnswer, questionFor } from '../../cli-kit/answer-question.js';
import { storeFlag } from '../../cli-kit/common-options.js';
import { exitCodeOf } from '../../cli-kit/exit-codes.js';
import type { Io } from '../../cli-kit/io.js';
import { keptRuns } from '../../cli-kit/kept-runs.js';
import { mayOverride, nextCommand } from '../../cli-kit/show/next-command.js';
import { Progress } from '../../cli-kit/show/progress.js';
import { renderReport } from '../../cli-kit/show/render-report.js';
import { shortIdOf } from '../../cli-kit/show/short-id.js';
import { noWatchdog, startWatchdog } from '../../cli-kit/watchdog/watchdog.js';
import { ReviewLoopError } from '../../core/errors.js';
import { type HumanAnswer, isExpired } from '../../core/human.js';
import { digestOf } from '../../core/json.js';
import type { Outcome } from '../../core/outcome.js';
import type { Pipeline } from '../../pipeline/pipeline-options.js';
import { systemClock } from '../../ports/clock.js';
import { redactJson } from '../../redact/redact-json.js';
import { reportRun } from '../../reports/report-run.js';
import { findRun, saveRun } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import { type RunRequest, readRequest } from '../../reports/run-request.js';
import { summaryMarkdown } from '../../reports/summary-markdown.js';
import { answerStage } from '../../reviewer-stage/command/answer-stage.js';
import { readStageRequest } from '../../reviewer-stage/command/stage-request.js';
import type { AgentOutput, AgentRequest } from '../../self-review/agent.js';
import { agentRequest } from '../../self-review/agent.js';
import { paintFor } from '../../terminal/paint.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import { rebuildPipeline } from '../review/rebuild-pipeline.js';
import { type Answered, changedSince, writeBack } from '../review/write-back.js';

/** What `reviewloop answer` is told by its options. */
export interface AnswerSettings extends GivenAnswer {
  /** The run, or a start of its id. */
  readonly id: string;
  /** The folder that keeps runs. */
  readonly store: string;
  readonly format: 'text' | 'json';
  readonly quiet: boolean;
  /** The program's entry file, which runs as the watchdog in a worker; `undefined` for none. */
  readonly watchdogEntry: URL | undefined;
}

/** What of a run is needed to answer it. */
interface Kept {
  readonly settings: AnswerSettings;
  readonly report: RunReport;
  readonly folder: string;
  readonly request: RunRequest;
}

/**
 * Answers a question of a suspended run and goes on with it, or overrides how a run ended; keeps and shows the new outcome.
 *
 * @returns The exit code.
 * @throws ReviewLoopError `run_unknown`, `request_unknown`, `request_expired`, `answer_not_allowed`, `reason_required`, `run_busy`
 */
export async function answerKeptRun(io: Io, settings: AnswerSettings): Promise<number> {
  const { report, folder } = await findRun(settings.store, settings.id);
  const { runId } = report;
  const stage = await readStageRequest(folder);
  if (stage !== undefined) return answerStage(io, settings, { report, request: stage });
  checkAnswerable(report, settings);
  const kept: Kept = {
    settings,
    report,
    folder,
    request: await readRequest(settings.store, runId),
  };
  const { watchdogEntry } = settings;
  const watchdog =
    watchdogEntry === undefined
      ? noWatchdog
      : startWatchdog(watchdogEntry, { timeoutMs: kept.request.checkTimeoutMs });
  try {
    const pipeline = await rebuildPipeline(settings.store, kept.request, watchdog);
    const fixers = new Set(
      report.fixed.filter(({ by }) => by === 'fixer').map(({ gap }) => gap.id),
    );
    pipeline.on('fix-apply', ({ gap }) => void fixers.add(gap));
    const startedAt = systemClock.now();
    const progress = settings.quiet ? undefined : new Progress(io);
    progress?.follow(pipeline);
    const outcome = await goOn(io, pipeline, kept).finally(() => progress?.stop());
    const durationMs = report.durationMs + Math.max(0, systemClock.now() - startedAt);
    return await keep(io, kept, outcome, { fixers, durationMs });
  } finally {
    await watchdog.stop();
  }
}

/** Refuses what no journal needs to be looked at for. */
function checkAnswerable(report: RunReport, { kind }: GivenAnswer): void {
  const { runId, status } = report;
  if (status === 'suspended') return;
  if (report.approved || status === 'accepted')
    throw new ReviewLoopError('request_unknown', `run ${runId} asks nothing: it is ${status}`, {
      value: runId,
    });
  if (!mayOverride(report))
    throw new ReviewLoopError(
      'answer_not_allowed',
      `run ${runId} ended as ${status} with nothing that could be let through`,
      { value: kind },
    );
  if (kind !== 'override')
    throw new ReviewLoopError(
      'answer_not_allowed',
      `run ${runId} asks nothing: it ended as ${status}, and only \`override\` is possible`,
      { value: kind },
    );
}

async function goOn(
  io: Io,
  pipeline: Pipeline<AgentRequest, AgentOutput>,
  kept: Kept,
): Promise<Outcome<AgentOutput>> {
  const { settings, report } = kept;
  const { runId, version } = report;
  const options = { signal: io.signal };
  const answer = answerOf(settings);
  if (report.status !== 'suspended')
    return pipeline.override(
      { runId, digest: version ?? '' },
      { by: settings.by, reason: settings.reason ?? '' },
      options,
    );
  const earlier = await answeredEarlier(kept);
  if (earlier !== undefined) {
    const { status } = await settled(io, pipeline, kept);
    throw new ReviewLoopError(
      'request_unknown',
      `run ${runId} was answered before, with ${earlier.kind} by ${earlier.by}; it has gone on with that, and is ${status} now`,
      { value: runId },
    );
  }
  const expired = report.requests?.find((request) => isExpired(request, systemClock.now()));
  if (expired !== undefined) {
    const { status } = await settled(io, pipeline, kept);
    throw new ReviewLoopError(
      'request_expired',
      `run ${runId} could be answered until ${expired.expiresAt}; it is ${status} now`,
      { value: runId },
    );
  }
  const question = questionFor(report, settings.question);
  return pipeline.answer({ runId, id: question.id, digest: question.digest }, answer, options);
}

/** Goes on with what is recorded, without an answer, and keeps what comes of it. */
async function settled(
  io: Io,
  pipeline: Pipeline<AgentRequest, AgentOutput>,
  kept: Kept,
): Promise<Outcome<AgentOutput>> {
  const { report, request } = kept;
  const { source, text } = request.task;
  const outcome = await pipeline.run(agentRequest({ id: source, description: text }), {
    runId: report.runId,
    signal: io.signal,
  });
  if (outcome.status !== 'cancelled')
    await save(kept, outcome, { fixers: new Set(), durationMs: report.durationMs });
  return outcome;
}

/** The answer that is recorded although the kept report still waits for it: the process that gave it was ended. */
async function answeredEarlier({ settings, report }: Kept): Promise<HumanAnswer | undefined> {
  const records = (await keptRuns(settings.store).store.read(report.runId)) ?? [];
  const open = new Set(report.requests?.map(({ id }) => id));
  for (const record of records)
    if (record.type === 'answer' && open.has(record.id)) return record.answer;
  return undefined;
}

type Measured = { readonly fixers: ReadonlySet<string>; readonly durationMs: number };

/**
 * Writes the new version back where the run was started so, keeps the new outcome and shows it. A run that was cancelled
 * stays as it is kept, to go on with later. What cannot be written is told after everything else.
 */
async function keep(
  io: Io,
  kept: Kept,
  outcome: Outcome<AgentOutput>,
  measured: Measured,
): Promise<number> {
  const { settings } = kept;
  if (outcome.status === 'cancelled') throw new ReviewLoopError('cancelled', outcome.reason);
  const { report, folder, problem } = await save(kept, outcome, measured);
  if (settings.format === 'json') {
    await io.out(`${terminalSafeJson(report)}\n`);
  } else {
    const next = nextCommand(report, {
      again: undefined,
      example: false,
      fix: kept.request.fix,
      fixers: false,
      shortId: await shortIdOf(settings.store, report.runId),
      storeFlag: storeFlag(io.cwd, settings.store),
    });
    await io.out(
      renderReport(report, {
        columns: io.outColumns,
        paint: paintFor(io.colours),
        folder: relative(io.cwd, folder) || folder,
        next,
      }),
    );
  }
  if (problem !== undefined) throw problem;
  return report.exitCode;
}

interface Saved {
  readonly report: RunReport;
  readonly folder: string;
  /** Why the version could not be written back. */
  readonly problem: unknown;
}

async function save(
  { settings, report: before, request, folder }: Kept,
  outcome: Outcome<AgentOutput>,
  measured: Measured,
): Promise<Saved> {
  const { at, task, criteria, files, notReviewed } = before;
  const exitCode = exitCodeOf(outcome, request.failOn);
  const changed = changedPaths(request, outcome.output);
  const { written, problem } = await writtenBack({ request, before, folder }, outcome.output);
  const report = redactJson(
    reportRun(outcome, {
      at,
      task,
      criteria,
      files,
      notReviewed,
      ...measured,
      exitCode,
      changed,
      written,
    }),
  );
  return {
    report,
    problem,
    folder: await saveRun(settings.store, {
      report,
      summary: summaryMarkdown(report, sanitise),
      output: outcome.output,
    }),
  };
}

/** Which files hold the version now. */
async function writtenBack(
  answered: Answered,
  output: AgentOutput | undefined,
): Promise<{ readonly written: string[]; readonly problem?: unknown }> {
  const { request, before } = answered;
  if (!request.write) return { written: [] };
  try {
    const now = await writeBack(await changedSince(answered, output));
    return {
      written: request.files
        .map(({ path }) => path)
        .filter((path) => now.includes(path) || before.written.includes(path)),
    };
  } catch (problem) {
    return { written: [], problem };
  }
}

function changedPaths({ files }: RunRequest, output: AgentOutput | undefined): string[] {
  const contents = new Map(output?.artifacts.map(({ path, content }) => [path, content]));
  return files.flatMap(({ path, digest }) => {
    const content = contents.get(path);
    return content === undefined || digestOf(content) === digest ? [] : [path];
  });
}
