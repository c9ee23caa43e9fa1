import { createContext, Fragment, type FunctionComponent, h, type JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { Prose } from '../../reports/html/app/texts.js';
import type { ListedRequest } from '../list-requests.js';
import type { ReviewCard, ShownRun } from '../show-run.js';
import { messageOf, readRun } from './inbox-api.js';
import { type InboxRoute, requestFragment } from './inbox-route.js';
import type { RunPanelProps } from './views.js';

export function RequestView(props: {
  readonly route: Extract<InboxRoute, { kind: 'request' }>;
  /** Counts the changes of the list; the run is read again after each. */
  readonly changes: number;
  readonly cardOf: (request: ListedRequest, known: ReviewCard) => JSX.Element;
}): JSX.Element {
  const { runId, id, view, argument } = props.route;
  const [shown, setShown] = useState<ShownRun>();
  const [problem, setProblem] = useState('');
  // a component is a function, which a state would call
  const [views, setViews] = useState<{ readonly Panel: FunctionComponent<RunPanelProps> }>();
  useEffect(() => {
    loadRunPanel().then(
      (Panel) => setViews({ Panel }),
      (error: unknown) => setProblem(messageOf(error)),
    );
  }, []);
  useEffect(() => {
    readRun(runId).then(setShown, (error: unknown) => setProblem(messageOf(error)));
  }, [runId, props.changes]);
  if (shown === undefined)
    return (
      <>
        <h1>{problem === '' ? 'Reading the run' : 'The run cannot be read'}</h1>
        <p>
          <Prose>{problem}</Prose>
        </p>
      </>
    );
  const { run, card, requests, cuts } = shown;
  const request = requests.find((one) => one.id === id);
  const question = (
    <>
      {request === undefined ? (
        <p class="problem">This question waits no more. The list shows those that wait.</p>
      ) : (
        props.cardOf(request, card)
      )}
      <Others requests={requests.filter((one) => one.id !== id)} />
    </>
  );
  if (views === undefined)
    return (
      <>
        {question}
        <p role="status">
          {problem === '' ? 'Reading the views of the run' : `The views cannot be read: ${problem}`}
        </p>
      </>
    );
  return (
    <>
      <views.Panel
        run={run}
        view={view}
        argument={argument}
        to={(path) => requestFragment(runId, id, path)}
      >
        {question}
      </views.Panel>
      {cuts.map((cut) => (
        <p key={cut}>
          <small>{cut}</small>
        </p>
      ))}
    </>
  );
}

function Others({ requests }: { readonly requests: readonly ListedRequest[] }) {
  if (requests.length === 0) return null;
  return (
    <>
      <p>This run also asks:</p>
      <ul>
        {requests.map(({ id, runId, question }) => (
          <li key={id}>
            <a href={requestFragment(runId, id)}>
              <Prose>{question}</Prose>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What the two programs of the page share. scripts/report-shell.mjs names the same parts. */
interface SharedPrograms {
  readonly parts: object;
  /** Set by the second program. */
  RunPanel?: FunctionComponent<RunPanelProps>;
}

declare global {
  var reviewloop: SharedPrograms | undefined;
}

globalThis.reviewloop = {
  parts: { createContext, Fragment, h, useContext, useEffect, useRef, useState },
};

let loading: Promise<FunctionComponent<RunPanelProps>> | undefined;

/**
 * The list does not need them. The content policy of the page names their hash, so that it accepts
 * no other text.
 */
function loadRunPanel(): Promise<FunctionComponent<RunPanelProps>> {
  loading ??= readPanel().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function readPanel(): Promise<FunctionComponent<RunPanelProps>> {
  const response = await fetch('views.js');
  const script = document.createElement('script');
  script.textContent = await response.text();
  document.head.append(script);
  const panel = globalThis.reviewloop?.RunPanel;
  if (panel === undefined) throw new Error('the views are of another version; load the page again');
  return panel;
}
