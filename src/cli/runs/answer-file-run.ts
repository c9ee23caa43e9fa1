import type { Io } from '../../cli-kit/io.js';
import { JudgeTimes } from '../../cli-kit/show/judge-times.js';
import { Progress } from '../../cli-kit/show/progress.js';
import { restoreText } from '../../cli-kit/watchdog/restore-text.js';
import { noWatchdog, startWatchdog } from '../../cli-kit/watchdog/watchdog.js';
import type { Outcome } from '../../core/outcome.js';
import type { Pipeline } from '../../pipeline/pipeline-options.js';
import { systemClock } from '../../ports/clock.js';
import { type RunRecorder, recordRun } from '../../reports/run-recorder.js';
import type { RunReport } from '../../reports/run-report.js';
import type { AgentOutput, AgentRequest } from '../../self-review/agent.js';
import { rebuildPipeline } from '../review/rebuild-pipeline.js';
import type { AnsweredRun } from './answered-run.js';
import { endAnswer } from './save-answer.js';

/** A run of files, and how it goes on. */
export interface ContinuedRun {
  readonly answered: AnsweredRun;
  readonly act: (
    pipeline: Pipeline<AgentRequest, AgentOutput>,
    recorder: RunRecorder,
  ) => Promise<Outcome<AgentOutput>>;
}

/** Continues a run of files, with a watchdog, and returns the exit code. */
export async function answerFileRun(
  io: Io,
  watchdogEntry: URL | undefined,
  { answered, act }: ContinuedRun,
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
    const times = new JudgeTimes(settings.store.files, 'review');
    progress?.expect(times.expected());
    progress?.follow(pipeline);
    times.follow(pipeline);
    const outcome = await act(pipeline, recorder).finally(() => progress?.stop());
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
