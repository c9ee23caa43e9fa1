import { ReviewLoopError } from '../../core/errors.js';
import { canonicalJson } from '../../core/json.js';
import { modelErrors } from '../errors.js';
import { hasDoubles, type JsonBlock, jsonBlocks } from './json-blocks.js';
import { isRecord, type JsonSchema } from './json-schema.js';
import { repairJson } from './repair-json.js';

/** The value of an answer. */
export interface Reading {
  readonly value: unknown;
  /** Whether the text was repaired to become valid JSON. */
  readonly repaired: boolean;
}

/** What the answer must match. */
export interface ExpectedAnswer {
  readonly schema: JsonSchema;
  /** The text of the question. A quote from it does not count as an answer. */
  readonly prompt: string;
}

/**
 * Returns the one JSON value in the text of a model. Thoughts of the model and quotes from the
 * prompt are ignored. Several different values are an error, and so is a truncated value or one
 * with a member twice.
 *
 * @throws ReviewLoopError `answer_empty`, `answer_unreadable`, `answer_truncated`,
 *   `answer_ambiguous`, `answer_refused`
 */
export async function readAnswer(given: string, expected: ExpectedAnswer): Promise<Reading> {
  const text = withoutEchoes(withoutThoughts(given.replace(/^\uFEFF/, ''))).trim();
  if (text === '')
    throw new ReviewLoopError(modelErrors.answer_empty, 'the answer is empty', {
      value: given,
      retryable: true,
    });
  const wanted = wantedBy(expected.schema);
  if (wanted.kind === 'other') {
    const value = parsed(text);
    if (value === undefined) throw unreadable(given);
    return { value, repaired: false };
  }
  const blocks = jsonBlocks(text);
  const readings = await Promise.all(blocks.map((block) => reading(block, wanted)));
  const answers = distinct(readings.filter((found) => found !== undefined));
  const own =
    answers.length > 1
      ? answers.filter(({ source }) => !expected.prompt.includes(source))
      : answers.filter(({ source }) => !isQuoted(source, expected.prompt));
  const cutOff = blocks.some(({ closed, text: part }) => !closed && mentions(part, wanted));
  const [answer] = own;
  if (own.length > 1 || (answer !== undefined && cutOff))
    throw new ReviewLoopError(
      modelErrors.answer_ambiguous,
      `the model gave ${own.length + Number(cutOff)} different answers`,
      { value: given, retryable: true },
    );
  if (answer !== undefined) return { value: answer.value, repaired: answer.repaired };
  if (cutOff)
    throw new ReviewLoopError(
      modelErrors.answer_truncated,
      'the answer ends before its JSON does',
      {
        value: given,
        retryable: true,
      },
    );
  throw unreadable(given);
}

interface Wanted {
  readonly kind: 'object' | 'array' | 'other';
  /** The names of the members of the root, if it is an object. */
  readonly names: ReadonlySet<string>;
  /** Whether an object without members could be an answer. */
  readonly mayBeEmpty: boolean;
}

const known = new WeakMap<JsonSchema, Wanted>();

function wantedBy(schema: JsonSchema): Wanted {
  const wanted = known.get(schema) ?? kindOf(schema);
  known.set(schema, wanted);
  return wanted;
}

function kindOf(schema: JsonSchema): Wanted {
  const variants = Array.isArray(schema['anyOf'] ?? schema['oneOf'])
    ? ((schema['anyOf'] ?? schema['oneOf']) as unknown[]).filter(isRecord)
    : [schema];
  const names = new Set(
    variants.flatMap(({ properties }) => (isRecord(properties) ? Object.keys(properties) : [])),
  );
  const mayBeEmpty = variants.some(
    ({ required }) => !Array.isArray(required) || required.length === 0,
  );
  if (variants.every(({ type }) => type === 'object')) return { kind: 'object', names, mayBeEmpty };
  return {
    kind: variants.every(({ type }) => type === 'array') ? 'array' : 'other',
    names,
    mayBeEmpty,
  };
}

