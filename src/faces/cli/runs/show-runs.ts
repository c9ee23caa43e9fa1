import { plural } from '../../../core/plural.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { truncate } from '../../../core/text/truncate.js';
import { paintFor } from '../../../node/terminal/colours.js';
import { oneLine, sanitise } from '../../../node/terminal/sanitise.js';
import { systemClock } from '../../../ports/clock.js';
import type { OrphanRun, Store } from '../../../ports/store.js';
import { reviewShowLines } from '../../../products/reviewer-stage/stage-metrics.js';
import { usageError } from '../../cli-kit/errors.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import { type Io, tell } from '../../cli-kit/io.js';
import {
  findStored,
  type OtherRun,
  otherRuns,
  ownerOf,
  type RecordedReview,
  recordedReviews,
} from '../../cli-kit/reports/find-stored.js';
import { waysFor } from '../../cli-kit/require-person.js';
import { listing } from '../../cli-kit/show/listing.js';
import {
  nextOfRun,
  shortIdAmong,
  shortIdOf,
  showCommand,
  way,
} from '../../cli-kit/show/next-command.js';
import { agentReport } from '../../cli-kit/show/render-report.js';
import { renderRun, runParts } from '../../cli-kit/show/render-run.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import {
  lastReview,
  listHistory,
  reviewOf,
  type StoredReview,
  showMetrics,
  showSummary,
} from '../../commands/reviewer-stage/stored-reviews.js';
import { taskReportOf } from '../../commands/task-review/task-run-report.js';
import { recordedReport } from '../../reports/recorded-report.js';
import { dateOf, type ListedRun, listRuns, runPath } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import { runWords, taskTitle } from '../../reports/run-words.js';
import { overallText } from '../../reports/score-text.js';
import { timeText } from '../../reports/shown-text.js';
import type { RunsSettings } from './runs-flags.js';

export async function showRuns(call: StoredCall, settings: RunsSettings): Promise<number> {
  checkTogether(settings);
  const { io, store } = call;
  const { id, status, since, limit, format } = settings;
  if (settings.summary) return showSummary(call, { id, format });
  if (settings.history) return listHistory(call, { status, since, limit, format });
  if (settings.metrics) return showMetrics(call, settings);
  if (settings.orphans) return listOrphans(io, store, format);
  if (id !== undefined || settings.levels) return showOne(call, settings);
  return list(io, store, settings);
}

/** Of two such flags, one would be ignored. */
function checkTogether(settings: RunsSettings): void {
  const { id, levels, summary, history, metrics, orphans, status, since, limit } = settings;
  const views = [levels, summary, history, metrics, orphans].filter(Boolean);
  if (views.length > 1 || (id !== undefined && (history || metrics || orphans)))
    throw usageError('name a run, or use --history, --metrics or --orphans, not both');
  if (!history && [status, since, limit].some((filter) => filter !== undefined))
    throw usageError('--status, --since and --limit require --history');
  const part = runParts.find((one) => settings[one]);
  if (part !== undefined && id === undefined)
    throw usageError(`--${part} shows a part of one run: name the run`);
}

async function showOne({ io, store }: StoredCall, settings: RunsSettings): Promise<number> {
  const { id, levels, format } = settings;
  const review = levels ? await lastReview(store, id) : undefined;
  if (review !== undefined) return showLevels(io, store, { review, settings });
  const found = await findStored(store, id ?? '');
  if (found.kind !== 'other') {
    const { report } = found;
    return levels
      ? showLevels(io, store, { review: await reviewOf(store.files, report), settings })
      : showReport(io, store, { report, settings });
  }
  const task = await taskReportOf(store, found.run.runId);
  return task === undefined
    ? showOtherRun(io, store, found.run, format)
    : showReport(io, store, { report: redactJson(task.report), settings });
}

/** Only a diff has levels; other runs are shown whole. */
async function showLevels(
  io: Io,
  store: StoreHandle,
  { review, settings }: { readonly review: StoredReview; readonly settings: RunsSettings },
): Promise<number> {
  const { request, report, summary } = review;
  if (request === undefined) return showReport(io, store, { report, settings });
  const about = { now: systemClock.now(), status: report.status };
  const lines = reviewShowLines(summary, about, sanitise);
  return tell(io, settings.format, { data: summary, lines });
}

async function showReport(
  io: Io,
  store: StoreHandle,
  { report, settings }: { readonly report: RunReport; readonly settings: RunsSettings },
): Promise<number> {
  const next = [...(await nextOfRun(report, { store, cwd: io.cwd }))];
  const data = { ...report, next: waysFor(io, next), words: runWords(report) };
  if (settings.format === 'json') return tell(io, 'json', { data, lines: [] });
  const others = next.filter(({ command }) => !command.startsWith('reviewloop runs '));
  const shown = { ...report, next: others.length > 0 ? others : [way('reviewloop runs')] };
  const parts = runParts.filter((part) => settings[part]);
  const shortId = await shortIdOf(store.files, report.runId);
  const show = showCommand(shortId, store.words(io.cwd));
  const folder = store.files.shown(io.cwd, runPath(report.runId));
  const paint = paintFor(io.colours);
  await io.out(
    io.reader === 'agent' && parts.length === 0
      ? agentReport(shown)
      : renderRun(shown, { columns: io.outColumns, paint, folder, show }, parts),
  );
  return 0;
}

