import type { ListedRequest } from '../list-requests.js';
import type { SentAnswer } from './inbox-api.js';

/** Met, not met, or nobody knows. */
export type Choice = 'yes' | 'no' | 'open';

/** What a person has answered so far, by criterion. */
export interface Draft {
  readonly choices: Readonly<Record<string, Choice>>;
  /** What is missing where the answer is no. */
  readonly missing: Readonly<Record<string, string>>;
}

export const noDraft: Draft = { choices: {}, missing: {} };

export interface CardActions {
  /** Changes the newest draft: two keys may be pressed before the card is drawn again. */
  readonly onDraft: (change: (draft: Draft) => Draft) => void;
  /** Sends an answer; without one, the card is put away. `say` is what sending does. */
  readonly onSend: (answer: SentAnswer | undefined, say: string) => void;
  readonly onUndo: () => void;
}

export interface DraftEffect {
  /** In words. */
  readonly say: string;
  /** The word of the button. */
  readonly verb: string;
  readonly ready: boolean;
  /** Left out if nothing is decided: nothing is sent then. */
  readonly answer?: SentAnswer | undefined;
}

type Asked = Pick<ListedRequest, 'undecided' | 'approves'>;

/** Must-haves without an answer; a review without any counts as one. */
export function unanswered({ undecided }: Asked, { choices }: Draft): number {
  if (undecided.length === 0) return 1;
  return undecided.filter((one) => one.mandatory !== false && !choices[one.criterion]).length;
}

export function effectOf(request: Asked, draft: Draft): DraftEffect {
  const { choices } = draft;
  const asked = request.undecided.filter(({ criterion }) => choices[criterion] !== undefined);
  const no = asked.filter(({ criterion }) => choices[criterion] === 'no');
  const left = unanswered(request, draft);
  const open = asked.filter(
    ({ criterion, mandatory }) => mandatory !== false && choices[criterion] === 'open',
  ).length;
  const answer = answerOf(draft, no.length + left + open === 0 && request.approves === true);
  if (asked.length === 0) return { say: 'No answer yet.', verb: 'Send', ready: false };
  if (no.length > 0 && no.every(({ mandatory }) => mandatory === false) && left === 0)
    return {
      say: `Reports ${gaps(no.length)}, then asks again.`,
      verb: 'Send',
      ready: true,
      answer,
    };
  if (no.length > 0)
    return {
      say: `Sends it back with ${gaps(no.length)}. The agent goes on.`,
      ...{ verb: 'Send back', ready: true, answer },
    };
  if (left > 0) return { say: `${left} more to answer.`, verb: 'Send', ready: false };
  if (open > 0)
    return {
      say: `Stays open: ${open} not decided. Nothing is approved.`,
      ...{ verb: 'Leave open', ready: true, answer },
    };
  return request.approves === true
    ? {
        say: 'Approves this version, in your name. Nothing else is asked.',
        ...{ verb: 'Approve', ready: true, answer },
      }
    : { say: 'Decides what was open. The review goes on.', verb: 'Send', ready: true, answer };
}

function gaps(count: number): string {
  return `${count} gap${count === 1 ? '' : 's'}`;
}

function answerOf({ choices, missing }: Draft, approve: boolean): SentAnswer | undefined {
  const decided = Object.entries(choices).filter(([, choice]) => choice !== 'open');
  if (decided.length === 0) return undefined;
  const words = decided.flatMap(([criterion, choice]) => {
    const text = missing[criterion]?.trim() ?? '';
    return choice === 'no' && text !== '' ? [[criterion, text]] : [];
  });
  return {
    kind: 'decide',
    decisions: Object.fromEntries(decided),
    ...(words.length > 0 && { missing: Object.fromEntries(words) }),
    ...(approve && { approve }),
  };
}