/** Returns the value of a block; `undefined` if it is something else, for example code. */
async function reading(block: JsonBlock, wanted: Wanted): Promise<Sourced | undefined> {
  const { text, value } = block;
  if (value !== undefined) {
    if (!isWanted(value, wanted)) return undefined;
    if (hasDoubles(text, value))
      throw new ReviewLoopError(
        modelErrors.answer_ambiguous,
        'the answer contains a member twice',
        {
          value: text,
          retryable: true,
        },
      );
    return { value, repaired: false, source: text };
  }
  const repaired = await repairJson(block);
  return repaired !== undefined && isWanted(repaired.value, wanted)
    ? { ...repaired, repaired: true, source: text }
    : undefined;
}

function isWanted(value: unknown, { kind, names, mayBeEmpty }: Wanted): boolean {
  if (kind === 'array') return Array.isArray(value);
  if (!isRecord(value)) return false;
  const given = Object.keys(value);
  return given.length === 0
    ? mayBeEmpty
    : names.size === 0 || given.some((name) => names.has(name));
}

function mentions(text: string, { kind, names }: Wanted): boolean {
  return kind === 'array' ? text.startsWith('[') : [...names].some((name) => text.includes(name));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

interface Sourced extends Reading {
  readonly source: string;
}

function distinct(readings: readonly Sourced[]): readonly Sourced[] {
  if (readings.length < 2) return readings;
  return [...new Map(readings.map((found) => [canonicalJson(found.value), found])).values()];
}

/** Returns whether a text occurs in the fenced material of a prompt. */
function isQuoted(source: string, prompt: string): boolean {
  for (let at = prompt.indexOf(source); at >= 0; at = prompt.indexOf(source, at + source.length)) {
    const opened = prompt.lastIndexOf('<<<UNTRUSTED ', at);
    const closed = prompt.lastIndexOf('<<<END ', at);
    if (opened > closed) return true;
  }
  return false;
}

const thoughts = /^\s*<(think|thinking|thought|reasoning)>(?:[\s\S]*?<\/\1>|[\s\S]*$)/i;
const endOfThoughts = /^[ \t]*<\/(?:think|thinking|thought|reasoning)>[ \t]*$/im;

/** Returns the text after the thoughts of a model. */
function withoutThoughts(text: string): string {
  let rest = text;
  while (thoughts.test(rest)) rest = rest.replace(thoughts, '');
  if (rest !== text || !text.includes('</') || /^\s*[{[]/.test(text)) return rest;
  const end = endOfThoughts.exec(text);
  return end === null ? text : text.slice(end.index + end[0].length);
}

const echo = /^<<<UNTRUSTED ([0-9a-zA-Z-]+) [^\n]*>>>$(?:[\s\S]*?^<<<END \1>>>$|[\s\S]*$)/gm;

/** Returns the text without quoted material that still has its fences. */
function withoutEchoes(text: string): string {
  return text.includes('<<<UNTRUSTED ') ? text.replace(echo, '') : text;
}

const refusal =
  /^\W*(?:(?:i['’]?m|i am|we['’]?re) (?:really |very |so )?(?:sorry|unable|not able)|sorry|my apologies|i (?:apologi[sz]e|can(?:no|['’]?)t|can not|won['’]?t|will not|must decline|have to decline)|as an ai\b|unfortunately,? i (?:can|am|must))/i;

function unreadable(text: string): ReviewLoopError {
  if (refusal.test(text))
    return new ReviewLoopError(modelErrors.answer_refused, `the model refused: ${shown(text)}`, {
      value: text,
    });
  return new ReviewLoopError(
    modelErrors.answer_unreadable,
    `the answer contains no JSON that matches the schema: ${shown(text)}`,
    { value: text, retryable: true },
  );
}

function shown(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 200 ? `${line.slice(0, 200)}...` : line;
}
