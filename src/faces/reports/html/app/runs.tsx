import type { JSX } from 'preact';
import { timeText } from '../../shown-text.js';
import type { ModelRun, ReportModel } from '../report-model.js';
import { fragmentOf } from './route.js';
import { Code, durationText, Prose, plural } from './texts.js';

/** They come by task: the newest task first, and the newest run of each. */
export function Runs({ model }: { readonly model: ReportModel }): JSX.Element {
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
