import { truncate } from '../../text/truncate.js';
import { fence } from '../prompt/fence.js';

/** How many characters of an unusable answer the model sees again. */
const answerShown = 2000;

/** Returns the message that asks again and contains the problem. */
export function reaskText(problem: string, raw: string, nonce: string): string {
  return [
    `Your answer could not be used: ${truncate(problem, answerShown).text}`,
    raw.trim() === ''
      ? 'It was empty.'
      : `It was:\n${fence('your answer', truncate(raw, answerShown).text, nonce)}`,
    'Answer the question again, with one complete JSON value of the asked shape and nothing else.',
  ].join('\n\n');
}
