import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { timeText } from '../../time-text.js';
import type { ModelRun } from '../report-model.js';
import { About } from './about.js';
import { Gap } from './gap.js';
import { Judges } from './judges.js';
import { useLinks } from './links.js';
import { Requirements } from './requirements.js';
import { type View, views } from './route.js';
import { durationText, Prose, plural } from './texts.js';
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
