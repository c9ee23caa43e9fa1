import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Gap } from '../../../core/gap.js';
import type { ModelRun } from '../report-model.js';
import { type Links, RequirementLink, useLinks } from './links.js';
import { severityRank } from './severity-rank.js';
import { Chip, Code, Facts, Prose, plural, row, Table } from './texts.js';

const page = 200;

/** What narrows the list of gaps. */
interface Filter {
  readonly severity: string;
  readonly state: string;
  readonly file: string;
  readonly text: string;
}

export function Gaps({ run, id }: { readonly run: ModelRun; readonly id: string }): JSX.Element {
  const gap = run.gaps[id];
  if (gap !== undefined) return <GapPage run={run} id={id} gap={gap} />;
  return <GapList run={run} unknown={id} />;
}

function GapList({ run, unknown }: { readonly run: ModelRun; readonly unknown: string }) {
  const links = useLinks();
  const [filter, setFilter] = useState<Filter>({ severity: '', state: '', file: '', text: '' });
  const [most, setMost] = useState(page);
  const open = new Set(run.reviews.find(({ best }) => best)?.gaps ?? []);
  const found = Object.entries(run.gaps)
    .filter(([id, gap]) => accepts(filter, gap, stateOf(gap, open.has(id))))
    .sort(([, a], [, b]) => severityRank(a) - severityRank(b));
  return (
    <>
      {unknown !== '' && <p role="status">This report has no gap {unknown}.</p>}
      <Filters run={run} filter={filter} change={(more) => setFilter({ ...filter, ...more })} />
      <p role="status">{plural(found.length, 'gap')}</p>
      <Table label="Gaps" heads={['gap', 'severity', 'state', 'place', 'raised by']}>
        {found.slice(0, most).map(([id, gap]) =>
          row(
            id,
            <a href={links.to(`gap/${id}`)}>
              <Prose>{gap.description}</Prose>
            </a>,
            <Chip kind={gap.severity}>{gap.severity}</Chip>,
            stateOf(gap, open.has(id)),
            <Code>{placeOf(gap)}</Code>,
            <Prose>{gap.raisedBy ?? gap.criterionId ?? ''}</Prose>,
          ),
        )}
      </Table>
      {found.length > most && (
        <button type="button" onClick={() => setMost(most + page)}>
          Show {Math.min(page, found.length - most)} more
        </button>
      )}
    </>
  );
}

function Filters(props: {
  readonly run: ModelRun;
  readonly filter: Filter;
  readonly change: (more: Partial<Filter>) => void;
}): JSX.Element {
  const { filter, change } = props;
  const files = [...new Set(Object.values(props.run.gaps).map(fileOf))].filter(Boolean).sort();
  const select = (name: 'severity' | 'state' | 'file', values: readonly string[]) => (
    <label>
      {name}{' '}
      <select
        value={filter[name]}
        onChange={(event) => change({ [name]: event.currentTarget.value })}
      >
        <option value="">any</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      {select('severity', ['critical', 'major', 'minor'])}
      {select('state', ['open', 'closed', 'disputed', 'waived'])}
      {files.length > 1 && select('file', files.slice(0, 500))}
      <label>
        text{' '}
        <input
          type="search"
          value={filter.text}
          onInput={(event) => change({ text: event.currentTarget.value })}
        />
      </label>
    </form>
  );
}

function accepts({ severity, state, file, text }: Filter, gap: Gap, is: string): boolean {
  const wanted = text.toLowerCase();
  return (
    (severity === '' || gap.severity === severity) &&
    (state === '' || is === state) &&
    (file === '' || fileOf(gap) === file) &&
    (wanted === '' || `${gap.description} ${gap.criterionId}`.toLowerCase().includes(wanted))
  );
}

function stateOf(gap: Gap, open: boolean): string {
  if (gap.standing === 'disputed' || gap.standing === 'waived') return gap.standing;
  return open ? 'open' : 'closed';
}

function fileOf({ location, affectedArtifact }: Gap): string {
  return location?.file ?? affectedArtifact ?? '';
}

/** Returns where a gap is: `a.html:3`. */
function placeOf(gap: Gap): string {
  const { line } = gap.location ?? {};
  const file = fileOf(gap) || 'the whole output';
  return line === undefined ? file : `${file}:${line}`;
}

function GapPage(props: { readonly run: ModelRun; readonly id: string; readonly gap: Gap }) {
  const { run, id, gap } = props;
  const links = useLinks();
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Fix', gap.suggestedFix],
    ['Place', placeOf(gap)],
    ['Kind', gap.category],
    ['Effort', gap.estimatedEffort],
    ['Criterion', gap.criterionId],
    ['Raised by', gap.raisedBy],
    ['Standing', gap.standing],
  ];
  return (
    <article>
      <p>
        <a href={links.to('gaps')}>All gaps</a>
      </p>
      <h2>
        <Chip kind={gap.severity}>{gap.severity}</Chip> <Prose>{gap.description}</Prose>
      </h2>
      <Facts
        facts={[
          ...facts.map(
            ([name, value]) =>
              [name, value === undefined ? value : <Prose key={name}>{value}</Prose>] as const,
          ),
          ['Requirement', affectedRequirement(run, gap, links)],
          ['Found in', historyOf(run, id)],
        ]}
      />
      {gap.picture && (
        <figure>
          <img src={gap.picture} alt={`${placeOf(gap)} as the browser shows it`} />
          <figcaption>The page as the browser shows it</figcaption>
        </figure>
      )}
      {gap.evidence !== undefined && (
        <figure>
          <blockquote>
            <Code>{gap.evidence}</Code>
          </blockquote>
          <figcaption>What the reviewer quotes</figcaption>
        </figure>
      )}
    </article>
  );
}

function affectedRequirement(
  { requirements }: ModelRun,
  { affectedRequirement: text }: Gap,
  links: Links,
): JSX.Element | undefined {
  if (text === undefined) return undefined;
  return (
    <>
      <RequirementLink id={requirements.find((one) => one.text === text)?.id} links={links} />
      <Prose>{text}</Prose>
    </>
  );
}

function historyOf(run: ModelRun, id: string): string {
  const open = run.reviews.filter(({ gaps }) => gaps.includes(id));
  const fixed = run.reviews.flatMap(({ iteration, fixed: closed }) =>
    closed.filter((one) => one.id === id).map(({ by }) => `closed in review ${iteration} by ${by}`),
  );
  const unjudged = run.reviews.flatMap(({ iteration, closed }) =>
    closed.filter((one) => one.id === id).map(({ as }) => `${as} in review ${iteration}`),
  );
  const reviews = open.map(({ iteration }) => iteration).join(', ');
  return [`review ${reviews || 'none'}`, ...fixed, ...unjudged].join('; ');
}
