import type { JSX } from 'preact';
import { timeText } from '../../shown-text.js';
import type { ModelRun, ReportModel } from '../report-model.js';
import { LinkContext } from './links.js';
import { fragmentOf, type Route, views } from './route.js';
import { HeadedView, RunHead, RunView } from './run-views.js';
import { Code, durationText, Prose, plural } from './texts.js';

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

/** They come by task: the newest task first, and the newest run of each. */
function Runs({ model }: { readonly model: ReportModel }): JSX.Element {
  const numbered = model.runs
    .map((run, index) => ({ run, index }))
    .sort((a, b) => (a.run.at < b.run.at ? 1 : -1));
  const keyOf = ({ title, task }: ModelRun) => JSON.stringify([title, task.source]);
  const tasks = [...new Set(numbered.map(({ run }) => keyOf(run)))];
  const waiting = model.runs.filter(isWaiting);
  const asked = waiting.flatMap(({ questions }) =>
    questions.filter(({ tag }) => tag === 'must' || tag === 'question'),
  ).length;
  const inbox = waiting
    .flatMap(({ next }) => next)
    .find(({ command }) => command.startsWith('reviewloop inbox'));
  return (
    <>
      <h1>Runs</h1>
      <p class="soft">
        {`${plural(model.runs.length, 'run')} of ${plural(tasks.length, 'task')}`}
        {asked > 0 && `. ${plural(asked, 'question')} in ${plural(waiting.length, 'run')} for you`}
        {inbox && (
          <>
            : <Code>{inbox.command}</Code>
          </>
        )}
      </p>
      {tasks.map((task) => {
        const own = numbered.filter(({ run }) => keyOf(run) === task);
        return (
          <section key={task}>
            <h2>
              <Prose>{own[0]?.run.title ?? ''}</Prose>{' '}
              <small class="mono">
                <Prose>{sourceOf(own[0]?.run)}</Prose>
              </small>
            </h2>
            <ul class="panel list runs">
              {own.map(({ run, index }) => (
                <Run key={run.runId} run={run} index={index} />
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}

function sourceOf(run: ModelRun | undefined): string {
  return run === undefined || run.task.source === run.title ? '' : run.task.source;
}

/** A person must say something before the run is decided. */
function isWaiting({ verdict }: ModelRun): boolean {
  return verdict.look === 'warn';
}

function Run({ run, index }: { readonly run: ModelRun; readonly index: number }): JSX.Element {
  const { verdict, open, reviews, next } = run;
  const [word = '', more] = verdict.word.split(/: (.*)/s);
  const back = reviews.find(({ best }) => best);
  return (
    <li class={`is-${verdict.look}`}>
      <a href={fragmentOf(index, true)}>
        <Prose>{word}</Prose>
      </a>
      <Prose>{more ?? (open.word === 'Nothing' ? 'nothing is open' : open.word)}</Prose>
      <small>{back === undefined ? 'no version' : `version ${back.iteration}`}</small>
      <small>{timeText(run.at).slice(0, 16)}</small>
      <small>{`${run.cost || 'no model'}, ${durationText(run.durationMs)}`}</small>
      <small>
        <Code>{run.runId.slice(0, 13)}</Code>
      </small>
      {isWaiting(run) && next[0] && (
        <p>
          next <Code>{next[0].command}</Code>
        </p>
      )}
    </li>
  );
}
