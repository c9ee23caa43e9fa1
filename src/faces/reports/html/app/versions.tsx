import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../../shown-text.js';
import {
  isOpenIn,
  type ModelFile,
  type ModelGap,
  type ModelReview,
  type ModelRun,
} from '../report-model.js';
import { type DiffLine, diffLines, foldedLines } from './diff-lines.js';
import { signOf } from './how-far.js';
import { useLinks } from './links.js';
import { Prose, plural } from './texts.js';

interface Pair {
  readonly run: ModelRun;
  readonly from: ModelReview;
  readonly to: ModelReview;
}

/** Shows one unified diff for each file. */
export function Versions({ run, pair }: { readonly run: ModelRun; readonly pair: string }) {
  const kept = run.reviews.filter(({ version }) => run.versions[version] !== undefined);
  if (kept.length === 0)
    return (
      <p>
        The content of the versions is not in this report. Make it with <code>--content full</code>.
      </p>
    );
  const [from, to] = chosen(kept, pair);
  const files = pathsOf(run, from, to);
  const equal = files.filter((path) => from !== to && isEqual({ run, from, to }, path));
  return (
    <section>
      <h2>
        {from === to
          ? `Version ${to.iteration}`
          : `From version ${from.iteration} to version ${to.iteration}`}
      </h2>
      {kept.length > 2 && <Choice kept={kept} from={from} to={to} />}
      {files
        .filter((path) => !equal.includes(path))
        .map((path) => (
          <FileDiff key={`${from.version} ${to.version} ${path}`} {...{ run, from, to, path }} />
        ))}
      {equal.length > 0 && (
        <p>
          <small>
            <Prose>{`Equal in both: ${equal.join(', ')}.`}</Prose>
          </small>
        </p>
      )}
    </section>
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
  const select = (name: string, value: ModelReview, pairOf: (chosen: string) => string) => (
    <label>
      {name}{' '}
      <select
        value={String(value.iteration)}
        onChange={(event) => {
          location.hash = links.to(`versions/${pairOf(event.currentTarget.value)}`);
        }}
      >
        {kept.map(({ iteration, best }) => (
          <option key={iteration} value={String(iteration)}>
            {`version ${iteration}${best ? ', came back' : ''}`}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <p>
      {select('from', from, (left) => `${left}..${to.iteration}`)}{' '}
      {select('to', to, (right) => `${from.iteration}..${right}`)}
    </p>
  );
}

function pathsOf(run: ModelRun, from: ModelReview, to: ModelReview): string[] {
  const files = [from, to].flatMap(({ version }) => run.versions[version] ?? []);
  return [...new Set(files.map(({ path }) => path))].sort();
}

function isEqual({ run, from, to }: Pair, path: string): boolean {
  const text = fileOf(run, from, path)?.text;
  return text !== null && text === fileOf(run, to, path)?.text;
}

function FileDiff(props: Pair & { readonly path: string }): JSX.Element {
  const { run, from, to, path } = props;
  const [open, setOpen] = useState(false);
  const left = fileOf(run, from, path);
  const right = fileOf(run, to, path);
  const name = path === '' ? 'output' : path;
  if (left?.text === null || right?.text === null)
    return <p>{name}: the content is not in this report.</p>;
  const lines = diffLines(left?.text ?? '', right?.text ?? '');
  const notes = notesOf(props);
  const closed = notes.closed.length;
  const shown = open ? lines : foldedLines(lines, (line) => notes.at(line).length > 0);
  return (
    <section class="panel" aria-label={`Changes of ${name}`}>
      <p class="file">
        <Prose>{name}</Prose>{' '}
        <span>
          {closed > 0 && `${plural(closed, 'gap')} closed `}
          {(left?.cut || right?.cut) && 'The file is cut in this report.'}
        </span>
      </p>
      <div class="diff">
        {shown.map((line, index) =>
          typeof line === 'number' ? (
            <button key={index} type="button" onClick={() => setOpen(true)}>
              {`${plural(line, 'equal line')}`}
            </button>
          ) : (
            <Line key={index} line={line} notes={notes.at(line)} />
          ),
        )}
      </div>
    </section>
  );
}

const marks = { same: [' ', ''], removed: ['-', 'del'], added: ['+', 'add'] } as const;

function Line(props: { readonly line: DiffLine; readonly notes: readonly Note[] }): JSX.Element {
  const links = useLinks();
  const { kind, text, before, after } = props.line;
  const [mark, look] = marks[kind];
  return (
    <>
      <div class={look}>
        <i>{after ?? before}</i>
        <span>{mark}</span>
        <span>{visible(text)}</span>
      </div>
      {props.notes.map(({ gap, said, look: color }) => (
        <div key={gap.id} class={`about is-${color} ${look}`}>
          <span>
            {said}{' '}
            <a href={links.to(`gap/${gap.id}`)}>
              <Prose>{gap.text}</Prose>
            </a>
          </span>
        </div>
      ))}
    </>
  );
}

function fileOf(run: ModelRun, { version }: ModelReview, path: string): ModelFile | undefined {
  return run.versions[version]?.find((file) => file.path === path);
}

interface Note {
  readonly gap: ModelGap;
  readonly said: string;
  readonly look: string;
}

/** They are those that only the first version had, and those of the second. */
function notesOf({ run, from, to, path }: Pair & { readonly path: string }) {
  const [first, second] = [run.reviews.indexOf(from), run.reviews.indexOf(to)];
  const own = run.gaps.filter(({ file, location }) => file === path && location?.line);
  const current = own
    .filter((gap) => isOpenIn(gap, second))
    .map((gap): Note => ({ gap, said: `${gap.severity}:`, look: 'bad' }));
  const closed = own
    .filter((gap) => isOpenIn(gap, first) && !isOpenIn(gap, second))
    .map((gap): Note => {
      const state =
        gap.life.slice(first + 1, second + 1).findLast((one) => one !== '') ?? 'unknown';
      const [sign, look] = signOf(state);
      return { gap, said: `${sign} ${state}:`, look };
    });
  const at = ({ before, after }: DiffLine) => [
    ...closed.filter(({ gap }) => gap.location?.line === before),
    ...current.filter(({ gap }) => gap.location?.line === after),
  ];
  return { closed, at };
}
