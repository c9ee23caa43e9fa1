import { ReviewLoopError } from '../../../core/errors.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { engineErrors } from '../../../engine/errors.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { sanitise } from '../../../node/terminal/sanitise.js';
import { levelOfScore } from '../../../products/reviewer-stage/quality-level.js';
import {
  durationText,
  levelName,
  type TextCleaner,
} from '../../../products/reviewer-stage/stage-text.js';
import {
  type StageSummary,
  StageSummarySchema,
} from '../../../products/reviewer-stage/summary-generator.js';
import { findReviewed } from '../../cli-kit/reports/find-stored.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import {
  checkedJson,
  type ListedRun,
  listRuns,
  readJson,
  runPath,
  writeJson,
} from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import { taskTitle } from '../../reports/run-words.js';
import { readStageRequest, type StageRequest } from './stage-request.js';

/** A stored review of a diff or of files, with a summary like those of the reviewer stage. */
export interface StoredReview {
  readonly report: RunReport;
  readonly summary: StageSummary;
  readonly request: StageRequest | undefined;
}

/** An entry of the list: a review, or the reason why it cannot be read. */
export type ListedReview =
  | StoredReview
  | {
      readonly broken: string;
      readonly runId: string;
      readonly state: 'running' | 'interrupted' | 'unreadable';
    };

export async function saveStageSummary(files: StoreFiles, given: StageSummary): Promise<void> {
  const earlier = await readSummary(files, given.runId).catch(() => undefined);
  // an answer replays the reviews, which takes no time
  const durationMs = Math.max(given.durationMs, earlier?.durationMs ?? 0);
  const summary = { ...given, durationMs };
  await writeJson(files, runPath(given.runId, 'summary.json'), summary);
  await files.write(runPath(given.runId, 'summary.md'), summaryPage(summary, sanitise));
}

/** Lists the reviews of a store, newest first. */
export async function listReviews(files: StoreFiles): Promise<ListedReview[]> {
  return Promise.all((await listRuns(files)).map((run) => listed(files, run)));
}

async function listed(files: StoreFiles, run: ListedRun): Promise<ListedReview> {
  if (run.kind !== 'report') {
    const { why, runId, kind } = run;
    return { broken: why, runId, state: kind === 'broken' ? 'unreadable' : kind };
  }
  try {
    return await reviewOf(files, run.report);
  } catch (error) {
    return {
      broken: error instanceof Error ? error.message : String(error),
      runId: run.report.runId,
      state: 'unreadable',
    };
  }
}

/**
 * Returns the review with a run's id, a prefix of it, or a session. Without an id, it returns the
 * last review.
 */
export async function findReview(
  store: StoreHandle,
  id: string | undefined,
): Promise<StoredReview> {
  return (
    (await lastReview(store, id)) ?? reviewOf(store.files, await findReviewed(store, id ?? ''))
  );
}

/**
 * Returns the last review of a session, or of all without a session; `undefined` for a name that
 * no session has.
 */
export async function lastReview(
  store: StoreHandle,
  session: string | undefined,
): Promise<StoredReview | undefined> {
  const all = await listReviews(store.files);
  const reviews = all.filter((review) => 'summary' in review);
  if (session !== undefined) return reviews.find(({ summary }) => summary.sessionId === session);
  const [last] = reviews;
  if (last !== undefined) return last;
  throw new ReviewLoopError(
    engineErrors.run_unknown,
    `no reviews of files or diffs in ${store.files.name}`,
  );
}

export async function reviewOf(files: StoreFiles, report: RunReport): Promise<StoredReview> {
  const request = await readStageRequest(files, report.runId);
  return {
    report,
    request,
    summary:
      request === undefined ? summaryOfReport(report) : await readSummary(files, report.runId),
  };
}

async function readSummary(files: StoreFiles, runId: string): Promise<StageSummary> {
  const path = runPath(runId, 'summary.json');
  return checkedJson(StageSummarySchema, await readJson(files, path), files.at(path));
}

