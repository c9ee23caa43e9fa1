import type { JSX } from 'preact';
import type { ModelRun } from '../report-model.js';
import { Gaps } from './gaps.js';
import { Judges } from './judges.js';
import { useLinks } from './links.js';
import { Overview } from './overview.js';
import { People } from './people.js';
import { Requirements } from './requirements.js';
import { type View, views } from './route.js';
import { Prose } from './texts.js';
import { Trust } from './trust.js';
import { Versions } from './versions.js';

export const viewNames: Readonly<Record<View, string>> = {
  run: 'Verdict',
  requirements: 'Requirements',
  gaps: 'Gaps',
  versions: 'Versions',
  judges: 'Judges',
  trust: 'Trust',
  people: 'People',
};

export function RunNavigation(props: {
  readonly view: View;
  readonly run: ModelRun | undefined;
}): JSX.Element {
  const { view, run } = props;
  const links = useLinks();
  return (
    <nav aria-label="Views">
      <ul>
        {viewsOf(run).map((one) => (
          <li key={one}>
            <a href={links.to(one)} aria-current={one === view ? 'page' : undefined}>
              {viewNames[one]}
              {run !== undefined && <small>{countOf(one, run)}</small>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Returns the views that have something to show. Without calibrations there is none of trust. */
export function viewsOf(run: ModelRun | undefined): readonly View[] {
  return views.filter((view) => view !== 'trust' || (run?.calibrations.length ?? 0) > 0);
}

function countOf(view: View, run: ModelRun): string {
  if (view === 'requirements') return ` ${run.requirements.length}`;
  if (view === 'gaps') return ` ${Object.keys(run.gaps).length}`;
  if (view === 'versions') return ` ${run.reviews.length}`;
  return '';
}

interface ShownView {
  readonly view: View;
  readonly run: ModelRun;
  readonly argument: string;
}

export function HeadedView({ view, run, argument }: ShownView): JSX.Element {
  return (
    <>
      {view !== 'run' && (
        <h1>
          {viewNames[view]}
          <small>
            <Prose>{run.verdict.word}</Prose>
          </small>
        </h1>
      )}
      <RunView view={view} run={run} argument={argument} />
    </>
  );
}

export function RunView({ view, run, argument }: ShownView): JSX.Element {
  if (view === 'requirements') return <Requirements run={run} id={argument} />;
  if (view === 'gaps') return <Gaps run={run} id={argument} />;
  if (view === 'versions') return <Versions run={run} pair={argument} />;
  if (view === 'judges') return <Judges run={run} />;
  if (view === 'trust') return <Trust run={run} />;
  if (view === 'people') return <People run={run} />;
  return <Overview run={run} />;
}
