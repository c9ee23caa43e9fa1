import { ReviewLoopError } from '../../../core/errors.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { systemClock } from '../../../ports/clock.js';
import { runPath, saveRun } from '../../reports/run-folder.js';
import { withEarlierTimes } from '../../reports/run-recorder.js';
import type { RunReport } from '../../reports/run-report.js';
import { onlyChecksPassed } from '../outcome-exit-code.js';
import { reportRuns } from '../reports/report-flag.js';
import { JudgeTimes } from '../show/judge-times.js';
import { waysOfReader } from '../show/next-command.js';
import { Progress } from '../show/progress.js';
import type { Acted, OpenRun, RunCall } from './run-kind.js';

export interface CarriedRun<Result> {
  readonly times: 'review' | 'diff' | 'tasks';
  /** What is stored about a run that goes on. @default the run is new */
  readonly before?: RunReport | undefined;
  /** Opens it. `waitFor` shows what takes time until then. */
  readonly open: (waitFor: (what: string) => void) => Promise<OpenRun<Result>>;
}

/**
 * Carries out a run of any kind: opens and follows it, writes its version back, stores it, shows
 * its end and writes the reports. A step that fails stops no later one; then it throws.
 */
export async function carryOut<Result>(
  call: RunCall,
  { times: name, before, open }: CarriedRun<Result>,
): Promise<number> {
  const { io, store, quiet } = call;
  const progress = quiet ? undefined : new Progress(io, { shown: before?.reviews.length ?? 0 });
  let opened: OpenRun<Result> | undefined;
  try {
    opened = await open((what) => progress?.waitFor(what));
    const times = new JudgeTimes(store.files, name);
    progress?.expect(times.expected());
    const fixers = fixersIn(before);
    opened.run.on('fix-apply', ({ gap }) => void fixers.add(gap));
    progress?.follow(opened.run);
    times.follow(opened.run);
    const startedAt = systemClock.now();
    const { result, refused } = await measured(opened, times);
    const passed = Math.max(0, systemClock.now() - startedAt);
    const { status, reason } = opened.outcomeOf(result);
    if (before !== undefined && status === 'cancelled')
      throw new ReviewLoopError('cancelled', reason);
    progress?.waitFor('storing the run');
    const durationMs = (before?.durationMs ?? 0) + passed;
    const seen = { fixers, durationMs, stop: () => progress?.stop() };
    const { report, problem } = await end(call, opened, { result, before, refused, seen });
    if (refused !== undefined) throw refused(status);
    if (problem !== undefined) throw problem;
    return report.exitCode;
  } finally {
    progress?.stop();
    await opened?.close?.();
  }
}

async function measured<Result>(
  { act }: Pick<OpenRun<Result>, 'act'>,
  times: JudgeTimes,
): Promise<Acted<Result>> {
  try {
    return await act();
  } finally {
    await times.save();
  }
}

function fixersIn(before: RunReport | undefined): Set<string> {
  const fixed = before?.fixed.filter(({ by }) => by === 'fixer') ?? [];
  return new Set(fixed.map(({ gap }) => gap.id));
}

interface Ending<Result> {
  readonly result: Result;
  readonly before: RunReport | undefined;
  /** Whether it is only stored. */
  readonly refused: unknown;
  readonly seen: {
    readonly fixers: ReadonlySet<string>;
    readonly durationMs: number;
    readonly stop: () => void;
  };
}

async function end<Result>(
  call: RunCall,
  run: OpenRun<Result>,
  { result: acted, before, refused, seen: { stop, ...seen } }: Ending<Result>,
): Promise<{ readonly report: RunReport; readonly problem: unknown }> {
  const { io, store, cwd } = call;
  const problems: unknown[] = [];
  const attempt = async <Value>(work: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await work();
    } catch (error) {
      problems.push(error);
      return undefined;
    }
  };
  const written = (await attempt(async () => run.writeBack?.(acted))) ?? [];
  let folder: string | undefined;
  let known = before;
  const keep = async (result: Result): Promise<RunReport> => {
    const judges = run.recorder.judges();
    const judged = await run.reportOf(result, { ...seen, judges, written });
    const rated: RunReport =
      (call.require === 'checks' || before?.checksPassed) && onlyChecksPassed(judged)
        ? { ...judged, checksPassed: true, exitCode: 0 }
        : judged;
    const ways = (await attempt(async () => run.waysOf?.(result, rated))) ?? [];
    const next = waysOfReader(rated, ways, call);
    const made = { ...rated, ...(next.length > 0 && { next: redactJson([...next]) }) };
    if (run.storedOf === undefined) return made;
    const report = withEarlierTimes(made, known);
    known = report;
    const stored = run.storedOf(result, report);
    folder = await attempt(async () => {
      await saveRun(store.files, { report, ...stored, versions: run.recorder.versions() });
      return store.files.shown(cwd, runPath(report.runId));
    });
    return report;
  };
  let report = await keep(acted);
  if (refused !== undefined) return { report, problem: undefined };
  stop();
  let result = acted;
  if (run.settle !== undefined) {
    result = await run.settle(acted, async (answered) => void (await keep(answered)));
    if (result !== acted) report = await keep(result);
  }
  await attempt(() => run.show(result, report, folder));
  const versions = run.versionsOf?.(result) ?? run.recorder.versions();
  const reported = { reports: [report], store, cwd, versions, from: run.from };
  await attempt(() => reportRuns(io, call.report, reported));
  return { report, problem: problems[0] };
}
