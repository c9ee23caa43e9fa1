import { ReviewLoopError } from '../../../core/errors.js';
import { digestOf } from '../../../core/json.js';
import { jsonIn } from '../../../core/json-or-text.js';
import { modelErrors } from '../errors.js';
import { readFences } from '../prompt/fence.js';
import { hasDoubles, repairJson, scanJson, startsLikeBlock } from './repair-json.js';

export interface Reading {
  readonly value: unknown;
  readonly repaired: boolean;
}

/**
 * Only thoughts before the JSON and one code fence around it are removed: JSON in prose, in a list
 * or in an unfinished object may be a quote, an example or a draft. Material of the prompt,
 * repeated, is not an answer, and neither is a value with a member twice.
 *
 * @param prompt - The text of the question.
 */
export async function readAnswer(
  given: string,
  prompt: string,
  { repair = false }: { readonly repair?: boolean | undefined } = {},
): Promise<Reading> {
  const text = answerIn(given, prompt);
  if (text === '') throw unusable('answer_empty', 'the answer is empty', given);
  const reading = await readWhole(text, repair);
  if (reading === undefined) throw unreadable(given, text);
  if (reading === 'doubles')
    throw unusable('answer_ambiguous', 'the answer contains a member twice', given);
  if (isQuoted(text, prompt))
    throw unusable(
      'answer_unreadable',
      'the answer is a quote from the material of the prompt',
      given,
    );
  return reading;
}

function unusable(code: keyof typeof modelErrors, what: string, value: string): ReviewLoopError {
  return new ReviewLoopError(modelErrors[code], what, { value, retryable: true });
}

/** The greatest depth of an answer. Deeper values would exceed the stack of those who read them. */
const mostDepth = 1000;

async function readWhole(text: string, repair: boolean): Promise<Reading | 'doubles' | undefined> {
  const isBlock = startsLikeBlock(text);
  const { end, depth } = isBlock ? scanJson(text) : { end: -1, depth: 0 };
  if (depth > mostDepth) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return hasDoubles(text, value) ? 'doubles' : { value, repaired: false };
  } catch {
    const repaired = repair && end === text.length ? await repairJson(text) : undefined;
    return repaired && { ...repaired, repaired: true };
  }
}

function answerIn(given: string, prompt: string): string {
  return withoutFence(withoutThoughts(given.replace(/^\uFEFF/, ''), prompt).trim());
}

/**
 * Both must be the same value: words beside an object may say the opposite, and nobody here can
 * tell.
 */
export async function readBoth(text: string, object: unknown, prompt: string): Promise<Reading> {
  const said = answerIn(text, prompt);
  const isJson = startsLikeBlock(said) || jsonIn(said) !== undefined;
  const reading = isJson ? await readAnswer(text, prompt) : undefined;
  if (reading !== undefined && digestOf(reading.value) === digestOf(object)) return reading;
  const why = isJson
    ? 'the object of the answer differs from its text'
    : `the answer has words beside its object: ${shown(text)}`;
  throw unusable('answer_ambiguous', why, text);
}

function withoutFence(text: string): string {
  const mark = /^(?:`{3,}|~{3,})/.exec(text)?.[0];
  const body = text.indexOf('\n') + 1;
  if (mark === undefined || body === 0 || !text.endsWith(mark)) return text;
  const end = text.length - mark.length;
  return end > body && text.charCodeAt(end - 1) === 10 ? text.slice(body, end).trim() : text;
}

/** Returns whether an object or a list occurs in the fenced material of a prompt. */
function isQuoted(text: string, prompt: string): boolean {
  if (!startsLikeBlock(text) || !prompt.includes('<<<UNTRUSTED ')) return false;
  const wanted = squeezed(text);
  return (
    wanted.length > 2 && readFences(prompt).some((shown) => squeezed(shown.text).includes(wanted))
  );
}

function squeezed(text: string): string {
  return text.replace(/\s/g, '');
}

const refusal =
  /^\W{0,100}(?:(?:i['’]?m|i am|we['’]?re) (?:really |very |so )?(?:sorry|unable|not able)|sorry|my apologies|i (?:apologi[sz]e|can(?:no|['’]?)t|can not|won['’]?t|will not|must decline|have to decline)|as an ai\b|unfortunately,? i (?:can|am|must))/i;

function unreadable(given: string, text: string): ReviewLoopError {
  if (startsLikeBlock(text) && scanJson(text).end < 0)
    return unusable('answer_truncated', 'the answer ends before its JSON does', given);
  if (refusal.test(given) && !/[{[]/.test(given)) {
    const what = `the model refused: ${shown(given)}`;
    return new ReviewLoopError(modelErrors.answer_refused, what, { value: given });
  }
  const why = /[{[]/.test(text)
    ? 'the answer must be one JSON value, with no words before or after it'
    : 'the answer contains no JSON';
  return unusable('answer_unreadable', `${why}: ${shown(given)}`, given);
}

function shown(text: string): string {
  const start = text.trimStart().slice(0, 1000).replace(/\s+/g, ' ').trim();
  return start.length > 200 ? `${start.slice(0, 200)}...` : start;
}

const name = '(think|thinking|thought|reasoning)';

const opened = new RegExp(`^\\s*<${name}>`, 'i');

const closed = new RegExp(`</${name}>`, 'i');

const everyEnd = new RegExp(closed, 'gi');

/**
 * Some services drop the tag that begins the thoughts; then a line with the tag that ends them
 * counts, if it is the only tag in the text and in `shown`.
 *
 * @param shown - What the model was shown. A tag from there does not end thoughts.
 */
export function withoutThoughts(text: string, shown: string): string {
  let rest = text;
  for (let tag = opened.exec(rest); tag !== null; tag = opened.exec(rest)) {
    const end = endOf(rest, tag[1] ?? '', tag[0].length);
    if (end < 0) return '';
    rest = rest.slice(end);
  }
  return rest === text ? afterLoneEnd(text, shown) : rest;
}

/** Returns the place after the tag that ends the thoughts; -1 if they do not end. */
function endOf(text: string, tag: string, from: number): number {
  for (const { 0: end, 1: ended = '', index } of text.slice(from).matchAll(everyEnd))
    if (ended.toLowerCase() === tag.toLowerCase()) return from + index + end.length;
  return -1;
}

function afterLoneEnd(text: string, shown: string): string {
  const [first, ...others] = text.matchAll(everyEnd);
  if (first === undefined || others.length > 0 || /^\s*[{[]/.test(text)) return text;
  const after = first.index + first[0].length;
  const begin = text.lastIndexOf('\n', first.index) + 1;
  const isAlone = `${text.slice(begin, first.index)}${lineFrom(text, after)}`.trim() === '';
  return isAlone && shown.search(closed) < 0 ? text.slice(after) : text;
}

function lineFrom(text: string, from: number): string {
  const end = text.indexOf('\n', from);
  return text.slice(from, end < 0 ? undefined : end);
}
