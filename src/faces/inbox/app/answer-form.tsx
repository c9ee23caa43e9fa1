import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { jsonOrText } from '../../../core/json-or-text.js';
import { Prose } from '../../reports/html/app/texts.js';
import type { ListedRequest } from '../list-requests.js';
import type { CardActions } from './draft.js';
import type { SentAnswer } from './inbox-api.js';

type Kind = ListedRequest['allowed'][number];

/** The answers about a version as a whole. */
export function AnswerForm(props: {
  readonly request: ListedRequest;
  readonly onSend: CardActions['onSend'];
}): JSX.Element {
  const { request, onSend } = props;
  const { id, allowed, overrides } = request;
  const [kind, setKind] = useState<Kind>();
  const [text, setText] = useState('');
  const kinds = allowed.filter((one) => one !== 'decide');
  const need = kind && needOf(kind, request);
  const ready = need !== undefined && (!need.required || text.trim() !== '');
  const send = (event: Event) => {
    event.preventDefault();
    if (kind !== undefined && ready) onSend(answerOf(kind, text.trim()), effects[kind]);
  };
  return (
    <form onSubmit={send}>
      <div class="ans" role="radiogroup" aria-label="Your answer">
        {kinds.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name={`kind ${id}`}
              checked={one === kind}
              onChange={() => setKind(one)}
            />{' '}
            {one === 'approve' && overrides ? 'Approve although it is not approved' : names[one]}
          </label>
        ))}
      </div>
      {need !== undefined && (
        <label class="no">
          {need.label}
          <textarea
            rows={2}
            value={text}
            required={need.required}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
      )}
      <div class="ans">
        <small role="status">
          <Prose>{kind === undefined ? 'No answer yet.' : effects[kind]}</Prose>
        </small>
        <button type="submit" class="main" disabled={!ready}>
          Send
        </button>
      </div>
    </form>
  );
}

const names: Readonly<Record<Kind, string>> = {
  approve: 'Approve',
  revise: 'Ask for a revision',
  override: 'Override',
  decide: 'Decide',
  reply: 'Reply',
  reject: 'Reject',
  skip: 'Skip',
};

const effects: Readonly<Record<Kind, string>> = {
  approve: 'Approves this version, in your name.',
  revise: 'Sends it back. The agent goes on.',
  override: 'Accepts it against the reviewers, in your name.',
  decide: '',
  reply: 'Goes to whoever asks.',
  reject: 'Rejects it, in your name.',
  skip: 'Accepts it without your decision.',
};

function needOf(
  kind: Kind,
  { overrides, responseSchema }: Pick<ListedRequest, 'overrides' | 'responseSchema'>,
): { readonly label: string; readonly required: boolean } {
  if (kind === 'reply') {
    const schema =
      responseSchema === undefined ? '' : `, by the schema ${JSON.stringify(responseSchema)}`;
    return { label: `Your reply as JSON or as a text${schema}`, required: true };
  }
  if (kind === 'revise') return { label: 'What is missing? The agent reads this.', required: true };
  const required = kind === 'override' || (kind === 'approve' && overrides);
  return { label: required ? 'Reason' : 'Reason, if there is one', required };
}

function answerOf(kind: Kind, words: string): SentAnswer {
  if (kind === 'revise') return { kind, note: words };
  if (kind === 'reply') return { kind, value: jsonOrText(words) };
  return { kind, ...(words !== '' && { reason: words }) };
}
