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
  const open = run.reviews.map(({ gaps }) => new Set(gaps));
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
                const cell = cellOf(run.reviews[index], open.slice(0, index + 1), id);
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

/** `open` contains the gaps of each review up to this one. */
function cellOf(
  review: ModelReview | undefined,
  open: readonly ReadonlySet<string>[],
  id: string,
): Cell {
  const fixed = review?.fixed.find((one) => one.id === id);
  if (fixed !== undefined) return { kind: 'fixed', text: `fixed by ${fixed.by}` };
  const before = open.slice(0, -1);
  const known = before.some((gaps) => gaps.has(id));
  if (!open.at(-1)?.has(id))
    return known ? { kind: 'closed', text: 'closed' } : { kind: 'none', text: '' };
  if (before.at(-1)?.has(id)) return { kind: 'persisting', text: 'open' };
  return known ? { kind: 'regressed', text: 'came back' } : { kind: 'new', text: 'new' };
}
