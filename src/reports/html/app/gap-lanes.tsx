import type { JSX } from 'preact';
import type { ModelReview, ModelRun } from '../report-model.js';
import { useLinks } from './links.js';
import { severityRank } from './severity-rank.js';
import { Chip, Prose, Table } from './texts.js';

/** What a gap is in one review. */
interface Cell {
  readonly kind: 'new' | 'persisting' | 'regressed' | 'fixed' | 'closed' | 'none';
  readonly text: string;
}

const most = 100;

/** The life of each gap: one lane a gap, one column a review. */
export function GapLanes({ run }: { readonly run: ModelRun }): JSX.Element {
  const links = useLinks();
  const ids = Object.keys(run.gaps).sort(
    (a, b) => severityRank(run.gaps[a]) - severityRank(run.gaps[b]),
  );
  const shown = ids.slice(0, most);
  return (
    <>
      <Table
        label="The life of each gap"
        heads={['gap', 'severity', ...run.reviews.map(({ iteration }) => `review ${iteration}`)]}
      >
        {shown.map((id) => {
          const gap = run.gaps[id];
          if (gap === undefined) return null;
          return (
            <tr key={id} class="lane">
              <th scope="row">
                <a href={links.to(`gap/${id}`)}>
                  <Prose>{gap.description}</Prose>
                </a>
              </th>
              <td>
                <Chip kind={gap.severity}>{gap.severity}</Chip>
              </td>
              {run.reviews.map((_, index) => {
                const cell = cellOf(run.reviews.slice(0, index + 1), id);
                return (
                  <td key={index} class={`cell is-${cell.kind}`}>
                    {cell.text}
                  </td>
                );
              })}
            </tr>
          );
        })}
      </Table>
      {ids.length > most && (
        <p>
          The worst {most} of {ids.length} gaps. <a href={links.to('gaps')}>All gaps</a>
        </p>
      )}
    </>
  );
}

/** Returns what a gap is in the last of these reviews. */
function cellOf(reviews: readonly ModelReview[], id: string): Cell {
  const event = eventOf(reviews.at(-1), id);
  const last = reviews
    .slice(0, -1)
    .map((review) => eventOf(review, id))
    .findLast((earlier) => earlier);
  if (!event) return last ? { kind: 'closed', text: 'closed' } : { kind: 'none', text: '' };
  if (!last || event.kind !== 'new') return event;
  return last.kind === 'fixed' || last.text === 'gone'
    ? { kind: 'regressed', text: 'came back' }
    : { kind: 'persisting', text: 'open' };
}

/** Returns what a review says of a gap; undefined if it says nothing. */
function eventOf(review: ModelReview | undefined, id: string): Cell | undefined {
  const fixed = review?.fixed.find((one) => one.id === id);
  if (fixed !== undefined) return { kind: 'fixed', text: `fixed by ${fixed.by}` };
  const closed = review?.closed.find((one) => one.id === id);
  if (closed !== undefined) return { kind: 'closed', text: closed.as };
  return review?.gaps.includes(id) ? { kind: 'new', text: 'new' } : undefined;
}
