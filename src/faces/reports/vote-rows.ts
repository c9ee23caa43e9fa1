import type { Votes } from '../../core/assessment.js';
import { gradeText } from '../../core/grade.js';
import { plural } from '../../core/plural.js';
import type { AssessmentReport } from './run-report.js';

export interface VoteRow {
  readonly criterion: string;
  /** Which text: `first`, or how often it was edited. Empty if nobody counted. */
  readonly text: string;
  /** The reviews whose verdict rests on these votes: `2`, or `2 to 4` for an equal text. */
  readonly reviews: string;
  readonly votes: string;
}

interface Judged {
  readonly iteration: number;
  readonly assessments: readonly AssessmentReport[];
}

/** One row for each text, in the order of the criteria. */
export function voteRows(reviews: readonly Judged[]): readonly VoteRow[] {
  const criteria = new Set(
    reviews.flatMap(({ assessments }) => assessments.map(({ criterion }) => criterion)),
  );
  return [...criteria].flatMap((criterion) => rowsOf(criterion, reviews));
}

function rowsOf(criterion: string, reviews: readonly Judged[]): VoteRow[] {
  const rows: { votes: Votes; key: string; from: number; to: number }[] = [];
  for (const { iteration, assessments } of reviews) {
    const votes = assessments.find((one) => one.criterion === criterion)?.votes;
    if (votes?.by === undefined) continue;
    const key = JSON.stringify(votes);
    const last = rows.at(-1);
    if (last?.key === key) last.to = iteration;
    else rows.push({ votes, key, from: iteration, to: iteration });
  }
  return rows.map(({ votes, from, to }) => ({
    criterion,
    text: textName(votes.edits),
    reviews: from === to ? `${from}` : `${from} to ${to}`,
    votes: votesText(votes),
  }));
}

function textName(edits: number | undefined): string {
  if (edits === undefined) return '';
  return edits === 0 ? 'first' : `edited ${edits === 1 ? 'once' : `${edits} times`}`;
}

function votesText({ by = [], failed }: Votes): string {
  const named = (passed: boolean): string =>
    by
      .filter((vote) => vote.passed === passed)
      .map(({ judge, model, grade }) =>
        [judge, model, grade && `(${gradeText(grade)})`].filter(Boolean).join(' '),
      )
      .join(', ');
  const [passes, failures] = [named(true), named(false)];
  return [
    ...(passes === '' ? [] : [`pass: ${passes}`]),
    ...(failures === '' ? [] : [`fail: ${failures}`]),
    ...(failed === 0 ? [] : [`${plural(failed, 'call')} without a verdict`]),
  ].join('; ');
}
