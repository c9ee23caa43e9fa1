import * as z from 'zod';
import { camelKey, snakeKey } from './keys.js';

export interface SchemaProblem {
  readonly path: readonly PropertyKey[];
  /** What is wrong, with the place. An unknown key is shown with the known ones. */
  readonly what: string;
}

export type CheckedData<Value> =
  | { readonly success: true; readonly data: Value }
  | {
      readonly success: false;
      readonly problems: readonly SchemaProblem[];
      readonly cause: z.ZodError;
    };

/** Problems name keys as they are written, also where the schema reads snake_case as camelCase. */
export function checkedData<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
): CheckedData<z.output<Schema>> {
  const parsed = schema.safeParse(data, { error: knownKeys });
  if (parsed.success) return parsed;
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, data));
  return { success: false, problems, cause: parsed.error };
}

export function problemText(problems: readonly SchemaProblem[]): string {
  return problems.map(({ what }) => what).join('; ');
}

/** The message of an unknown key lists the known ones: the issue itself does not name them. */
function knownKeys(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject
    ? Object.keys(issue.inst.shape).join(' ')
    : undefined;
}

function problemsOf(issue: z.core.$ZodIssue, data: unknown): SchemaProblem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => unknownKey(data, issue, key));
  if (issue.code === 'invalid_union')
    return lastForm(issue).flatMap((inner) => problemsOf(inner, data));
  const { path } = written(data, issue.path);
  const where = path.length === 0 ? '' : `\`${z.core.toDotPath(path)}\`: `;
  return [{ path, what: `${where}${issue.message}` }];
}

/**
 * Returns the issues of the last form, if several are allowed: its unknown keys, or else the
 * message of the whole union.
 */
function lastForm(issue: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] {
  const last = (issue.errors.at(-1) ?? []).map((inner) => ({
    ...inner,
    path: [...issue.path, ...inner.path],
  }));
  const unknown = last.filter(({ code }) => code === 'unrecognized_keys');
  if (unknown.length > 0) return unknown;
  if (issue.message !== unionMessage && issue.message !== '') return [asCustom(issue)];
  return last.length > 0 ? last : [asCustom(issue)];
}

const unionMessage = 'Invalid input';

function asCustom({ path, message }: z.core.$ZodIssue): z.core.$ZodIssue {
  return { code: 'custom', path, message };
}

function unknownKey(
  data: unknown,
  { path: parents, keys, message }: z.core.$ZodIssueUnrecognizedKeys,
  key: string,
): SchemaProblem {
  const { path, section } = written(data, [...parents, key]);
  // a key that the issue does not name as it is written was read as camelCase
  const isSnake = Object.keys(section).some((name) => name.includes('_') && !keys.includes(name));
  const known = message
    .split(' ')
    .filter((name) => name !== '')
    .map((name) => (isSnake ? snakeKey(name) : name));
  const near = likelyKey(String(path.at(-1) ?? ''), known);
  const advice = [
    ...(near === undefined ? [] : [`the nearest key is ${near}`]),
    ...(known.length === 0 ? [] : [`the keys are ${known.join(', ')}`]),
  ];
  const what = `unknown key \`${z.core.toDotPath(path)}\``;
  return { path, what: [what, ...advice].join('; ') };
}

/** A similar key, or one that contains the given one. */
export function likelyKey(given: string, known: readonly string[]): string | undefined {
  return (
    nearestWord(given, known) ??
    known.find((key) => given.length > 3 && key.toLowerCase().includes(given.toLowerCase()))
  );
}

interface Written {
  readonly path: PropertyKey[];
  readonly section: object;
}

function written(data: unknown, keys: readonly PropertyKey[]): Written {
  let node: unknown = data;
  let section: object = {};
  const path = keys.map((key) => {
    if (typeof node !== 'object' || node === null) return key;
    section = node;
    const own = Object.hasOwn(node, key)
      ? key
      : (Object.keys(node).find((name) => camelKey(name) === key) ?? key);
    node = Reflect.get(node, own);
    return own;
  });
  return { path, section };
}

/**
 * Returns the known word that is most like a given one, or `undefined` if none is. At most a third
 * of its letters may differ, and at least two. A word has at most 60 letters.
 */
export function nearestWord(given: string, known: readonly string[]): string | undefined {
  if (given.length > 60) return undefined;
  const lower = given.toLowerCase();
  let near: string | undefined;
  let most = Math.max(2, Math.floor(given.length / 3)) + 1;
  for (const word of known) {
    const distance = distanceBelow(most, lower, word);
    if (distance === undefined) continue;
    near = word;
    most = distance;
  }
  return near;
}

/** How far the beginnings of a word are from no letter. No compared word is longer. */
const firstRow = Array.from({ length: 100 }, (_, index) => index);

/** Returns the number of letters to add, remove or change, if it is below a limit. */
function distanceBelow(limit: number, from: string, word: string): number | undefined {
  if (Math.abs(from.length - word.length) >= limit) return undefined;
  const to = word.toLowerCase();
  let row = firstRow.slice(0, to.length + 1);
  for (const letter of from) {
    row = nextRow(row, letter, to);
    if (Math.min(...row) >= limit) return undefined;
  }
  const distance = row.at(-1) ?? limit;
  return distance < limit ? distance : undefined;
}

function nextRow(row: readonly number[], letter: string, to: string): number[] {
  const next = [(row[0] ?? 0) + 1];
  for (let index = 0; index < to.length; index += 1) {
    const changed = (row[index] ?? 0) + (letter === to[index] ? 0 : 1);
    next.push(Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
  }
  return next;
}

/** The parser of YAML recurses for each level. */
export const deepestData = 200;

/**
 * Returns whether an upper bound of the depth of YAML or JSON is too high: brackets and indentation,
 * even in quotes. It takes linear time, which the parser of YAML does not.
 */
export function nestsTooDeeply(source: string): boolean {
  let depth = 0;
  for (const [sign] of source.matchAll(/[[\]{}]/g)) {
    depth += sign === '[' || sign === '{' ? 1 : -1;
    if (depth < 0) depth = 0;
    if (depth > deepestData) return true;
  }
  return /^ {2000}|^ {0,2000}(?:[-?] ){200}/m.test(source);
}
