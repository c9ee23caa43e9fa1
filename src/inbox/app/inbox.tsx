import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Prose } from '../../reports/html/app/texts.js';
import type { RequestPage } from '../list-requests.js';
import { ApiError, followChanges, listPage, messageOf } from './inbox-api.js';
import { type InboxRoute, inboxRouteOf } from './inbox-route.js';
import { RequestList } from './request-list.js';
import { RequestView } from './request-view.js';
import { TokenForm } from './token-form.js';

const usual = 25;
const most = 100;

/** The page: the list of questions, or one question with its run. */
export function Inbox({ route }: { readonly route: InboxRoute }): JSX.Element {
  const { page, changes, problem, said, say, more, retry } = useInbox();
  const opened = route.kind === 'request' ? `${route.runId} ${route.id}` : undefined;
  useEffect(() => {
    // what was said is about an earlier question
    if (opened !== undefined) say('');
  }, [opened]);
  const lost = problem instanceof ApiError && problem.status === 401;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <p class="brand">{route.kind === 'list' ? 'reviewloop' : <a href="#inbox">Inbox</a>}</p>
      </header>
      <main id="main" tabIndex={-1}>
        <p role="status">
          <Prose>{said}</Prose>
        </p>
        {problem !== undefined && !lost && (
          <p class="problem" role="alert">
            <Prose>{`The inbox does not answer: ${messageOf(problem)}. It is asked again.`}</Prose>
          </p>
        )}
        {lost && <TokenForm wantsToken={problem.wantsToken} onToken={retry} />}
        {!lost && route.kind === 'list' && <RequestList page={page} onMore={more} />}
        {!lost && route.kind === 'request' && (
          <RequestView
            key={`${route.runId} ${route.id}`}
            route={route}
            changes={changes}
            onAnswered={(words) => {
              say(words);
              // whoever went on to another question stays there
              if (isShown(route)) location.hash = '#inbox';
            }}
          />
        )}
      </main>
    </>
  );
}

function isShown({ runId, id }: Extract<InboxRoute, { kind: 'request' }>): boolean {
  const shown = inboxRouteOf(location.hash);
  return shown.kind === 'request' && shown.runId === runId && shown.id === id;
}

/** The list of questions, kept up to date. */
function useInbox() {
  const [page, setPage] = useState<RequestPage>();
  const [changes, setChanges] = useState(0);
  const [problem, setProblem] = useState<unknown>();
  const [said, say] = useState('');
  const [attempt, setAttempt] = useState(0);
  const shown = useRef(0);
  useEffect(() => {
    shown.current = page?.requests.length ?? 0;
    document.title = shown.current === 0 ? 'Inbox' : `(${shown.current}) Inbox`;
  }, [page]);
  useEffect(() => {
    const stop = new AbortController();
    void followChanges(
      stop.signal,
      (change) => {
        if (change.kind === 'refused') say(`Your answer was refused: ${change.message}`);
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
  return { page, changes, problem, said, say, more, retry };
}
