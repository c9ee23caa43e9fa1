import type { JSX } from 'preact';
import { timeText } from '../../shown-text.js';
import type { ReportModel } from '../report-model.js';
import { LinkContext } from './links.js';
import { fragmentOf, type Route, views } from './route.js';
import { HeadedView, RunHead, RunView } from './run-views.js';
import { Runs } from './runs.js';
import { Code, Prose } from './texts.js';

/** The loop whose last turn carries a check. */
function Logo(): JSX.Element {
  return (
    <svg
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      stroke-width="3.4"
      stroke-linecap="round"
      aria-hidden="true"
    >
      <path d="M25.6 8.1A12.2 12.2 0 1 0 28.2 16M26.6 2.6v6.2h-6.2M10.6 16.3l4 4 7-7.8" />
    </svg>
  );
}

/** On paper it shows all views of all runs. */
export function App(props: {
  readonly model: ReportModel;
  readonly route: Route;
  readonly print: boolean;
}): JSX.Element {
  const { model, route, print } = props;
  const several = model.runs.length !== 1;
  const run = route.view === 'runs' ? undefined : model.runs[route.run];
  const shown = route.view === 'runs' ? 0 : route.run;
  return (
    <LinkContext.Provider value={{ to: (path) => fragmentOf(shown, several, path) }}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class="wrap">
        <header class="top">
          <a class="brand" href={several ? '#runs' : '#run'}>
            <Logo />
            reviewloop
          </a>
          {several && (
            <a href="#runs" aria-current={run === undefined ? 'page' : undefined}>
              All runs
            </a>
          )}
          <span class="end">{run !== undefined && <Code>{run.runId.slice(0, 13)}</Code>}</span>
        </header>
        <main id="main" tabIndex={-1}>
          {print ? (
            <Paper model={model} />
          ) : run === undefined || route.view === 'runs' ? (
            <Runs model={model} />
          ) : (
            <HeadedView view={route.view} run={run} argument={route.argument} />
          )}
        </main>
        <footer>
          {model.cuts.map((cut) => (
            <p key={cut}>
              <Prose>{cut}</Prose>
            </p>
          ))}
          <p>
            <Prose>{`Made by ${model.generator} at ${timeText(model.at)}. This file is complete: it needs no network.`}</Prose>
          </p>
        </footer>
      </div>
    </LinkContext.Provider>
  );
}

function Paper({ model }: { readonly model: ReportModel }): JSX.Element {
  return (
    <>
      {model.runs.length !== 1 && <Runs model={model} />}
      {model.runs.map((run, index) => (
        <article key={index}>
          <RunHead view="run" run={run} />
          {views.map((view) => (
            <RunView key={view} view={view} run={run} argument="" />
          ))}
        </article>
      ))}
    </>
  );
}
