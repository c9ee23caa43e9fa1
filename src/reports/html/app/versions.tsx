import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Gap } from '../../../core/gap.js';
import type { ModelFile, ModelReview, ModelRun } from '../report-model.js';
import { type DiffLine, type DiffRow, diffRows, foldedRows } from './diff-rows.js';
import { useLinks } from './links.js';
import { Code, Prose, Table } from './texts.js';

/** Two versions side by side, with their gaps at the lines. */
export function Versions({ run, pair }: { readonly run: ModelRun; readonly pair: string }) {
  const kept = run.reviews.filter(({ version }) => run.versions[version] !== undefined);
  if (kept.length === 0)
    return (
      <p>
        The content of the versions is not in this report. Make it with <code>--content full</code>.
      </p>
    );
  const [from, to] = chosen(kept, pair);
  return (
    <>
      {kept.length > 1 && <Choice kept={kept} from={from} to={to} />}
      {from !== to && (
        <p class="legend">
          <span class="removed">only in review {from.iteration}</span>{' '}
          <span class="added">only in review {to.iteration}</span>{' '}
          <span class="repaired">closed a gap</span>
        </p>
      )}
      {pathsOf(run, from, to).map((path) => (
        <FileDiff key={`${from.version} ${to.version} ${path}`} {...{ run, from, to, path }} />
      ))}
    </>
  );
}

function chosen(kept: readonly ModelReview[], pair: string): [ModelReview, ModelReview] {
  const [a, b] = pair.split('..').map((part) => kept.find((one) => String(one.iteration) === part));
  const last = kept.at(-1) as ModelReview;
  const best = kept.find((review) => review.best) ?? last;
  return [a ?? (kept[0] as ModelReview), b ?? best];
}

function Choice(props: {
  readonly kept: readonly ModelReview[];
  readonly from: ModelReview;
  readonly to: ModelReview;
}): JSX.Element {
  const links = useLinks();
  const { from, to, kept } = props;
  const go = (left: string, right: string) => {
    location.hash = links.to(`versions/${left}..${right}`);
  };
  const select = (name: string, value: ModelReview, change: (chosen: string) => void) => (
    <label>
      {name}{' '}
      <select
        value={String(value.iteration)}
        onChange={(event) => change(event.currentTarget.value)}
      >
        {kept.map(({ iteration, best }) => (
          <option key={iteration} value={String(iteration)}>
            {`review ${iteration}${best ? ', the best' : ''}`}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      {select('from', from, (left) => go(left, String(to.iteration)))}
      {select('to', to, (right) => go(String(from.iteration), right))}
    </form>
  );
}

function pathsOf(run: ModelRun, from: ModelReview, to: ModelReview): string[] {
  const files = [from, to].flatMap(({ version }) => run.versions[version] ?? []);
  return [...new Set(files.map(({ path }) => path))].sort();
}

function FileDiff(props: {
  readonly run: ModelRun;
  readonly from: ModelReview;
  readonly to: ModelReview;
  readonly path: string;
}): JSX.Element {
  const { run, from, to, path } = props;
  // one version is shown whole, and once
  const isOne = from === to;
  const [open, setOpen] = useState(isOne);
  const left = fileOf(run, from, path);
  const right = fileOf(run, to, path);
  const name = path === '' ? 'output' : path;
  if (left?.text === null || right?.text === null)
    return <p>{name}: the content is not in this report.</p>;
  const rows = diffRows(left?.text ?? '', right?.text ?? '');
  const notes = notesOf(run, { from, to, path });
  const shown = open ? rows : foldedRows(rows, (row) => notes(row).length > 0);
  return (
    <section aria-label={`Changes of ${name}`}>
      <h2>
        <Code>{name}</Code>
      </h2>
      {(left?.cut || right?.cut) && <p>The file is cut in this report.</p>}
      {!isOne && rows.every(({ changed }) => !changed) && <p>This file is equal in both.</p>}
      <Table
        look="diff"
        label={`${isOne ? 'Text' : 'Changes'} of ${name}`}
        heads={[
          ...(isOne ? [] : ['line', `review ${from.iteration}`]),
          'line ',
          `review ${to.iteration}`,
        ]}
      >
        {shown.map((row, index) =>
          row === 'fold' ? (
            <tr key={index} class="fold">
              <td colSpan={4}>
                <button type="button" onClick={() => setOpen(true)}>
                  Show the equal lines
                </button>
              </td>
            </tr>
          ) : (
            <Line key={index} row={row} notes={notes(row)} isOne={isOne} />
          ),
        )}
      </Table>
    </section>
  );
}

/** A gap at a line, or its end. */
interface Note {
  readonly id: string;
  readonly gap: Gap;
  readonly fixed: boolean;
}

function Line(props: {
  readonly row: DiffRow;
  readonly notes: readonly Note[];
  /** Whether there is one version only. */
  readonly isOne: boolean;
}): JSX.Element {
  const { notes } = props;
  const { left, right, changed } = props.row;
  const repaired = notes.some(({ fixed }) => fixed) ? ' is-repaired' : '';
  return (
    <tr class={`line${changed ? ' is-changed' : ''}${repaired}`}>
      {!props.isOne && (
        <Side
          line={left}
          kind="removed"
          changed={changed}
          notes={notes.filter(({ fixed }) => fixed)}
        />
      )}
      <Side
        line={right}
        kind="added"
        changed={changed}
        notes={notes.filter(({ fixed }) => !fixed)}
      />
    </tr>
  );
}

function Side(props: {
  readonly line: DiffLine | undefined;
  readonly kind: 'removed' | 'added';
  readonly changed: boolean;
  readonly notes: readonly Note[];
}): JSX.Element {
  const links = useLinks();
  const { line, kind, changed, notes } = props;
  const mark = changed ? { removed: '- ', added: '+ ' }[kind] : '  ';
  const look = changed && line !== undefined ? ` is-${kind}` : '';
  return (
    <>
      <td class={`number is-${kind}-side`}>{line?.number ?? ''}</td>
      <td class={`text is-${kind}-side${look}`}>
        {line !== undefined && <Code>{`${mark}${line.text}`}</Code>}
        {notes.map(({ id, gap, fixed }) => (
          <p key={id} class="note">
            <a href={links.to(`gap/${id}`)}>
              {fixed ? 'closed: ' : `${gap.severity}: `}
              <Prose>{gap.description}</Prose>
            </a>
          </p>
        ))}
      </td>
    </>
  );
}

function fileOf(run: ModelRun, { version }: ModelReview, path: string): ModelFile | undefined {
  return run.versions[version]?.find((file) => file.path === path);
}

function notesOf(
  run: ModelRun,
  place: { readonly from: ModelReview; readonly to: ModelReview; readonly path: string },
): (row: DiffRow) => readonly Note[] {
  const at = (ids: readonly string[], fixed: boolean) => {
    const lines = new Map<number, Note[]>();
    for (const id of ids) {
      const gap = run.gaps[id];
      if (gap?.location?.line === undefined || gap.location.file !== place.path) continue;
      const known = lines.get(gap.location.line) ?? [];
      lines.set(gap.location.line, [...known, { id, gap, fixed }]);
    }
    return lines;
  };
  const open = new Set(place.to.gaps);
  const closed = at(
    place.from.gaps.filter((id) => !open.has(id)),
    true,
  );
  const current = at(place.to.gaps, false);
  return ({ left, right }) => [
    ...(left === undefined ? [] : (closed.get(left.number) ?? [])),
    ...(right === undefined ? [] : (current.get(right.number) ?? [])),
  ];
}