/** Returns the summary of a review of files: each criterion becomes a dimension. */
function summaryOfReport(report: RunReport): StageSummary {
  const best = report.reviews.find((review) => review.best) ?? report.reviews.at(-1);
  const dimensions = (best?.assessments ?? []).map(({ criterion, id, verdict, score, text }) => {
    const requirement = report.coverage.find((entry) => id !== undefined && entry.id === id);
    const name = requirement?.requirement ?? report.criteria.names[criterion] ?? criterion;
    const judged = verdict === 'pass' || verdict === 'fail';
    const issues = report.gaps
      .filter(({ criterionId }) => criterionId === criterion)
      .map(({ description }) => description);
    return {
      id: criterion,
      name,
      shortName: name,
      level: judged ? levelOfScore(score ?? 0) : null,
      ...(verdict !== 'pass' && verdict !== 'fail' && { verdict }),
      passed: verdict === 'pass',
      explanation: text,
      issues,
    };
  });
  return redactJson({
    schemaVersion: 1,
    runId: report.runId,
    sessionId: report.runId.slice(0, 13),
    goal: taskTitle(report),
    changes: report.changed.map((path) => ({ path, kind: 'modified' })),
    notes: dimensions.flatMap(({ name, issues }) => issues.map((issue) => `${name}: ${issue}`)),
    decision: decisionOf(report, dimensions),
    outcome: outcomeOf(report),
    reasoning: report.reason,
    levels: Object.fromEntries(dimensions.map(({ id, level }) => [id, level])),
    dimensions,
    cycleTriggers: report.reviews
      .slice(0, -1)
      .map(({ assessments }) =>
        assessments.filter(({ verdict }) => verdict === 'fail').map(({ criterion }) => criterion),
      ),
    usage: {},
    cycles: Math.max(0, report.reviews.length - 1),
    completedAt: new Date(Date.parse(report.at) + report.durationMs).toISOString(),
    durationMs: report.durationMs,
    decidedBy: report.acceptance?.by ?? 'the reviewers',
    ...(report.acceptance?.kind === 'override' && { overrideReason: report.acceptance.reason }),
  } satisfies StageSummary);
}

/** Only a judge that answered, or a person, rejects. */
function decisionOf(
  { approved, status }: RunReport,
  dimensions: StageSummary['dimensions'],
): StageSummary['decision'] {
  if (approved) return 'APPROVED';
  const rejected = dimensions.some(({ level, passed }) => level !== null && !passed);
  return rejected || status === 'rejected' ? 'REJECTED' : 'INCONCLUSIVE';
}

/** The word for the end of a run: its status, or `timed_out` if time alone kept reviewers from a verdict. */
export function endWord(
  { status }: Pick<RunReport, 'status'>,
  { outcome }: Pick<StageSummary, 'outcome'>,
): RunReport['status'] {
  return outcome === 'timed_out' ? outcome : status;
}

function outcomeOf({ status, acceptance }: RunReport): StageSummary['outcome'] {
  switch (status) {
    case 'approved':
      return 'completed';
    case 'accepted':
      return acceptance?.kind === 'override' ? 'overridden' : 'completed';
    case 'rejected':
      return 'declined';
    case 'timed_out':
    case 'suspended':
    case 'cancelled':
    case 'failed':
      return status;
    case 'exhausted':
      return 'rejected';
    default:
      return 'escalated';
  }
}

export function summaryPage(summary: StageSummary, clean: TextCleaner): string {
  const text = (value: string): string =>
    clean(value.replace(/\s+/g, ' ')).replace(/[\\`*_[\]<>|#]/g, '\\$&');
  const {
    goal,
    sessionId,
    runId,
    outcome,
    decision,
    reasoning,
    notes,
    completedAt,
    durationMs,
    decidedBy,
    overrideReason,
    base,
    head,
  } = summary;
  return [
    `# ${decision}: ${text(goal)}`,
    text(reasoning),
    [
      `- session: ${text(sessionId)}, run: ${text(runId)}`,
      `- outcome: ${outcome}, decided by ${text(decidedBy)}`,
      ...(overrideReason === undefined ? [] : [`- override: ${text(overrideReason)}`]),
      ...(base === undefined ? [] : [`- changes: ${text(base)}..${text(head ?? '')}`]),
      `- completed: ${text(completedAt)}, took ${durationText(durationMs)}`,
    ].join('\n'),
    section('Changes', changeRows(summary, text)),
    section('Quality', qualityRows(summary, text)),
    section(
      'Notes',
      notes.map((note) => `- ${text(note)}`),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function changeRows({ changes }: StageSummary, text: TextCleaner): string[] {
  return changes.map(
    ({ path, kind, added = 0, removed = 0, omitted }) =>
      `- ${kind}: ${text(path)} (+${added} -${removed})${omitted === undefined ? '' : `, ${omitted}`}`,
  );
}

function qualityRows({ dimensions }: StageSummary, text: TextCleaner): string[] {
  if (dimensions.length === 0) return [];
  const rows = dimensions.map(
    ({ name, level, passed, explanation, issues }) =>
      `| ${text(name)} | ${levelName(level)} | ${passed ? 'yes' : 'no'} | ${[explanation, ...issues].map(text).join('<br>')} |`,
  );
  return ['| dimension | level | passed | why |', '|---|---|---|---|', ...rows];
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n')}`;
}
