import { truncate } from '../../text/truncate.js';
import { fence } from '../prompt/fence.js';
import { promptNonce } from '../prompt/prompt-nonce.js';

/** How many characters of an unusable answer the model sees again. */
const answerShown = 2000;

/** Returns the message that asks again and contains the problem. */
export function reaskText(problem: string, raw: string, prompt: string): string {
  const nonce = promptNonce(prompt, [problem, raw]);
  return [
    `Your answer could not be used: ${truncate(problem, answerShown).text}`,
    raw.trim() === ''
      ? 'It was empty.'
      : `It was:\n${fence('your answer', truncate(raw, answerShown).text, nonce)}`,
    'Answer the question again. Write one complete JSON value of the asked shape, with no words ' +
      'before or after it.',
  ].join('\n\n');
}
