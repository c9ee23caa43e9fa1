import { ReviewLoopError } from '../../../core/errors.js';
import type { LLMProvider, LLMRequest } from '../../../core/llm-provider.js';
import type { Usage } from '../../../core/usage.js';
import { modelErrors } from '../errors.js';

type Prompt = Pick<LLMRequest, 'system' | 'messages'>;

/**
 * A word, or a number in ASCII digits. No known tokenizer puts two of them into one token. Without
 * bounds a word of megabytes would exceed the stack.
 */
const word =
  /(?:(?!\d)[\p{L}\p{M}\p{N}\u200C\u200D]){1,2000}(?:['’][\p{L}\p{M}]{1,2000}){0,100}|\d+/gu;

/** Letters of scripts without spaces between words. */
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu;

/** How many letters without spaces are at least one token, on average. */
const lettersOfToken = 6;

/** Whatever tokenizer counts them. */
export function leastTokens(text: string): number {
  let least = 0;
  for (const [found] of text.matchAll(word)) {
    const letters = found.length > lettersOfToken ? (found.match(unspaced)?.length ?? 0) : 0;
    least += Math.max(1, letters / lettersOfToken);
  }
  return Math.floor(least);
}

/** As far as the report of the service says. */
function readOf({ inputTokens, cachedInputTokens = 0, totalTokens }: Usage): number | undefined {
  // 0: an answer from a cache
  const read = inputTokens || totalTokens || undefined;
  // some services do not count what they cached as read
  return read !== undefined && cachedInputTokens > read ? read + cachedInputTokens : read;
}

function leastOf({ system = '', messages }: Prompt): number {
  return messages.reduce((sum, { content }) => sum + leastTokens(content), leastTokens(system));
}

/** The shortest prompt, in tokens, whose report counts. Every model in use reads a shorter one. */
const shortest = 512;

/** Returns whether a service reports that it read less than it was sent. */
export function isCut(prompt: Prompt, usage: Usage): boolean {
  const read = readOf(usage);
  if (read === undefined) return false;
  const least = leastOf(prompt);
  return least >= shortest && read < least;
}

/**
 * Checks that the model can read the whole prompt, and that it did, as far as its service reports
 * that.
 */
export function ensureAllRead(
  { id, capabilities }: LLMProvider,
  prompt: Prompt,
  usage: Usage = {},
): void {
  const read = readOf(usage);
  const { contextTokens: limit = Number.POSITIVE_INFINITY } = capabilities;
  const isFull = (read ?? 0) >= limit;
  const least = leastOf(prompt);
  if (least <= limit && !isFull && !isCut(prompt, usage)) return;
  const context = isFull || least > limit ? `, in a context of ${limit}` : '';
  throw new ReviewLoopError(
    modelErrors.view_truncated,
    `${id} read ${read ?? 'not all'} of at least ${Math.max(least, read ?? 0)} tokens${context}`,
    { value: { usage } },
  );
}

/** How an answer ends that is not whole, by the word of the provider. */
const ends: Readonly<Record<string, readonly [keyof typeof modelErrors, string, boolean]>> = {
  length: ['answer_truncated', 'the answer was cut off', false],
  'content-filter': ['answer_filtered', 'the answer was stopped by a filter', false],
  error: ['provider_malformed', 'the service ended the answer with an error', true],
};

/** @param word - The service's own word for the end, which people can look up. */
export function ensureWhole(finish: string, raw: string, word: string = finish): void {
  if (finish === 'stop' && !isDegenerate(raw)) return;
  const [code, what, retryable] =
    finish === 'stop'
      ? (['answer_degenerate', 'the answer repeats itself without end', true] as const)
      : (ends[finish] ?? ['answer_unreadable', `the answer ended with ${word}`, true]);
  throw new ReviewLoopError(modelErrors[code], what, { value: raw, retryable });
}

/** How many characters are checked at a time. A repetition of twice this length is always found. */
const frame = 1024;

/** The longest piece, in characters, whose repetition counts. */
const longestPiece = 128;

/** Returns whether a text repeats one short piece over and over. Takes linear time. */
export function isDegenerate(text: string): boolean {
  for (let start = 0; start + frame <= text.length; start += frame) {
    const part = text.slice(start, start + frame);
    const period = part.indexOf(part.slice(0, longestPiece), 1);
    if (period > 0 && period <= longestPiece && part.startsWith(part.slice(period))) return true;
  }
  return false;
}
