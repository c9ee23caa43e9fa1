import { resolve } from 'node:path';
import type { CommandCall } from '../../cli-kit/flags/command.js';
import type { Io } from '../../cli-kit/io.js';
import { checkReports } from '../../cli-kit/reports/report-flag.js';
import { JudgeTimes } from '../../cli-kit/show/judge-times.js';
import { mayOverride } from '../../cli-kit/show/next-command.js';
import { Progress } from '../../cli-kit/show/progress.js';
import { storeFolder } from '../../cli-kit/store-folder.js';
import { userName } from '../../cli-kit/user-name.js';
import { restoreText } from '../../cli-kit/watchdog/restore-text.js';
import { noWatchdog, startWatchdog } from '../../cli-kit/watchdog/watchdog.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { HumanAnswerKind } from '../../core/human.js';
import { engineErrors } from '../../engine/errors.js';
import { systemClock } from '../../ports/clock.js';
import { findRun } from '../../reports/run-folder.js';
import { recordRun } from '../../reports/run-recorder.js';
import type { RunReport } from '../../reports/run-report.js';
import { answerStage } from '../../reviewer-stage/command/answer-stage.js';
import { readStageRequest } from '../../reviewer-stage/command/stage-request.js';
import { answerTask } from '../../task-review/command/answer-task.js';
import { taskOfRun } from '../../task-review/command/task-record.js';
import { rebuildPipeline } from '../review/rebuild-pipeline.js';
import { readRequest } from '../review/run-request.js';
import type { AnsweredRun, AnswerSettings } from './answered-run.js';
import { continueRun } from './continue-run.js';
import { reasonFor } from './reason-for.js';
import { endAnswer } from './save-answer.js';

/** The flags of `reviewloop answer`. */
interface AnswerFlags {
  readonly id: string;
  readonly answer: HumanAnswerKind;
  readonly decisions?: readonly string[] | undefined;
  readonly reason: string | undefined;
  readonly by: string | undefined;
  readonly question: string | undefined;
  readonly value?: string | undefined;
  readonly format: 'text' | 'json';
  readonly quiet: boolean;
  readonly report: readonly string[];
  readonly store: string;
}

/**
 * Answers a question of a suspended run and continues it, or overrides the decision of an ended
 * run. The run may be of a task, a diff or files.
 *
 * @returns The exit code.
 * @throws ReviewLoopError `run_unknown`, `request_unknown`, `request_expired`,
 *   `answer_not_allowed`, `reason_required`, `run_busy`
 */
export async function answerRun({ io, entry }: CommandCall, flags: AnswerFlags): Promise<number> {
  const { id, answer: kind, by = userName() } = flags;
  await checkReports(flags.report, io.cwd);
  const store = resolve(io.cwd, storeFolder(flags.store));
  const given: AnswerSettings = { ...flags, kind, by, store };
  const task = await taskOfRun(store, id);
  if (task !== undefined) return answerTask(io, task, given);
  const { report, folder } = await findRun(store, id);
  const settings = { ...given, reason: await reasonFor(io, given, report) };
  const request = await readStageRequest(folder);
  if (request !== undefined) return answerStage(io, settings, { report, request });
  refuseUnanswerable(report, kind);
  return answerFileRun(io, io.watched ? entry : undefined, {
    settings,
    report,
    folder,
    request: await readRequest(store, report.runId),
  });
}

/** Answers a run of files, with a watchdog. */
async function answerFileRun(
  io: Io,
  watchdogEntry: URL | undefined,
  answered: AnsweredRun,
): Promise<number> {
  const { settings, request, report } = answered;
  const watchdog =
    watchdogEntry === undefined
      ? noWatchdog
      : startWatchdog(watchdogEntry, {
          timeoutMs: request.checkTimeout * 1000,
          restore: restoreText(io),
        });
  try {
    const pipeline = await rebuildPipeline(settings.store, request, watchdog);
    const fixers = new Set(
      report.fixed.filter(({ by }) => by === 'fixer').map(({ gap }) => gap.id),
    );
    pipeline.on('fix-apply', ({ gap }) => void fixers.add(gap));
    const startedAt = systemClock.now();
    const shown = report.reviews.length;
    const recorder = recordRun(pipeline, { reviewers: tiersOf(report) });
    const progress = settings.quiet ? undefined : new Progress(io, { shown });
    const times = new JudgeTimes(settings.store, 'review');
    progress?.expect(times.expected());
    progress?.follow(pipeline);
    times.follow(pipeline);
    const outcome = await continueRun(io, pipeline, { ...answered, recorder }).finally(() =>
      progress?.stop(),
    );
    await times.save();
    const durationMs = report.durationMs + Math.max(0, systemClock.now() - startedAt);
    return await endAnswer(io, answered, { outcome, fixers, durationMs, recorder });
  } finally {
    await watchdog.stop();
  }
}

/** Returns what the judges of a run judge with, as its report says. */
function tiersOf({ judges = [] }: RunReport) {
  return judges.flatMap(({ id, tier }) => (tier === undefined ? [] : [{ id, tier }]));
}

/** Refuses answers that no content of the journal could allow. */
function refuseUnanswerable(report: RunReport, kind: HumanAnswerKind): void {
  const { runId, status } = report;
  if (status === 'suspended' || (kind === 'decide' && report.undecided.length > 0)) return;
  if (report.approved || status === 'accepted')
    throw new ReviewLoopError(
      engineErrors.request_unknown,
      `run ${runId} asks no question: it is ${status}`,
      {
        value: runId,
      },
    );
  if (!mayOverride(report))
    throw new ReviewLoopError(
      engineErrors.answer_not_allowed,
      `run ${runId} is ${status} and has no version to accept`,
      { value: kind },
    );
  const takes = report.undecided.length > 0 ? '`override` or `decide`' : '`override`';
  if (kind !== 'override')
    throw new ReviewLoopError(
      engineErrors.answer_not_allowed,
      `run ${runId} asks no question: it is ${status}, and takes only ${takes}`,
      { value: kind },
    );
}
