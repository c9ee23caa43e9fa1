import { plural } from '../../../core/plural.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { truncate } from '../../../core/text/truncate.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { type Io, tell } from '../../cli-kit/io.js';
import {
  type OtherRun,
  ownerOf,
  type RecordedReview,
  recordedReviews,
} from '../../cli-kit/reports/find-stored.js';
import { listing } from '../../cli-kit/show/listing.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { recordedReport } from '../../reports/recorded-report.js';
import type { RunReport } from '../../reports/run-report.js';
import { overallText } from '../../reports/score-text.js';
import { timeText } from '../../reports/shown-text.js';

const mostTask = 300;

export async function showOtherRun(
  io: Io,
  store: StoreHandle,
  run: OtherRun,
  format: string,
): Promise<number> {
  const records = (await store.runs.read(run.runId)) ?? [];
  const report = redactJson(recordedReport(run.runId, records).report);
  const reviews = redactJson(await recordedReviews(store, run.runId));
  const next = wayOn(report);
  const lines = [
    oneLine(`${report.runId}: ${shownStatus(report)}`),
    // a question that is cut off cannot be answered
    ...listing({ ...io, outColumns: undefined }, rowsOf(report, reviews)),
    oneLine(`what to do: ${next}`),
  ];
  return tell(io, format, { data: { ...dataOf(report, reviews), next }, lines });
}

/** The record does not tell whether a process works on a run. */
export function shownStatus({ status }: Pick<RunReport, 'status'>): string {
  return status === 'running' ? 'unfinished' : status;
}

/** What the store does not contain is `null`. */
function dataOf(report: RunReport, reviews: readonly RecordedReview[] | undefined): object {
  const { runId, pipeline, approved, at, durationMs, task, requests, waits, attempts } = report;
  const status = shownStatus(report);
  return {
    recorded: true,
    runId,
    pipeline,
    status,
    approved,
    code: status === 'unfinished' ? null : report.code,
    at,
    durationMs,
    task: task.text,
    requests,
    waits,
    attempts,
    usage: report.usage,
    reviews: reviews ?? null,
  };
}

function rowsOf(
  report: RunReport,
  reviews: readonly RecordedReview[] | undefined,
): (readonly string[])[] {
  const { at, code, requests = [], waits = [], attempts = [] } = report;
  const ended = shownStatus(report) !== 'unfinished';
  const answered = waits.filter(({ answer }) => answer !== undefined);
  return [
    ['pipeline', report.pipeline ?? ''],
    ['began', timeText(at)],
    ...(ended ? [['code', code]] : []),
    ['task', truncate(report.task.text ?? '', mostTask).text],
    ...requests.map(({ question, allowed }) => ['asks', `${question} (${allowed.join(', ')})`]),
    ...answered.map(({ answer, by, reason }) => [
      'answered',
      `${answer} by ${by}${reason === undefined ? '' : `: ${reason}`}`,
    ]),
    ...(attempts.length > 0 ? [['failed', plural(attempts.length, 'call')]] : []),
    ...reviewRows(reviews),
  ];
}

function reviewRows(reviews: readonly RecordedReview[] | undefined): (readonly string[])[] {
  if (reviews === undefined) return [['reviews', 'unknown: a journal contains no reviews']];
  if (reviews.length === 0) return [['reviews', 'none in the database']];
  return reviews.map(({ iteration, complete, overall, judged, total, gaps, decision, reason }) => [
    `review ${iteration}`,
    `score ${overallText({ overall, judged, total })} (${judged} of ${total} judged), ` +
      `${plural(gaps, 'gap')}${complete ? '' : ', incomplete'}, ${decision}: ${reason}`,
  ]);
}

function wayOn(report: RunReport): string {
  const where = `where ${ownerOf(report)} runs`;
  const { status } = report;
  if (status === 'suspended')
    return `answer it ${where}, with \`pipeline.answer\` or \`serveInbox\``;
  if (shownStatus(report) === 'unfinished') return `run it again with its id ${where}`;
  return `make its report ${where}, with \`runReport(outcome)\``;
}
