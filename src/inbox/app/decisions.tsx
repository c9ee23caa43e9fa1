import type { JSX } from 'preact';
import { Prose } from '../../reports/html/app/texts.js';
import type { ModelRun } from '../../reports/html/report-model.js';
import type { ListedRequest } from '../list-requests.js';

const words = { yes: 'Yes', no: 'No', leave: 'Leave open' } as const;

/** What no judge could tell, one by one: yes, no, or left open. */
export function Decisions(props: {
  readonly undecided: ListedRequest['undecided'];
  readonly run: ModelRun;
  readonly chosen: Readonly<Record<string, string>>;
  readonly onChoice: (chosen: Readonly<Record<string, string>>) => void;
}): JSX.Element {
  const { undecided, run, chosen, onChoice } = props;
  const ids = new Map(run.undecided.map(({ criterion, id }) => [criterion, id]));
  const choose = (criterion: string, word: string) => {
    const { [criterion]: _, ...others } = chosen;
    onChoice(word === 'leave' ? others : { ...others, [criterion]: word });
  };
  return (
    <>
      {undecided.map(({ criterion, question, reason }) => (
        <fieldset key={criterion} class="choices">
          <legend>
            {ids.get(criterion) !== undefined && <b>{ids.get(criterion)} </b>}
            <Prose>{question}</Prose>{' '}
            <small>
              <Prose>{reason}</Prose>
            </small>
          </legend>
          {(['yes', 'no', 'leave'] as const).map((word) => (
            <label key={word}>
              <input
                type="radio"
                name={`decide ${criterion}`}
                value={word}
                checked={(chosen[criterion] ?? 'leave') === word}
                onChange={() => choose(criterion, word)}
              />{' '}
              {words[word]}
            </label>
          ))}
        </fieldset>
      ))}
    </>
  );
}
