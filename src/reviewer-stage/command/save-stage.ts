import { relative } from 'node:path';
import type { Io } from '../../cli-kit/io.js';
import { mayOverride, waitingCommand } from '../../cli-kit/show/next-command.js';
import { shortIdOf } from '../../cli-kit/show/short-texts.js';
import { storeWords } from '../../cli-kit/store-folder.js';
import { redactJsonAsync } from '../../redact/redact-json-async.js';
import { reportRun } from '../../reports/report-run.js';
import { saveRun } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import type { StageResult } from '../stage-result.js';
import { decisionLines } from '../stage-text.js';
import { summaryPage } from '../summary-page.js';
import type { StageRequest } from './stage-request.js';

/** The store of a review, and the settings of its screen. */
export interface SaveParts {
  readonly request: StageRequest;
  readonly store: string;
  readonly format: 'text' | 'json';
}

/**
 * Stores a review as `review.json`, without secrets. The stage has already stored its summary.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function saveStage(
  result: StageResult,
  { request, store }: SaveParts,
): Promise<RunReport> {
  const { run, dimensions, exitCode, summary } = result;
  const files = run.output?.changedFiles ?? [];
  const report = await redactJsonAsync(
    reportRun(run, {
      at: request.at,
      durationMs: summary?.durationMs ?? 0,
      task: { source: request.task.source },
      criteria: {
        chosen: dimensions.map(({ id }) => id),
        reason: 'the reviewer stage',
        names: Object.fromEntries(dimensions.map(({ id, name }) => [id, name])),
      },
      files: files.map(({ path, content, diff }) => ({
        path,
        type: 'code',
        bytes: Buffer.byteLength(content ?? diff ?? ''),
      })),
      notReviewed: files.flatMap(({ path, omitted }) =>
        omitted === undefined || omitted === 'content' ? [] : [{ path, reason: omitted }],
      ),
      exitCode,
      changed: [],
      written: [],
      fixers: new Set(),
    }),
  );
  await saveRun(store, {
    report,
    summary: summary === undefined ? '' : summaryPage(summary, sanitise),
    output: undefined,
  });
  return report;
}

/** A review that has ended. */
export interface EndedStage {
  readonly result: StageResult;
  readonly report: RunReport;
  /** Whether the screen already shows the decision. */
  readonly shown: boolean;
}

/** Shows the end of a review, and the next command. */
export async function showEnd(
  io: Io,
  ended: EndedStage,
  { store, format }: SaveParts,
): Promise<void> {
  const { result, report } = ended;
  const next = nextOf(ended, await shortIdOf(store, report.runId), storeWords(io.cwd, store));
  if (format === 'text')
    return io.out(
      endText(ended, { folder: relative(io.cwd, `${store}/runs/${report.runId}`), next }),
    );
  const { summary, feedback, decision, outcome, reasoning, cycles, code, exitCode } = result;
  const data = {
    schemaVersion: 1,
    runId: report.runId,
    status: report.status,
    decision,
    outcome,
    reasoning,
    cycles,
    code: code ?? null,
    exitCode,
    feedback: feedback ?? null,
    summary: summary ?? null,
    requests: report.requests ?? [],
    next,
  };
  return io.out(`${terminalSafeJson(await redactJsonAsync(data))}\n`);
}

function nextOf({ result, report }: EndedStage, shortId: string, flag: string): string {
  if (result.outcome === 'suspended') return waitingCommand(report, shortId, flag);
  return mayOverride(report)
    ? `reviewloop override ${shortId} --reason "..."${flag}`
    : `reviewloop summary ${shortId}${flag}`;
}

function endText(
  { result, report, shown }: EndedStage,
  { folder, next }: { readonly folder: string; readonly next: string },
): string {
  const omitted = report.notReviewed.map(({ path, reason }) => sanitise(`${path} (${reason})`));
  const more = omitted.length > 10 ? ` and ${omitted.length - 10} more` : '';
  return [
    ...(shown ? [] : ['', ...decisionLines(result, sanitise)]),
    ...(omitted.length === 0
      ? []
      : ['', `not reviewed in full: ${omitted.slice(0, 10).join(', ')}${more}`]),
    '',
    `status: ${report.status}${result.code === undefined ? '' : ` (${result.code})`}`,
    `stored: ${folder}`,
    `next: ${next}`,
    '',
  ].join('\n');
}
