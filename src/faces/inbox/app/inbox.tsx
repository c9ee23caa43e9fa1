import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Prose, plural } from '../../reports/html/app/texts.js';
import type { ListedRequest, RequestPage } from '../list-requests.js';
import type { ReviewCard } from '../show-run.js';
import { Card } from './card.js';
import { type Draft, noDraft, unanswered } from './draft.js';
import {
  ApiError,
  followChanges,
  listPage,
  messageOf,
  type SentAnswer,
  sendAnswer,
} from './inbox-api.js';
import type { InboxRoute } from './inbox-route.js';
import { Keys } from './keys.js';
import { RequestView } from './request-view.js';
import { keepToken } from './token.js';

const usual = 25;
const most = 100;

export function Inbox({ route }: { readonly route: InboxRoute }): JSX.Element {
  const { page, changes, problem, said, say, more, retry, sending } = useInbox();
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const opened = route.kind === 'request' ? `${route.runId} ${route.id}` : undefined;
  const waiting = (page?.requests ?? []).filter(({ id }) => sending.pending[id] === undefined);
  const answers = waiting.reduce((sum, one) => sum + unanswered(one, drafts[one.id] ?? noDraft), 0);
  useEffect(() => {
    // what was said is about an earlier question
    if (opened !== undefined) say('');
  }, [opened]);
  useEffect(() => {
    document.title = waiting.length === 0 ? 'Inbox' : `(${waiting.length}) Inbox`;
  }, [waiting.length]);
  const lost = problem instanceof ApiError && problem.status === 401;
  const cardOf = (request: ListedRequest, known?: ReviewCard) => (
    <Card
      key={request.id}
      request={request}
      card={known}
      draft={drafts[request.id] ?? noDraft}
      pending={sending.pending[request.id]}
      problem={sending.problems[request.id]}
      onDraft={(change) =>
        setDrafts((all) => ({ ...all, [request.id]: change(all[request.id] ?? noDraft) }))
      }
      onSend={(answer, words) => {
        sending.send(request, answer, words);
        if (route.kind === 'request') location.hash = '#inbox';
      }}
      onUndo={() => sending.undo(request.id)}
    />
  );
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class="wrap">
        <header class="top">
          <a class="brand" href="#inbox">
            reviewloop
          </a>
          <a href="#inbox" aria-current={route.kind === 'list' ? 'page' : undefined}>
            Inbox
          </a>
        </header>
        <main id="main" tabIndex={-1}>
          {!lost && route.kind === 'list' && (
            <>
              <h1>Inbox</h1>
              <p class="soft" role="status" data-count>
                {page !== undefined && waitText(waiting.length, answers, page.next !== undefined)}
              </p>
              <Keys />
            </>
          )}
          <p role="status">
            <Prose>{said}</Prose>
          </p>
          {problem !== undefined && !lost && (
            <p class="problem" role="alert">
              <Prose>{`The inbox does not answer: ${messageOf(problem)}. It is asked again.`}</Prose>
            </p>
          )}
          {lost && <TokenForm wantsToken={problem.wantsToken} onToken={retry} />}
          {!lost && route.kind === 'list' && (
            <>
              {page?.requests.map((request) => cardOf(request))}
              {page?.next !== undefined && (
                <p>
                  <button type="button" onClick={more}>
                    Show more
                  </button>
                </p>
              )}
            </>
          )}
          {!lost && route.kind === 'request' && (
            <RequestView
              key={`${route.runId} ${route.id}`}
              route={route}
              changes={changes}
              cardOf={cardOf}
            />
          )}
        </main>
      </div>
    </>
  );
}

/** `3 reviews wait for 2 answers`. */
function waitText(reviews: number, answers: number, isMore: boolean): string {
  if (reviews === 0) return 'Nothing waits.';
  const wait = reviews === 1 ? 'waits' : 'wait';
  const counted = isMore
    ? `The newest ${reviews} reviews ${wait}`
    : `${plural(reviews, 'review')} ${wait}`;
  return answers === 0 ? counted : `${counted} for ${plural(answers, 'answer')}`;
}

