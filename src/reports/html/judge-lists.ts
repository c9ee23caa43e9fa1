import type { AttemptReport, RunReport } from '../run-report.js';
import { timeText } from '../time-text.js';
import { voteRows } from '../vote-rows.js';
import type { ModelList } from './report-model.js';

const most = 100;

/** Returns the tables beside the judges of a run: who voted what, and which calls failed. */
export function judgeLists({ reviews, attempts = [] }: RunReport): readonly ModelList[] {
  const votes = voteRows(reviews).map(({ criterion, text, reviews: seen, votes: said }) => [
    criterion,
    text,
    seen,
    said,
  ]);
  return [
    listOf('votes', 'Votes', ['criterion', 'text', 'reviews', 'votes'], votes),
    listOf('attempts', 'Failed calls', ['call', 'when', 'code', 'reason'], attempts.map(callRow)),
  ].filter(({ rows }) => rows.length > 0);
}

/** A call that failed. It was made again, or is an error of its judge. */
function callRow({ name, at, code, message }: AttemptReport): readonly string[] {
  return [name, timeText(at), code, message];
}

function listOf(
  id: string,
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): ModelList {
  const more = rows.length > most ? `Rows 1 to ${most} of ${rows.length}.` : undefined;
  return { id, title, heads, rows: rows.slice(0, most), more };
}
