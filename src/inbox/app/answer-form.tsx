import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { jsonOrText } from '../../core/json-or-text.js';
import { Prose } from '../../reports/html/app/texts.js';
import type { ModelRun } from '../../reports/html/report-model.js';
import type { ListedRequest } from '../list-requests.js';
import { Decisions } from './decisions.js';
import { messageOf, type SentAnswer, sendAnswer } from './inbox-api.js';

type Kind = ListedRequest['allowed'][number];

/** The answers that a question allows. */
export function AnswerForm(props: {
  readonly request: ListedRequest;
  readonly run: ModelRun;
  readonly onAnswered: (words: string) => void;
}): JSX.Element {
  const { request, run, onAnswered } = props;
  const { allowed, undecided, question, expired } = request;
  const [kind, setKind] = useState<Kind | undefined>(
    allowed.includes('decide') && undecided.length > 0 ? 'decide' : undefined,
  );
  const [text, setText] = useState('');
  const [decisions, setDecisions] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState('');
  const [sending, setSending] = useState(false);
  const words = useRef<HTMLTextAreaElement>(null);
  const isPointed = useRef(false);
  // whoever points at an answer that needs words writes them next; arrow keys must not leave the choices
  useEffect(() => {
    if (isPointed.current && words.current?.required === true) words.current.focus();
    isPointed.current = false;
  }, [kind]);
  const need = needOf(kind, request);
  const send = async (event: Event) => {
    event.preventDefault();
    const wrong = wrongIn({ kind, need, text, decisions });
    setProblem(wrong);
    if (wrong !== '' || kind === undefined || sending) return;
    setSending(true);
    try {
      onAnswered(wordsAfter(await sendAnswer(request, answerOf(kind, text, decisions))));
    } catch (error) {
      setProblem(messageOf(error));
    }
    setSending(false);
  };
  if (request.elsewhere !== undefined) return <Elsewhere request={request} />;
  if (expired) return <p class="problem">This question has expired: it takes no answer.</p>;
  return (
    <section class="answer" aria-labelledby="question">
      <h2 id="question">
        <Prose>{question}</Prose>
      </h2>
      {request.subject !== undefined && <pre class="subject">{textOf(request.subject)}</pre>}
      <form onSubmit={(event) => void send(event)}>
        <fieldset class="choices">
          <legend>Your answer</legend>
          {allowed.map((one) => (
            <label
              key={one}
              onPointerDown={() => {
                isPointed.current = true;
              }}
              onKeyDown={() => {
                isPointed.current = false;
              }}
            >
              <input
                type="radio"
                name="kind"
                value={one}
                checked={one === kind}
                onChange={() => setKind(one)}
              />{' '}
              {nameOf(one, request)}
            </label>
          ))}
        </fieldset>
        {kind === 'decide' && (
          <Decisions undecided={undecided} run={run} chosen={decisions} onChoice={setDecisions} />
        )}
        {kind !== undefined && (
          <p>
            <label>
              {need.label}
              <textarea
                ref={words}
                rows={3}
                value={text}
                required={need.required}
                onInput={(event) => setText(event.currentTarget.value)}
              />
            </label>
          </p>
        )}
        {problem !== '' && (
          <p class="problem" role="alert">
            <Prose>{problem}</Prose>
          </p>
        )}
        <button type="submit" aria-disabled={sending}>
          {sending ? 'Sending' : 'Send answer'}
        </button>
      </form>
    </section>
  );
}

/** A question that another inbox answers: it is shown, but takes no answer here. */
function Elsewhere({ request }: { readonly request: ListedRequest }): JSX.Element {
  return (
    <section class="answer" aria-labelledby="question">
      <h2 id="question">
        <Prose>{request.question}</Prose>
      </h2>
      {request.subject !== undefined && <pre class="subject">{textOf(request.subject)}</pre>}
      <p class="problem">
        <Prose>{request.elsewhere ?? ''}</Prose>
      </p>
    </section>
  );
}

function nameOf(kind: Kind, { overrides }: ListedRequest): string {
  if (kind === 'approve') return overrides ? 'Approve although it is not approved' : 'Approve';
  if (kind === 'revise') return 'Ask for a revision';
  if (kind === 'override') return 'Override';
  if (kind === 'decide') return 'Decide one by one';
  if (kind === 'reply') return 'Reply';
  return kind === 'reject' ? 'Reject' : 'Skip';
}

interface Need {
  readonly label: string;
  readonly required: boolean;
}

/** Returns JSON data for a person; a text as it is. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function needOf(
  kind: Kind | undefined,
  { overrides, responseSchema }: Pick<ListedRequest, 'overrides' | 'responseSchema'>,
): Need {
  if (kind === 'reply') {
    const schema = responseSchema === undefined ? '' : `, by the schema ${textOf(responseSchema)}`;
    return { label: `Your reply as JSON or as a text${schema}`, required: true };
  }
  if (kind === 'revise') return { label: 'What to change', required: true };
  if (kind === 'override' || (kind === 'approve' && overrides))
    return { label: 'Reason', required: true };
  return { label: 'Reason, if there is one', required: false };
}

/** Returns what is missing in an answer; '' if nothing is. */
function wrongIn(given: {
  readonly kind: Kind | undefined;
  readonly need: Need;
  readonly text: string;
  readonly decisions: Readonly<Record<string, string>>;
}): string {
  const { kind, need, text, decisions } = given;
  if (kind === undefined) return 'Choose an answer first.';
  if (need.required && text.trim() === '') return `${need.label}: write a few words.`;
  return kind === 'decide' && Object.keys(decisions).length === 0 ? 'Decide at least one.' : '';
}

function answerOf(
  kind: Kind,
  text: string,
  decisions: Readonly<Record<string, string>>,
): SentAnswer {
  const words = text.trim();
  if (kind === 'revise') return { kind, note: words };
  if (kind === 'reply') return { kind, value: jsonOrText(words) };
  return { kind, ...(words !== '' && { reason: words }), ...(kind === 'decide' && { decisions }) };
}

function wordsAfter({ status, reason }: { readonly status: string; readonly reason?: string }) {
  if (status === 'running') return 'Your answer is taken, and the run goes on.';
  return `Your answer is taken. The run is ${status} now${reason === undefined ? '.' : `: ${reason}`}`;
}