function useInbox() {
  const [page, setPage] = useState<RequestPage>();
  const [changes, setChanges] = useState(0);
  const [problem, setProblem] = useState<unknown>();
  const [said, say] = useState('');
  const [attempt, setAttempt] = useState(0);
  const sending = useSending(say);
  const shown = useRef(0);
  useEffect(() => {
    shown.current = page?.requests.length ?? 0;
  }, [page]);
  useEffect(() => {
    const stop = new AbortController();
    void followChanges(
      stop.signal,
      (change) => {
        if (change.kind === 'refused') sending.refused(change.id, change.message);
        listPage(Math.min(most, Math.max(usual, shown.current))).then((next) => {
          setPage(next);
          setProblem(undefined);
          setChanges((count) => count + 1);
        }, setProblem);
      },
      setProblem,
    );
    return () => stop.abort();
  }, [attempt]);
  const more = () => {
    const before = page?.requests ?? [];
    listPage(usual, page?.next).then(
      (next) => setPage({ ...next, requests: [...before, ...next.requests] }),
      setProblem,
    );
  };
  const retry = () => {
    setProblem(undefined);
    setAttempt(attempt + 1);
  };
  return { page, changes, problem, said, say, more, retry, sending };
}

/** Where the application signs people in, it says so. */
function TokenForm(props: {
  readonly wantsToken: boolean;
  readonly onToken: () => void;
}): JSX.Element {
  const [token, setToken] = useState('');
  if (!props.wantsToken)
    return (
      <>
        <h1>Inbox</h1>
        <p>Sign in to this site first, then load the page again.</p>
      </>
    );
  return (
    <>
      <h1>Inbox</h1>
      <p>
        Open the address that <code>reviewloop inbox</code> printed, or paste it or its token here.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          keepToken(token);
          props.onToken();
        }}
      >
        <label>
          Token{' '}
          <input
            type="password"
            autocomplete="off"
            required
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>{' '}
        <button type="submit">Open the inbox</button>
      </form>
    </>
  );
}

/** Nothing is sent before. */
const undoMs = 5_000;

interface Pending {
  readonly say: string;
  readonly undo: boolean;
}

/** Answers are known by the id of their question. */
function useSending(say: (words: string) => void) {
  const [pending, setPending] = useState<Readonly<Record<string, Pending>>>({});
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  const mark = (id: string, one: Pending | undefined) =>
    setPending(({ [id]: _, ...others }) => (one === undefined ? others : { ...others, [id]: one }));
  const send = (request: ListedRequest, answer: SentAnswer | undefined, words: string) => {
    const { id } = request;
    setProblems(({ [id]: _, ...others }) => others);
    say('');
    // what is put away is not sent, so it can be taken back as long as the page is open
    if (answer === undefined) {
      mark(id, { say: words, undo: true });
      return;
    }
    mark(id, { say: `Sent in 5 s: ${words}`, undo: true });
    const post = async () => {
      timers.current.delete(id);
      mark(id, { say: 'Sending', undo: false });
      try {
        say(wordsAfter(await sendAnswer(request, answer)));
        mark(id, { say: 'Sent', undo: false });
      } catch (error) {
        mark(id, undefined);
        setProblems((others) => ({ ...others, [id]: messageOf(error) }));
      }
    };
    timers.current.set(
      id,
      setTimeout(() => void post(), undoMs),
    );
  };
  const undo = (id: string) => {
    clearTimeout(timers.current.get(id));
    timers.current.delete(id);
    mark(id, undefined);
  };
  /** Shows a question again whose answer was refused late. */
  const refused = (id: string, message: string) => {
    mark(id, undefined);
    setProblems((others) => ({ ...others, [id]: `Your answer was refused: ${message}` }));
  };
  return { pending, problems, send, undo, refused };
}

function wordsAfter({ status, reason }: { readonly status: string; readonly reason?: string }) {
  if (status === 'running') return 'Your answer is taken, and the run goes on.';
  return `Your answer is taken. The run is ${status} now${reason === undefined ? '.' : `: ${reason}`}`;
}
