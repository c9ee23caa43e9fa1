import { useRef, useState } from 'preact/hooks';
import type { ListedRequest } from '../list-requests.js';
import { messageOf, type SentAnswer, sendAnswer } from './inbox-api.js';

/** Nothing is sent before. */
const undoMs = 5_000;

interface Pending {
  readonly say: string;
  readonly undo: boolean;
}

/** Answers are known by the id of their question. */
export function useSending(say: (words: string) => void) {
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
