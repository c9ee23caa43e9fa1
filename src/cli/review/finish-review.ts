import { relative } from 'node:path';
import { storeFlag } from '../../cli-kit/common-options.js';
import type { PreparedReview } from '../../cli-kit/inputs/review-settings.js';
import type { Io } from '../../cli-kit/io.js';
import { nextCommand } from '../../cli-kit/show/next-command.js';
import { renderReport } from '../../cli-kit/show/render-report.js';
import { shortIdOf } from '../../cli-kit/show/short-id.js';
import { redactJson } from '../../redact/redact-json.js';
import { saveRun } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import { summaryMarkdown } from '../../reports/summary-markdown.js';
import type { AgentOutput } from '../../self-review/agent.js';
import { paintFor } from '../../terminal/paint.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import { type ChangedFile, writeBack } from './write-back.js';

/** A run that has ended. */
export interface FinishedReview {
  readonly prepared: PreparedReview;
  readonly report: RunReport;
  readonly changed: readonly ChangedFile[];
  readonly output: AgentOutput | undefined;
}

/**
 * Writes the best version back where that was asked for, keeps the run, and shows it. What cannot be written is told only
 * after everything else is done.
 *
 * @returns The exit code.
 * @throws ReviewLoopError `output_unwritable`
 */
export async function finishReview(
  io: Io,
  { prepared, report, changed, output }: FinishedReview,
): Promise<number> {
  const { settings } = prepared;
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
  const folder = await attempt(() =>
    saveRun(settings.store, { report: whole, summary: summaryMarkdown(whole, sanitise), output }),
  );
  await attempt(() => show(io, prepared, whole, folder));
  if (problems.length > 0) throw problems[0];
  return report.exitCode;
}

async function show(
  io: Io,
  { settings, criteria }: PreparedReview,
  report: RunReport,
  folder: string | undefined,
): Promise<void> {
  if (settings.format === 'json') return io.out(`${terminalSafeJson(report)}\n`);
  const shortId = await shortIdOf(settings.store, report.runId);
  const next = nextCommand(report, {
    again: settings.again,
    example: settings.example,
    fix: settings.fix,
    fixers: criteria.reviewers.some(({ fix }) => fix !== undefined),
    shortId,
    storeFlag: storeFlag(settings.shownFrom, settings.store),
  });
  const shown = folder === undefined ? undefined : relative(settings.shownFrom, folder) || folder;
  await io.out(
    renderReport(report, {
      columns: io.outColumns,
      paint: paintFor(io.colours),
      folder: shown,
      next,
    }),
  );
}
