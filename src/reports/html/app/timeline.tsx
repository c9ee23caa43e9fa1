import type { JSX } from 'preact';
import { timeText } from '../../time-text.js';
import type { ModelRun } from '../report-model.js';
import { durationText, plural, reachable, row, Table } from './texts.js';

const width = 640;
const line = 26;

/** One stretch of time. */
interface Stretch {
  readonly name: string;
  readonly kind: 'review' | 'wait';
  readonly from: number;
  readonly to: number;
}

/** When the reviews ran, and when the run waited for people. */
export function Timeline({ run }: { readonly run: ModelRun }): JSX.Element {
  const stretches = stretchesOf(run);
  if (stretches.length === 0) return <p>No review was finished.</p>;
  const start = Math.min(...stretches.map(({ from }) => from));
  const end = Math.max(...stretches.map(({ to }) => to), start + 1);
  const x = (at: number) => ((at - start) / (end - start)) * (width - 140) + 130;
  const title = stretches
    .map(({ name, from, to }) => `${name}: ${durationText(to - from)}`)
    .join('; ');
  return (
    <figure {...reachable} aria-label="Time line">
      <svg
        viewBox={`0 0 ${width} ${stretches.length * line + 8}`}
        role="img"
        aria-label={`Time line. ${title}`}
        class="chart"
      >
        <title>{`Time line. ${title}`}</title>
        <defs>
          <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse">
            <path d="M0 6L6 0" />
          </pattern>
        </defs>
        {stretches.map(({ name, kind, from, to }, index) => (
          <g key={name} class={`stretch is-${kind}`}>
            <text x={120} y={index * line + 20} text-anchor="end">
              {name}
            </text>
            <rect
              x={x(from)}
              y={index * line + 6}
              width={Math.max(2, x(to) - x(from))}
              height={18}
              rx={3}
            />
          </g>
        ))}
      </svg>
      <figcaption>
        {`${plural(run.reviews.length, 'review')} in ${durationText(end - start)}. Hatched: a person was asked.`}
      </figcaption>
      <details>
        <summary>The same as a table</summary>
        <Table label="Time line" heads={['what', 'began', 'took']}>
          {stretches.map(({ name, from, to }) =>
            row(name, name, timeText(new Date(from).toISOString()), durationText(to - from)),
          )}
        </Table>
      </details>
    </figure>
  );
}

function stretchesOf(run: ModelRun): Stretch[] {
  const reviews = run.reviews.map(({ iteration, at, durationMs }): Stretch => {
    const to = Date.parse(at);
    return { name: `review ${iteration}`, kind: 'review', from: to - durationMs, to };
  });
  const waits = run.waits.flatMap(({ askedAt, answeredAt, by }, index): Stretch[] =>
    askedAt === undefined
      ? []
      : [
          {
            name: `${index + 1}: ${by ?? 'waits'}`,
            kind: 'wait',
            from: Date.parse(askedAt),
            to: Date.parse(answeredAt ?? run.reviews.at(-1)?.at ?? askedAt),
          },
        ],
  );
  return [...reviews, ...waits]
    .filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to))
    .sort((a, b) => a.from - b.from);
}
