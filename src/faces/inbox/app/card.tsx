import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Prose } from '../../reports/html/app/texts.js';
import { timeText } from '../../reports/shown-text.js';
import type { ListedRequest } from '../list-requests.js';
import type { ReviewCard } from '../show-run.js';
import { AnswerForm } from './answer-form.js';
import { type CardActions, type Draft, effectOf } from './draft.js';
import { readRun } from './inbox-api.js';
import { requestFragment } from './inbox-route.js';
import { Key, Question } from './question.js';

interface Shown extends CardActions {
  readonly request: ListedRequest;
  readonly draft: Draft;
  /** What sending does, while it can be undone or is under way. */
  readonly pending: { readonly say: string; readonly undo: boolean } | undefined;
  /** Why the last answer was refused. */
  readonly problem: string | undefined;
  /** Known already where the review is shown. */
  readonly card?: ReviewCard | undefined;
}

export function Card(props: Shown): JSX.Element {
  const { request, pending, problem } = props;
  const { id, runId, title, pipeline, askedAt, expiresAt, expired } = request;
  const card = useCard(runId, props.card);
  const heading = card?.title ?? title ?? pipeline;
  return (
    <article class="panel card" {...focusable} data-done={pending !== undefined}>
      <header class="ch">
        <h2>
          <Prose>{heading}</Prose>
        </h2>
        <small>
          <Prose>{card?.said ?? ''}</Prose>
        </small>
        <small class="end">
          asked {timeText(askedAt)}
          {expiresAt !== undefined && !expired && `, until ${timeText(expiresAt)}`},{' '}
          <a href={requestFragment(runId, id)}>the whole review</a>
        </small>
      </header>
      {pending === undefined ? (
        <Body {...props} card={card} />
      ) : (
        <footer class="cf">
          <Say>{pending.say}</Say>
          {pending.undo && (
            <button type="button" data-undo onClick={props.onUndo}>
              Undo <Key name="u" />
            </button>
          )}
        </footer>
      )}
      {pending === undefined && problem !== undefined && (
        <p class="problem one" role="alert">
          <Prose>{problem}</Prose>
        </p>
      )}
    </article>
  );
}

/** A card takes the focus, so that keys have a place. */
const focusable = { tabIndex: 0, 'data-card': true } as const;

function Body(props: Shown): JSX.Element {
  const { request, draft, card, onDraft, onSend } = props;
  const { question, subject, undecided, allowed, elsewhere, expired } = request;
  const closed = elsewhere ?? (expired && 'This question has expired: it takes no answer.');
  const form = <AnswerForm request={request} onSend={onSend} />;
  if (closed || undecided.length === 0)
    return (
      <div class="one">
        <h3>
          <Prose>{question}</Prose>
        </h3>
        {subject !== undefined && <pre class="subject">{subjectText(subject)}</pre>}
        {closed ? (
          <p class="problem">
            <Prose>{closed}</Prose>
          </p>
        ) : (
          form
        )}
      </div>
    );
  const questions = (must: boolean) =>
    undecided
      .filter(({ mandatory }) => (mandatory !== false) === must)
      .map((asked) => (
        <Question
          key={asked.criterion}
          {...{ asked, draft, onDraft }}
          known={card?.questions.find(({ criterion }) => criterion === asked.criterion)}
        />
      ));
  const optional = questions(false);
  const { say, verb, ready, answer } = effectOf(request, draft);
  return (
    <>
      {questions(true)}
      {optional.length > 0 && (
        <details class="opt">
          <summary>{optional.length} more may stay open</summary>
          {optional}
        </details>
      )}
      {allowed.length > 1 && (
        <details class="opt">
          <summary>Other answers</summary>
          {form}
        </details>
      )}
      <footer class="cf">
        <Say>{say}</Say>
        <button
          type="button"
          class="main"
          data-send
          disabled={!ready}
          onClick={() => onSend(answer, say)}
        >
          {verb} <Key name="Enter" />
        </button>
      </footer>
    </>
  );
}

/** What sending does. */
function Say({ children }: { readonly children: string }): JSX.Element {
  return (
    <span class="say" role="status">
      {children}
    </span>
  );
}

/** Set once it is read; a review that cannot be read has none. */
function useCard(runId: string, known: ReviewCard | undefined): ReviewCard | undefined {
  const [card, setCard] = useState(known);
  useEffect(() => {
    if (known === undefined)
      readRun(runId).then(
        (shown) => setCard(shown.card),
        () => undefined,
      );
  }, [runId]);
  return known ?? card;
}

function subjectText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
