import type { Io } from '../../cli-kit/io.js';
import { reportRuns } from '../../cli-kit/reports/report-runs.js';
import { nextCommands, shortIdOf } from '../../cli-kit/show/next-command.js';
import type { Progress } from '../../cli-kit/show/progress.js';
import { reportText } from '../../cli-kit/show/report-text.js';
import { redactJson } from '../../redact/redact-json.js';
import { saveRun } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import type { RunVersions } from '../../reports/run-versions.js';
import { runPath } from '../../reports/run-versions.js';
import { summaryMarkdown } from '../../reports/summary-markdown.js';
import type { AgentOutput } from '../../self-review/agent.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import { againArguments } from './again-arguments.js';
import { asksModel, canFix } from './can-fix.js';
import type { PreparedReview } from './review-settings.js';
import { type ChangedFile, writeBack } from './write-back.js';

export interface ReviewEnd {
  readonly prepared: PreparedReview;
  readonly report: RunReport;
  readonly changed: readonly ChangedFile[];
  readonly output: AgentOutput | undefined;
  /** The content of every version. */
  readonly versions: RunVersions;
  /** The progress, which ends before the report is shown. */
  readonly progress: Progress | undefined;
}

/**
 * Writes the best version back with --write, stores the run and shows it. If a file cannot be
 * written, it throws only after the other steps.
 *
 * @returns The exit code.
 * @throws ReviewLoopError `output_unwritable`
 */
export async function saveReview(
  io: Io,
  { prepared, report, changed, output, versions, progress }: ReviewEnd,
): Promise<number> {
  const { settings, store } = prepared;
  const problems: unknown[] = [];
  const attempt = async <Value>(work: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await work();
    } catch (error) {
      problems.push(error);
      return undefined;
    }
  };
  const mayWrite = settings.write && report.status !== 'cancelled';
  const written = mayWrite ? ((await attempt(() => writeBack(changed))) ?? []) : [];
  const whole = redactJson({ ...report, written });
  const folder = await attempt(async () => {
    const summary = summaryMarkdown(whole, sanitise);
    await saveRun(store.files, { report: whole, summary, output, versions });
    return store.files.shown(prepared.shownFrom, runPath(whole.runId));
  });
  await attempt(() =>
    reportRuns(io, settings.report, {
      reports: [whole],
      store,
      cwd: prepared.shownFrom,
      versions,
    }),
  );
  progress?.stop();
  await attempt(() => show(io, prepared, { report: whole, folder, output }));
  if (problems.length > 0) throw problems[0];
  return report.exitCode;
}

async function show(
  io: Io,
  prepared: PreparedReview,
  {
    report,
    folder,
    output,
  }: Pick<ReviewEnd, 'report' | 'output'> & {
    readonly folder: string | undefined;
  },
): Promise<void> {
  const { settings, store, shownFrom, example } = prepared;
  if (settings.format === 'json') return io.out(`${terminalSafeJson(report)}\n`);
  const shortId = await shortIdOf(store.files, report.runId);
  const next = nextCommands(report, {
    again: againArguments(prepared),
    example,
    fix: settings.fix,
    fixable: !settings.fix && (await canFix(prepared, { gaps: report.gaps, output }, io.signal)),
    model: asksModel(prepared),
    shortId,
    store: store.words(shownFrom),
  });
  await io.out(reportText(io, report, { folder, next }));
}
