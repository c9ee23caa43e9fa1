import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import {
  formatOption,
  jsonOption,
  storeFolder,
  storeOption,
} from '../../cli-kit/common-options.js';
import type { Io } from '../../cli-kit/io.js';
import { systemClock } from '../../ports/clock.js';
import { terminalSafeJson } from '../../terminal/sanitise.js';
import { tableOf } from '../../terminal/table.js';
import { ageText } from '../history-text.js';
import { type KeptReview, type ListedReview, listReviews } from './kept-reviews.js';

const help = `
--status takes a decision (approved, rejected), an outcome (completed, rejected, escalated, overridden,
declined, timed_out, suspended, cancelled, failed), or unreadable.

Examples:
  reviewloop history
  reviewloop history --status rejected --since 7d --limit 20
  reviewloop history --json`;

interface HistoryOptions {
  readonly status?: string;
  readonly since?: number;
  readonly limit?: number;
  readonly format: 'text' | 'json';
  readonly store: string;
}

/** `reviewloop history`: the reviews that were kept, the newest first. */
export function historyCommand(io: Io): Command {
  return new Command('history')
    .summary('list the reviews that were kept, with their decisions')
    .description(
      'Lists the reviews that were kept, the newest first: session, decision, and how long ago.',
    )
    .option('--status <status>', 'only those of a decision or an outcome')
    .option('--since <when>', 'only those since a date, or for so long: 12h, 7d, 4w', sinceOf)
    .option('--limit <n>', 'at most so many', limitOf)
    .addOption(formatOption())
    .addOption(jsonOption())
    .addOption(storeOption())
    .addHelpText('after', help)
    .action(async (options: HistoryOptions) => list(io, options));
}

async function list(
  io: Io,
  { status, since, limit, format, store }: HistoryOptions,
): Promise<void> {
  const all = await listReviews(resolve(io.cwd, storeFolder(store)));
  const reviews = all
    .filter((review) => hasStatus(review, status) && isSince(review, since))
    .slice(0, limit);
  if (format === 'json')
    return io.out(`${terminalSafeJson({ schemaVersion: 1, reviews: reviews.map(told) })}\n`);
  if (reviews.length === 0) return io.out('no reviews\n');
  const now = systemClock.now();
  const rows = reviews.map((review) =>
    'broken' in review
      ? [review.runId, 'unreadable', review.broken]
      : [
          review.summary.sessionId,
          shownDecision(review),
          ageText(now - Date.parse(review.summary.completedAt)),
        ],
  );
  return io.out(
    `${tableOf([['Session', 'Decision', 'Time'], ...rows], { columns: io.outColumns }).join('\n')}\n`,
  );
}

/** The decision; where it is not the end of it, with what became of it. */
function shownDecision({ summary: { decision, outcome } }: KeptReview): string {
  const plain =
    (decision === 'APPROVED' && outcome === 'completed') ||
    (decision === 'REJECTED' && outcome === 'rejected');
  return plain ? decision : `${decision} (${outcome})`;
}

function told(review: ListedReview): object {
  if ('broken' in review) return review;
  const {
    runId,
    sessionId,
    goal,
    decision,
    outcome,
    reasoning,
    levels,
    cycles,
    completedAt,
    durationMs,
    decidedBy,
  } = review.summary;
  return {
    kind: review.request === undefined ? 'files' : 'diff',
    runId,
    sessionId,
    goal,
    decision,
    outcome,
    reasoning,
    levels,
    cycles,
    completedAt,
    durationMs,
    decidedBy,
  };
}

function hasStatus(review: ListedReview, status: string | undefined): boolean {
  if (status === undefined) return true;
  const wanted = status.toLowerCase();
  if ('broken' in review) return wanted === 'unreadable';
  return [
    review.summary.decision.toLowerCase(),
    review.summary.outcome,
    review.report.status,
  ].includes(wanted);
}

function isSince(review: ListedReview, since: number | undefined): boolean {
  return (
    since === undefined ||
    (!('broken' in review) && Date.parse(review.summary.completedAt) >= since)
  );
}

const spans: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

function sinceOf(value: string): number {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(value) ?? [];
  if (count !== undefined && unit !== undefined)
    return systemClock.now() - Number(count) * (spans[unit] ?? 0);
  const at = Date.parse(value);
  if (Number.isNaN(at))
    throw new InvalidArgumentError(
      'Expected a date such as 2026-01-31, or a time span such as 12h, 7d or 4w.',
    );
  return at;
}

function limitOf(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new InvalidArgumentError('Expected a whole number from 1.');
  return Number(value);
}
