import type { ComponentChildren, JSX } from 'preact';
import { visible } from '../../shown-text.js';
import type { ModelRun, RunVerdict, Said } from '../report-model.js';
import { HowFar, Lives } from './how-far.js';
import { useLinks } from './links.js';
import { Open } from './open.js';
import { Code, Copy, Prose, Section, Tag } from './texts.js';

const signs = {
  ok: 'm7.8 12.4 3 3 5.6-6.4',
  warn: 'M9.3 9.3a2.8 2.8 0 1 1 3.9 2.6c-.8.4-1.2.9-1.2 1.8m0 3.2v.1',
  bad: 'm8.5 8.5 7 7m0-7-7 7',
  gone: 'M8 12h8',
};

function Sign({ look }: Pick<RunVerdict, 'look'>): JSX.Element {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2.6"
      stroke-linecap="round"
      aria-hidden="true"
    >
      <circle cx="12" cy="12" r="9.5" />
      <path d={signs[look]} />
    </svg>
  );
}

export function Verdict({ run }: { readonly run: ModelRun }): JSX.Element {
  const { verdict, back, open, next, reviews, audit } = run;
  const links = useLinks();
  const [first] = next;
  const also = (path: string, text: string) => (
    <>
      {' '}
      <a href={links.to(path)}>{text}</a>
    </>
  );
  return (
    <>
      <div class={`panel verdict is-${verdict.look}`}>
        <header>
          <p class="word">
            <Sign look={verdict.look} />
            <Prose>{verdict.word}</Prose>
          </p>
          {verdict.why !== '' && (
            <p class="why">
              <Prose>{verdict.why}</Prose>
            </p>
          )}
          {audit !== undefined && !audit.intact && (
            <p>
              <Tag look="bad">audit log broken</Tag> <Prose>{audit.state}</Prose>
            </p>
          )}
        </header>
        <dl class="tri">
          <Tile name="What came back" said={back}>
            {reviews.length > 1 && also('versions', 'What changed')}
          </Tile>
          <Tile name="What is open" said={open}>
            {hasOpen(run) && also('open', 'Read')}
          </Tile>
          <Tile name="What to do next" said={nextSaid(run)}>
            {first !== undefined && <Code>{first.command}</Code>}
            {next.length > 1 && also('next', 'All ways on')}
          </Tile>
        </dl>
      </div>
      {hasOpen(run) && <Open run={run} />}
      {next.length > 0 && <Next run={run} />}
      {reviews.length > 0 && <HowFar run={run} />}
      {run.gaps.length > 0 && <Lives run={run} />}
    </>
  );
}

function hasOpen({ questions, open }: ModelRun): boolean {
  return questions.length > 0 || open.word !== 'Nothing';
}

function nextSaid({ next: [first], verdict, status }: ModelRun): Said {
  const work = first === undefined ? 'Change the work, then review again' : 'Run this';
  const waits = status === 'suspended' ? 'Answer the question' : work;
  const done = first === undefined && verdict.look === 'ok' ? 'Nothing' : waits;
  return { word: first?.why || done, why: '' };
}

function Tile(props: {
  readonly name: string;
  readonly said: Said;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>
        <b>{visible(props.said.word)}</b>
        <Prose>{props.said.why}</Prose>
        {props.children}
      </dd>
    </div>
  );
}

function Next({ run }: { readonly run: ModelRun }): JSX.Element {
  return (
    <Section id="next" title="What to do next">
      <ol class="panel list next">
        {run.next.map(({ why, command }) => (
          <li key={command}>
            <Prose>{why}</Prose>
            <Code>{command}</Code>
            <Copy text={command} />
          </li>
        ))}
      </ol>
    </Section>
  );
}
