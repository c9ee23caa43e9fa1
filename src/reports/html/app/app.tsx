import type { JSX } from 'preact';
import type { ModelRun, ReportModel } from '../report-model.js';
import { Gaps } from './gaps.js';
import { Judges } from './judges.js';
import { LinkContext } from './links.js';
import { Overview } from './overview.js';
import { People } from './people.js';
import { Requirements } from './requirements.js';
import { fragmentOf, type Route, type View, views } from './route.js';
import { Runs } from './runs.js';
import { Prose, timeText } from './texts.js';
import { Versions } from './versions.js';

const names: Readonly<Record<View, string>> = {
  run: 'Verdict',
  requirements: 'Requirements',
  gaps: 'Gaps',
  versions: 'Versions',
  judges: 'Judges',
  people: 'People',
};

/** The page. On paper it shows all views of all runs. */
export function App(props: {
  readonly model: ReportModel;
  readonly route: Route;
  readonly print: boolean;
}): JSX.Element {
  const { model, route, print } = props;
  const several = model.runs.length !== 1;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <p class="brand">
          {several && <a href="#runs">All runs</a>}
          <Prose>{model.title}</Prose>
        </p>
        {route.view !== 'runs' && !print && (
          <Navigation route={route} several={several} run={model.runs[route.run]} />
        )}
      </header>
      <main id="main" tabIndex={-1}>
        {print ? <Paper model={model} /> : <Shown model={model} route={route} />}
      </main>
      <footer>
        {model.cuts.map((cut) => (
          <p key={cut}>
            <Prose>{cut}</Prose>
          </p>
        ))}
        <p>
          <Prose>{`Made by ${model.generator} at ${timeText(model.at)}. It needs no network.`}</Prose>
        </p>
      </footer>
    </>
  );
}

function Navigation(props: {
  readonly route: Exclude<Route, { view: 'runs' }>;
  readonly several: boolean;
  readonly run: ModelRun | undefined;
}): JSX.Element {
  const { route, several, run } = props;
  return (
    <nav aria-label="Views">
      <ul>
        {views.map((view) => (
          <li key={view}>
            <a
              href={fragmentOf(route.run, several, view)}
              aria-current={route.view === view ? 'page' : undefined}
            >
              {names[view]}
              {run !== undefined && <small>{countOf(view, run)}</small>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function countOf(view: View, run: ModelRun): string {
  if (view === 'requirements') return ` ${run.requirements.length}`;
  if (view === 'gaps') return ` ${Object.keys(run.gaps).length}`;
  if (view === 'versions') return ` ${run.reviews.length}`;
  return '';
}

function Shown({ model, route }: { readonly model: ReportModel; readonly route: Route }) {
  const run = route.view === 'runs' ? undefined : model.runs[route.run];
  if (route.view === 'runs' || run === undefined) return <Runs model={model} />;
  const several = model.runs.length !== 1;
  return (
    <LinkContext.Provider value={{ to: (path) => fragmentOf(route.run, several, path) }}>
      {route.view !== 'run' && (
        <h1>
          {names[route.view]}
          <small>
            <Prose>{run.headline}</Prose>
          </small>
        </h1>
      )}
      <ViewOf view={route.view} run={run} argument={route.argument} />
    </LinkContext.Provider>
  );
}

function ViewOf(props: { readonly view: View; readonly run: ModelRun; readonly argument: string }) {
  const { view, run, argument } = props;
  if (view === 'requirements') return <Requirements run={run} />;
  if (view === 'gaps') return <Gaps run={run} id={argument} />;
  if (view === 'versions') return <Versions run={run} pair={argument} />;
  if (view === 'judges') return <Judges run={run} />;
  if (view === 'people') return <People run={run} />;
  return <Overview run={run} />;
}

function Paper({ model }: { readonly model: ReportModel }): JSX.Element {
  return (
    <>
      {model.runs.length !== 1 && <Runs model={model} />}
      {model.runs.map((run, index) => (
        <article key={index}>
          {views.map((view) => (
            <div key={view} class="paper">
              {view !== 'run' && <h1>{names[view]}</h1>}
              <ViewOf view={view} run={run} argument="" />
            </div>
          ))}
        </article>
      ))}
    </>
  );
}
