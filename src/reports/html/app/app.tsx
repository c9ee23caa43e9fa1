import type { JSX } from 'preact';
import { timeText } from '../../time-text.js';
import type { ReportModel } from '../report-model.js';
import { LinkContext } from './links.js';
import { fragmentOf, type Route } from './route.js';
import { HeadedView, RunNavigation, RunView, viewNames, viewsOf } from './run-views.js';
import { Runs } from './runs.js';
import { Prose } from './texts.js';

/** The page. On paper it shows all views of all runs. */
export function App(props: {
  readonly model: ReportModel;
  readonly route: Route;
  readonly print: boolean;
}): JSX.Element {
  const { model, route, print } = props;
  const several = model.runs.length !== 1;
  const shown = route.view === 'runs' ? 0 : route.run;
  return (
    <LinkContext.Provider value={{ to: (path) => fragmentOf(shown, several, path) }}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <p class="brand">
          {several && <a href="#runs">All runs</a>}
          <Prose>{model.title}</Prose>
        </p>
        {route.view !== 'runs' && !print && (
          <RunNavigation view={route.view} run={model.runs[route.run]} />
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
    </LinkContext.Provider>
  );
}

function Shown({ model, route }: { readonly model: ReportModel; readonly route: Route }) {
  const run = route.view === 'runs' ? undefined : model.runs[route.run];
  if (route.view === 'runs' || run === undefined) return <Runs model={model} />;
  return <HeadedView view={route.view} run={run} argument={route.argument} />;
}

function Paper({ model }: { readonly model: ReportModel }): JSX.Element {
  return (
    <>
      {model.runs.length !== 1 && <Runs model={model} />}
      {model.runs.map((run, index) => (
        <article key={index}>
          {viewsOf(run).map((view) => (
            <div key={view} class="paper">
              {view !== 'run' && <h1>{viewNames[view]}</h1>}
              <RunView view={view} run={run} argument="" />
            </div>
          ))}
        </article>
      ))}
    </>
  );
}
