import type { JSX, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ModelEvidence, ModelRequirement, ModelRun } from '../report-model.js';
import { visible } from '../visible.js';
import { RequirementLink, useLinks } from './links.js';
import { Chip, Code, Prose, plural, Table } from './texts.js';

const mostFiles = 6;
const mostRows = 200;
const weak = 0.7;

const deciders = {
  check: 'by a check',
  model: 'by a model',
  person: 'by a person',
  words: 'hint by words',
} as const;

/** The requirements against the files, with quotes and who decided. */
export function Requirements(props: {
  readonly run: ModelRun;
  /** The id of the requirement that the address names. */
  readonly id: string;
}): JSX.Element {
  const { run, id } = props;
  const [filter, setFilter] = useState('all');
  const [most, setMost] = useState(() => Math.max(mostRows, placeOf(run, id) + 1));
  const files = filesOf(run);
  const shown = run.requirements.filter((one) => accepts(filter, one));
  const named = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    named.current?.focus();
    named.current?.scrollIntoView({ block: 'center' });
  }, [id]);
  if (run.requirements.length === 0) return <p>No requirements were judged in this run.</p>;
  return (
    <>
      {id !== '' && placeOf(run, id) < 0 && (
        <p role="status">{`This report has no requirement ${visible(id)}.`}</p>
      )}
      <p>
        <label>
          Show{' '}
          <select value={filter} onChange={(event) => setFilter(event.currentTarget.value)}>
            <option value="all">all requirements</option>
            <option value="violated">violated</option>
            <option value="undecided">undecided</option>
            <option value="met">met</option>
            <option value="weak">met, but matched by less than 70 % of the words</option>
          </select>
        </label>{' '}
        <span role="status">{plural(shown.length, 'requirement')}</span>
      </p>
      <Table label="Requirements by file" heads={['requirement', 'state', ...files, 'gap']}>
        {shown.slice(0, most).map((one) => (
          <Row
            key={one.id ?? one.text}
            requirement={one}
            files={files}
            place={one.id !== undefined && one.id === id ? named : undefined}
          />
        ))}
      </Table>
      {shown.length > most && (
        <button type="button" onClick={() => setMost(most + mostRows)}>
          Show {Math.min(mostRows, shown.length - most)} more
        </button>
      )}
    </>
  );
}

function placeOf({ requirements }: ModelRun, id: string): number {
  return requirements.findIndex((one) => one.id === id);
}

function Row(props: {
  readonly requirement: ModelRequirement;
  readonly files: readonly string[];
  /** Set for the requirement that the address names. */
  readonly place: RefObject<HTMLTableRowElement | null> | undefined;
}) {
  const links = useLinks();
  const { id, text, state, by, details, gap, evidence } = props.requirement;
  const name = by.name === '' ? '' : ` (${by.name})`;
  return (
    <tr {...(props.place !== undefined && { ref: props.place, tabIndex: -1, class: 'is-named' })}>
      <th scope="row">
        <RequirementLink id={id} links={links} />
        <Prose>{text}</Prose>
        <small>
          <Prose>{details}</Prose>
        </small>
      </th>
      <td>
        <Chip kind={state}>{state}</Chip>
        <small>
          <Prose>{`${deciders[by.kind]}${name}`}</Prose>
        </small>
      </td>
      {props.files.map((file) => (
        <td key={file}>
          {evidence
            .filter((one) => one.file === file)
            .slice(0, 1)
            .map((one) => (
              <Evidence key={one.line} evidence={one} />
            ))}
        </td>
      ))}
      <td>{gap === undefined ? '' : <a href={links.to(`gap/${gap}`)}>gap</a>}</td>
    </tr>
  );
}

function Evidence({ evidence }: { readonly evidence: ModelEvidence }): JSX.Element {
  const { line, quote, share, doubt } = evidence;
  return (
    <>
      <small>
        {`line ${line}, ${Math.floor(share * 100 + 1e-9)} % of the words`}
        {doubt === undefined ? '' : `, ${doubt}`}
      </small>
      <blockquote>
        <Code>{quote}</Code>
      </blockquote>
    </>
  );
}

function accepts(filter: string, { state, evidence }: ModelRequirement): boolean {
  if (filter === 'weak')
    return state === 'met' && Math.max(0, ...evidence.map(({ share }) => share)) < weak;
  return filter === 'all' || state === filter;
}

function filesOf({ requirements }: ModelRun): string[] {
  const counts = new Map<string, number>();
  for (const { evidence } of requirements)
    for (const { file } of evidence) counts.set(file, (counts.get(file) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, mostFiles)
    .map(([file]) => file);
}
