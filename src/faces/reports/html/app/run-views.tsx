import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { timeText, visible } from '../../shown-text.js';
import type { ModelRun } from '../report-model.js';
import { About } from './about.js';
import { signOf } from './how-far.js';
import { Judges } from './judges.js';
import { RequirementLink, useLinks } from './links.js';
import { Quote } from './open.js';
import { type View, views } from './route.js';
import {
  Code,
  durationText,
  Facts,
  lookOf,
  Prose,
  plural,
  Section,
  Table,
  Tag,
  useMost,
} from './texts.js';
import { Verdict } from './verdict.js';
import { Versions } from './versions.js';

function RunNavigation(props: { readonly view: View; readonly run: ModelRun }): JSX.Element {
  const { view, run } = props;
  const links = useLinks();
  return (
    <nav class="tabs" aria-label="Views of this run">
      {views.map((one) => (
        <a
          key={one}
          href={links.to(one)}
          aria-current={one === (view === 'gap' ? 'run' : view) ? 'page' : undefined}
        >
          {nameOf(one, run)}
        </a>
      ))}
    </nav>
  );
}

function nameOf(view: View, { reviews, requirements, judges }: ModelRun): string {
  if (view === 'versions') return `Versions ${reviews.length}`;
  if (view === 'requirements') return `Requirements ${requirements.length}`;
  if (view === 'judges') return `Judges ${judges.count}`;
  return view === 'about' ? 'The run' : 'Verdict';
}

interface ShownView {
  readonly view: View;
  readonly run: ModelRun;
  readonly argument: string;
}

export function RunHead({ view, run }: Pick<ShownView, 'view' | 'run'>): JSX.Element {
  const { title, task, files, requirements, verdict } = run;
  const counted = [
    ...(files.length > 0 ? [plural(files.length, 'file')] : []),
    ...(requirements.length > 0 ? [plural(requirements.length, 'requirement')] : []),
  ].join(', ');
  const of = task.source === title ? '' : ` of ${task.source}`;
  const about = `${counted}${counted === '' ? task.source : of}. Reviewed ${timeText(run.at)}, in ${durationText(run.durationMs)}.`;
  return (
    <>
      <h1>
        <Prose>{title}</Prose>
      </h1>
      <p class="soft">
        <Prose>{view === 'run' ? about : verdict.word}</Prose>
      </p>
    </>
  );
}

/** `children` stand between name and view. What the address names takes the focus. */
export function HeadedView(props: ShownView & { readonly children?: ComponentChildren }) {
  const { view, argument } = props;
  useEffect(() => {
    const named = document.getElementById(argument);
    named?.focus();
    named?.scrollIntoView({ block: view === 'run' ? 'start' : 'center' });
  }, [view, argument]);
  return (
    <>
      <RunHead {...props} />
      {props.children}
      <RunNavigation {...props} />
      <RunView {...props} />
    </>
  );
}

export function RunView({ view, run, argument }: ShownView): JSX.Element {
  if (view === 'gap') return <Gap run={run} id={argument} />;
  if (view === 'requirements') return <Requirements run={run} id={argument} />;
  if (view === 'versions') return <Versions run={run} pair={argument} />;
  if (view === 'judges') return <Judges run={run} />;
  if (view === 'about') return <About run={run} />;
  return <Verdict run={run} />;
}

const looks: Readonly<Record<string, 'ok' | 'bad' | 'warn'>> = { met: 'ok', 'not met': 'bad' };

function Requirements(props: { readonly run: ModelRun; readonly id: string }): JSX.Element {
  const { run, id } = props;
  const { requirements, reviews } = run;
  const place = requirements.findIndex((one) => one.id === id);
  const { most, button } = useMost(requirements.length, Math.max(200, place + 1));
  const back = reviews.find(({ best }) => best)?.iteration;
  if (requirements.length === 0) return <p>No requirements were judged in this run.</p>;
  return (
    <Section id="requirement-list" title="Requirements">
      {id !== '' && place < 0 && (
        <p role="status">{`This report has no requirement ${visible(id)}.`}</p>
      )}
      <Table
        label="Requirements"
        heads={['requirement', back === undefined ? 'state' : `version ${back}`, 'who says so']}
        rows={requirements.slice(0, most).map((one, index) => ({
          key: index,
          id: one.id,
          cells: [
            <Prose>{`${one.id ?? ''} ${one.text}`}</Prose>,
            <Tag look={looks[one.state] ?? 'warn'}>{one.state}</Tag>,
            <>
              <Prose>{one.by}</Prose>
              {one.evidence.map(({ file, line, quote, doubt }) => (
                <small key={line}>
                  <Prose>{`${file}:${line}${doubt === undefined ? '' : `, ${doubt}`}`}</Prose>
                  <Quote>{quote}</Quote>
                </small>
              ))}
            </>,
          ],
        }))}
      />
      {button}
    </Section>
  );
}

/** Everything that is known of one gap. */
function Gap({ run, id }: { readonly run: ModelRun; readonly id: string }): JSX.Element {
  const links = useLinks();
  const gap = run.gaps.find((one) => one.id === id);
  if (gap === undefined) return <p role="status">This report has no gap {id}.</p>;
  const place = gap.location?.line === undefined ? gap.file : `${gap.file}:${gap.location.line}`;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Fix', gap.suggestedFix],
    ['Kind', gap.category],
    ['Effort', gap.estimatedEffort],
    ['Criterion', gap.criterionId],
    ['Raised by', gap.raisedBy],
    ['Standing', gap.standing],
  ];
  const lives = gap.life.flatMap((state, index) =>
    state === '' ? [] : [`${signOf(state)[0]} ${state} in version ${index + 1}`],
  );
  return (
    <section>
      <h2>
        <Tag look={lookOf(gap.severity)}>{gap.severity}</Tag> <Prose>{gap.text}</Prose>
      </h2>
      <Facts
        facts={[
          ['Place', <Code key="place">{place || 'the whole output'}</Code>],
          ...facts.map(
            ([name, value]) =>
              [name, value === undefined ? value : <Prose key={name}>{value}</Prose>] as const,
          ),
          [
            'Requirement',
            gap.affectedRequirement && (
              <>
                <RequirementLink id={gap.requirement} links={links} />
                <Prose>{gap.affectedRequirement}</Prose>
              </>
            ),
          ],
          ['Life', lives.join('; ')],
        ]}
      />
      {gap.evidence !== undefined && (
        <figure>
          <figcaption class="cap">What the reviewer quotes</figcaption>
          <Quote>{gap.evidence}</Quote>
        </figure>
      )}
      {gap.picture && (
        <figure>
          <img src={gap.picture} alt={`${place} as the browser shows it`} />
          <figcaption class="cap">The page as the browser shows it</figcaption>
        </figure>
      )}
      <p>
        <a href={links.to('open')}>All gaps</a>
      </p>
    </section>
  );
}
