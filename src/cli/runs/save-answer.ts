import type { Io } from '../../cli-kit/io.js';
import { outcomeExitCode } from '../../cli-kit/outcome-exit-code.js';
import { reportRuns } from '../../cli-kit/reports/report-runs.js';
import { withAdvice } from '../../cli-kit/show/error-text.js';
import { nextCommands, shortIdOf } from '../../cli-kit/show/next-command.js';
import { reportText } from '../../cli-kit/show/report-text.js';
import { ReviewLoopError } from '../../core/errors.js';
import { digestOf } from '../../core/json.js';
import type { Outcome } from '../../core/outcome.js';
import { redactJson } from '../../redact/redact-json.js';
import { withEarlierTimes } from '../../reports/earlier-times.js';
import { reportRun } from '../../reports/report-run.js';
import { saveRun } from '../../reports/run-folder.js';
import type { RunRecorder } from '../../reports/run-recorder.js';
import type { RunReport } from '../../reports/run-report.js';
import { runPath } from '../../reports/run-versions.js';
import { summaryMarkdown } from '../../reports/summary-markdown.js';
import type { AgentOutput } from '../../self-review/agent.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import type { RunRequest } from '../review/run-request.js';
import { type Answered, changedSince, writeBack } from '../review/write-back.js';
import type { AnsweredRun } from './answered-run.js';

export interface NewOutcome {
  readonly outcome: Outcome<AgentOutput>;
  /** The ids of the gaps for which a fixer changed something. */
  readonly fixers: ReadonlySet<string>;
  readonly durationMs: number;
  /** What the answered run did; replayed reviews too. */
  readonly recorder: RunRecorder;
}

/**
 * Writes the new version back if the run was started with --write, stores the new outcome and shows
 * it. A cancelled run stays as it is stored and can be continued later. If a file cannot be
 * written, it throws only after the other steps.
 *
 * @returns The exit code.
 */
export async function endAnswer(io: Io, answered: AnsweredRun, ended: NewOutcome): Promise<number> {
  const { settings } = answered;
  const { outcome } = ended;
  if (outcome.status === 'cancelled') throw new ReviewLoopError('cancelled', outcome.reason);
  const saved = await saveAnswer(answered, ended);
  const { report, problem } = saved;
  await io.out(
    settings.format === 'json'
      ? `${terminalSafeJson(report)}\n`
      : await textOf(io, answered, saved),
  );
  const problems: unknown[] = problem === undefined ? [] : [problem];
  await reportRuns(io, settings.report, {
    reports: [report],
    store: settings.store,
    cwd: io.cwd,
  }).catch((error: unknown) => void problems.push(error));
  if (problems.length > 0) throw problems[0];
  return report.exitCode;
}

async function textOf(
  io: Io,
  { settings: { store }, request }: AnsweredRun,
  { report }: Saved,
): Promise<string> {
  const next = nextCommands(report, {
    again: undefined,
    example: false,
    fix: request.fix,
    fixable: false,
    model: request.provider !== undefined,
    shortId: await shortIdOf(store.files, report.runId),
    store: store.words(io.cwd),
  });
  return reportText(io, report, { folder: store.files.shown(io.cwd, runPath(report.runId)), next });
}

interface Saved {
  readonly report: RunReport;
  /** The error of writing the version back, if any. */
  readonly problem: unknown;
}

/** Stores the new outcome after the version was written back. */
export async function saveAnswer(
  { settings, report: before, request }: AnsweredRun,
  { outcome, recorder, ...measured }: NewOutcome,
): Promise<Saved> {
  const { at, task, criteria, files, notReviewed, bars, pipeline } = before;
  const exitCode = outcomeExitCode(outcome, request.failOn);
  const changed = changedPaths(request, outcome.output);
  const { written, problem } = await writtenBack(
    { request, before, files: settings.store.files },
    outcome.output,
  );
  const made = redactJson(
    reportRun(withAdvice(outcome), {
      at,
      task,
      criteria,
      files,
      notReviewed,
      ...(pipeline !== undefined && { pipeline }),
      ...(bars !== undefined && { bars }),
      judges: recorder.judges(),
      ...measured,
      exitCode,
      changed,
      written,
    }),
  );
  const report = withEarlierTimes(made, before);
  await saveRun(settings.store.files, {
    report,
    summary: summaryMarkdown(report, sanitise),
    output: outcome.output,
    versions: recorder.versions(),
  });
  return { report, problem };
}

/** Returns the files that now contain the version. */
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
