import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Passage, Prose } from '../../reports/html/app/texts.js';
import { visible } from '../../reports/shown-text.js';
import type { ListedRequest } from '../list-requests.js';
import type { CardQuestion } from '../show-run.js';
import type { CardActions, Choice, Draft } from './draft.js';

const choices: readonly (readonly [Choice, string, string])[] = [
  ['yes', 'Yes, met', 'y'],
  ['no', 'No', 'n'],
  ['open', 'Cannot tell', 'c'],
];

/** Shows it as the task words it, with its passage beside it, and the three answers. */
export function Question(props: {
  readonly asked: ListedRequest['undecided'][number];
  readonly known: CardQuestion | undefined;
  readonly draft: Draft;
  readonly onDraft: CardActions['onDraft'];
}): JSX.Element {
  const { asked, known, draft, onDraft } = props;
  const { criterion, question, reason, mandatory } = asked;
  const chosen = draft.choices[criterion];
  const must = mandatory !== false;
  const choose = (choice: Choice) =>
    onDraft((newest) => {
      const { [criterion]: before, ...others } = newest.choices;
      const choices = before === choice ? others : { ...others, [criterion]: choice };
      return { ...newest, choices };
    });
  return (
    <div class="q ask" data-must={must}>
      <div>
        <p>
          <span class={`tag is-${must ? 'warn' : 'gone'}`}>{must ? 'must' : 'may stay open'}</span>{' '}
          <small>{visible(known === undefined ? '' : placeOf(known, criterion))}</small>
        </p>
        <h3>
          <Prose>{known?.text ?? question}</Prose>
        </h3>
        <p>
          <small>
            <Prose>{reason}</Prose>
          </small>
        </p>
        <fieldset class="ans" aria-label="Your answer">
          {choices.map(([choice, words, key]) => (
            <button
              key={choice}
              type="button"
              class={choice === 'open' ? 'quiet' : ''}
              data-key={key}
              aria-pressed={chosen === choice}
              onClick={() => choose(choice)}
            >
              {words} <Key name={key} />
            </button>
          ))}
        </fieldset>
        {chosen === 'no' && (
          <Missing
            text={draft.missing[criterion] ?? ''}
            onText={(text) =>
              onDraft((newest) => ({
                ...newest,
                missing: { ...newest.missing, [criterion]: text },
              }))
            }
          />
        )}
      </div>
      <div>
        {known?.passages.map((passage, index) => (
          <Passage key={index} passage={passage} />
        ))}
        {known?.passages.length === 0 && <p class="cap">No line is known to show it.</p>}
      </div>
    </div>
  );
}

function placeOf({ id, place }: CardQuestion, criterion: string): string {
  return [id === criterion ? undefined : id, place].filter(Boolean).join(', ');
}

/** The key that does the same. */
export function Key({ name }: { readonly name: string }): JSX.Element {
  return (
    <span aria-hidden="true">
      <kbd>{name}</kbd>
    </span>
  );
}

/** Whoever says no writes next what is missing. */
function Missing(props: {
  readonly text: string;
  readonly onText: (text: string) => void;
}): JSX.Element {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <label class="no">
      What is missing? The agent reads this.
      <textarea
        ref={field}
        rows={2}
        value={props.text}
        onInput={(event) => props.onText(event.currentTarget.value)}
      />
    </label>
  );
}