type Listed = ListedRun | ({ readonly kind: 'other' } & OtherRun);

async function list(io: Io, store: StoreHandle, { format }: RunsSettings): Promise<number> {
  const runs = await allRuns(store);
  return tell(io, format, { data: { runs: runs.map(listed) }, lines: listLines(io, store, runs) });
}

function* listLines(io: Io, store: StoreHandle, runs: readonly Listed[]): Generator<string> {
  const ids = runs.map(idOf);
  const rows = runs.map((run) => rowOf(run, ids));
  if (rows.length > 0) return yield* listing(io, rows, ['id', 'date (UTC)', 'status', 'score', '']);
  yield `no runs in ${store.files.shown(io.cwd)}`;
  yield 'next: reviewloop review PATHS --task TASK.md';
}

async function allRuns(store: StoreHandle): Promise<readonly Listed[]> {
  const [own, others] = await Promise.all([listRuns(store.files), otherRuns(store)]);
  const runs: Listed[] = [...own, ...others.map((run) => ({ kind: 'other' as const, ...run }))];
  // one without a date comes last
  return runs.sort((a, b) => timeOf(b).localeCompare(timeOf(a)));
}

function rowOf(run: Listed, ids: readonly string[]): readonly string[] {
  if (run.kind === 'other') {
    const code = run.code === undefined ? '' : `, ${run.code}`;
    // code continues such a run by its whole id
    return [run.runId, shownDate(run), shownStatus(run), '-', `${ownerOf(run)}${code}`];
  }
  const id = shortIdAmong(ids, idOf(run));
  if (run.kind !== 'report')
    return [id, shownDate(run), run.kind === 'broken' ? 'unreadable' : run.kind, '', run.why];
  const { status, scores, gaps, undecided } = run.report;
  const open = undecided.length === 0 ? '' : `, ${undecided.length} undecided`;
  return [
    id,
    shownDate(run),
    status,
    scores === undefined ? '-' : overallText(scores),
    `${plural(gaps.length, 'gap')}${open}, ${taskTitle(run.report)}`,
  ];
}

function shownDate(run: Listed): string {
  return timeOf(run).slice(0, 16).replace('T', ' ');
}

function timeOf(run: Listed): string {
  if (run.kind !== 'other') return dateOf(run);
  return run.startedAt === undefined ? '' : new Date(run.startedAt).toISOString();
}

function listed(run: Listed): unknown {
  const at = timeOf(run) || null;
  if (run.kind === 'other') {
    const { runId, pipeline = null, status, code } = run;
    return {
      runId,
      pipeline,
      at,
      status: shownStatus(run),
      approved: status === 'approved',
      code: code ?? null,
      overall: null,
      gaps: null,
    };
  }
  if (run.kind === 'broken') return { runId: run.runId, at, broken: run.why };
  if (run.kind !== 'report') return { runId: run.runId, at, status: run.kind, broken: run.why };
  const { runId, pipeline, status, approved, code, scores, counts, gaps, task } = run.report;
  return {
    runId,
    ...(pipeline !== undefined && { pipeline }),
    at,
    status,
    approved,
    code,
    overall: scores?.overall ?? null,
    ...(counts !== undefined && { counts }),
    gaps: gaps.length,
    task: { source: task.source, title: taskTitle(run.report) },
  };
}

function idOf(run: Listed): string {
  return run.kind === 'report' ? run.report.runId : run.runId;
}

const page = 500;

/** Such runs are not ended, wait for nobody, and no process works on them. */
async function listOrphans(io: Io, store: StoreHandle, format: string): Promise<number> {
  const runs = await orphansOf(store.runs);
  const rows = runs.map(({ runId, pipeline }) => [runId, pipeline]);
  const lines =
    rows.length === 0
      ? [`no run without a process in ${store.files.name}`]
      : listing(io, rows, ['id', 'pipeline']);
  return tell(io, format, { data: { orphans: runs }, lines });
}

async function orphansOf({ orphans }: Store): Promise<readonly OrphanRun[]> {
  if (orphans === undefined)
    throw usageError(
      '--orphans requires a store that knows which process works on a run: pass --store postgres://HOST/NAME',
    );
  const found: OrphanRun[] = [];
  let after: string | undefined;
  do {
    const { runs, next } = await orphans({ limit: page, ...(after !== undefined && { after }) });
    found.push(...runs);
    after = next;
  } while (after !== undefined);
  return found;
}

const mostTask = 300;

async function showOtherRun(
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
function shownStatus({ status }: Pick<RunReport, 'status'>): string {
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
