import type { JSX } from 'preact';
import type { ScoreBar } from '../../run-report.js';
import { shortScores } from '../../score-text.js';
import type { ModelRun } from '../report-model.js';
import { reachable, row, Table } from './texts.js';

const lines = ['overall', 'quality', 'completeness', 'correctness'] as const;
type Line = (typeof lines)[number];

const width = 640;
const height = 240;
const left = 40;
const right = 190;
const top = 16;
const bottom = 32;

/** The scores of every review as lines, with the bars that approval needs. */
export function ScoreChart({ run }: { readonly run: ModelRun }): JSX.Element {
  const { reviews, bars } = run;
  const x = (index: number) =>
    left + (reviews.length < 2 ? 0.5 : index / (reviews.length - 1)) * (width - left - right);
  const best = reviews.findIndex((review) => review.best);
  return (
    <figure {...reachable} aria-label="Scores by review">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={titleOf(run)} class="chart">
        <title>{titleOf(run)}</title>
        {[0, 0.25, 0.5, 0.75, 1].map((score) => (
          <g key={score} class="grid">
            <line x1={left} x2={width - right} y1={y(score)} y2={y(score)} />
            <text x={left - 8} y={y(score) + 4} text-anchor="end">
              {score.toFixed(2)}
            </text>
          </g>
        ))}
        {bars.map((bar) => (
          <BarLine key={bar.score} bar={bar} />
        ))}
        {best >= 0 && <line class="best" x1={x(best)} x2={x(best)} y1={top} y2={height - bottom} />}
        {ticksOf(reviews.length).map((index) => (
          <text key={index} x={x(index)} y={height - 10} text-anchor="middle">
            {index === best ? `${index + 1} best` : index + 1}
          </text>
        ))}
        {lines.map((line) => (
          <ScoreLine key={line} run={run} line={line} x={x} />
        ))}
        <Labels run={run} x={x} />
      </svg>
      <figcaption>Scores by review. Dashed: what approval needs. A gap: unknown.</figcaption>
      <details>
        <summary>The same as a table</summary>
        <ScoreTable run={run} />
      </details>
    </figure>
  );
}

function y(score: number): number {
  return top + (1 - score) * (height - top - bottom);
}

function BarLine({ bar }: { readonly bar: ScoreBar }): JSX.Element {
  return (
    <line
      class={`bar line-${bar.score}`}
      x1={left}
      x2={width - right}
      y1={y(bar.at)}
      y2={y(bar.at)}
    />
  );
}

function ScoreLine(props: {
  readonly run: ModelRun;
  readonly line: Line;
  readonly x: (index: number) => number;
}): JSX.Element {
  const points = props.run.reviews.map(({ scores, best }, index) => ({
    at: props.x(index),
    score: scores[props.line],
    best,
  }));
  let open = false;
  const path = points
    .map(({ at, score }) => {
      const command = open ? 'L' : 'M';
      open = score !== null;
      return score === null ? '' : `${command}${at.toFixed(1)} ${y(score).toFixed(1)}`;
    })
    .join('');
  return (
    <g class={`line-${props.line}`}>
      <path d={path} />
      {points.map(({ at, score, best }) =>
        score === null ? null : (
          <circle key={at} cx={at} cy={y(score)} r={best ? 5 : 3} class={best ? 'ring' : ''} />
        ),
      )}
    </g>
  );
}

/** The names of the lines at their ends, pushed apart. */
function Labels(props: { readonly run: ModelRun; readonly x: (index: number) => number }) {
  const last = props.run.reviews.length - 1;
  const ends = lines
    .flatMap((line) => {
      const scores = props.run.reviews[last]?.scores;
      const score = scores?.[line] ?? null;
      if (scores === undefined || score === null) return [];
      return [{ line, text: shortScores(scores)[line], at: y(score) + 4 }];
    })
    .sort((a, b) => a.at - b.at);
  let previous = Number.NEGATIVE_INFINITY;
  const placed = ends.map((end) => {
    previous = Math.max(end.at, previous + 15);
    return { ...end, at: previous };
  });
  return (
    <g>
      {placed.map(({ line, text, at }) => (
        <text key={line} x={props.x(last) + 12} y={at} class={`label line-${line}`}>
          {`${line} ${text}`}
        </text>
      ))}
    </g>
  );
}

function ticksOf(count: number): number[] {
  const step = Math.max(1, Math.ceil(count / 12));
  return Array.from({ length: count }, (_, index) => index).filter((index) => index % step === 0);
}

function titleOf({ reviews }: ModelRun): string {
  const texts = reviews.map(
    ({ iteration, best, scores }) =>
      `review ${iteration}${best ? ' (best)' : ''}: ${lines.map((line) => `${line} ${shortScores(scores)[line]}`).join(', ')}`,
  );
  return `Scores by review. ${texts.join('; ')}`;
}

function ScoreTable({ run }: { readonly run: ModelRun }): JSX.Element {
  const basis = ({ met, judged, total }: { met: number; judged: number; total: number }) =>
    `${met} met, ${judged} of ${total} judged`;
  return (
    <Table label="Scores by review" heads={['review', ...lines, 'checks', 'requirements', 'gaps']}>
      {run.reviews.map((review) =>
        row(
          review.iteration,
          `${review.iteration}${review.best ? ' best' : ''}`,
          ...lines.map((line) => shortScores(review.scores)[line]),
          basis(review.scores.criteria),
          basis(review.scores.requirements),
          review.gaps.length,
        ),
      )}
    </Table>
  );
}
