import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { type CriterionResult, CriterionResultSchema } from '../../core/criterion.js';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { scoreBelow, scoreText, withinRange } from '../../core/score-text.js';
import { scorerErrors } from './errors.js';
import type { FromScorerOptions } from './scorer-options.js';

export interface Reading {
  /** The key of a result in a list; `null` for a single result. */
  readonly key: string | null;
  readonly result: CriterionResult;
}

export const ReadingsSchema = builtOnUse(() =>
  z.array(z.object({ key: z.string().nullable(), result: CriterionResultSchema })).min(1),
);

type Rules = Pick<FromScorerOptions, 'id' | 'threshold' | 'keys' | 'unscored'>;

export function readScores(answer: unknown, rules: Rules): Reading[] {
  const { id, keys } = rules;
  if (!Array.isArray(answer)) {
    if (keys !== undefined) throw refused(id, 'no list, although `keys` is set', answer);
    return [{ key: null, result: resultOf(answer, id, rules) }];
  }
  const listed: readonly unknown[] = answer;
  if (listed.length === 0) throw refused(id, 'an empty list', answer);
  const readings = listed.map((one): Reading => {
    const key = keyOf(one);
    if (key === undefined) throw refused(id, 'a list with a result without `key` or `name`', one);
    return { key, result: resultOf(one, `${id}/${key}`, rules) };
  });
  checkListed(id, readings, keys);
  return readings;
}

function checkListed(
  id: string,
  readings: readonly Reading[],
  keys: readonly string[] | undefined,
): void {
  const found = readings.map(({ key }) => key ?? '');
  const twice = found.find((key, index) => found.indexOf(key) < index);
  if (twice !== undefined) throw refused(id, `two results with the key '${twice}'`, found);
  const missing = keys?.find((key) => !found.includes(key));
  if (missing !== undefined) throw refused(id, `no result with the key '${missing}'`, found);
  const unknown = keys && found.find((key) => !keys.includes(key));
  if (unknown !== undefined) throw refused(id, `a result with the unknown key '${unknown}'`, found);
}

function keyOf(result: unknown): string | undefined {
  const { key, name } = membersOf(result);
  return [key, name].find((text): text is string => typeof text === 'string' && text.trim() !== '');
}

function resultOf(result: unknown, id: string, rules: Rules): CriterionResult {
  if (typeof result !== 'object' || result === null)
    return scoreResult(result, '', { id, rules, shown: shown(result) });
  const said = objectionsOf(result);
  const first = (kind: Objection['kind']) => said.find((one) => one.kind === kind);
  checkReported(result, id, first('error'), first('odd'));
  const { score, notScorable } = membersOf(result);
  const text = textOf(result);
  const no = first('fail');
  if (no === undefined && notScorable)
    return nothingScored({ result, score, text, notScorable }, { id, rules });
  const open = first('open');
  if (no === undefined && open !== undefined)
    return unscored([text, open.text].join(' ').trim(), rules.unscored ?? 'undecided');
  const read = scoreResult(score, text, { id, rules, shown: `a score of ${shown(score)}` });
  // an abstention that says no is a no too
  return no === undefined
    ? read
    : { passed: false, score: read.score, details: `${read.details} (${no.text})` };
}

function checkReported(result: object, id: string, error?: Objection, odd?: Objection): void {
  if (odd !== undefined) throw refused(id, `a result with ${odd.text}`, result);
  if (error === undefined) return;
  const what = error.text.startsWith('error: ') ? messageOf(error.value) : error.text;
  throw new ReviewLoopError(scorerErrors.scorer_threw, `${id} reported an error: ${what}`, {
    cause: error.value,
    value: result,
    retryable: true,
  });
}

function nothingScored(
  {
    result,
    score,
    text,
    notScorable,
  }: {
    readonly result: object;
    readonly score: unknown;
    readonly text: string;
    readonly notScorable: unknown;
  },
  { id, rules }: Pick<About, 'id' | 'rules'>,
): CriterionResult {
  if (score !== undefined && score !== null)
    throw refused(id, 'both a score and `notScorable`', result);
  const why = [textOf(notScorable), text, 'the scorer had nothing to judge'];
  return unscored(why.find((one) => one !== '') ?? '', rules.unscored ?? 'skipped');
}

interface About {
  readonly id: string;
  readonly rules: Rules;
  readonly shown: string;
}

function scoreResult(score: unknown, text: string, about: About): CriterionResult {
  const { id, rules } = about;
  if (typeof score === 'boolean') return { passed: score, score: score ? 1 : 0, details: text };
  if (score === null)
    return unscored(
      text === '' ? 'the scorer returned no score' : text,
      rules.unscored ?? 'undecided',
    );
  const read = typeof score === 'number' ? withinRange(score) : Number.NaN;
  if (!(read >= 0 && read <= 1)) throw refused(id, about.shown, score);
  return scored(read, text, rules.threshold);
}

function scored(score: number, text: string, threshold: number): CriterionResult {
  const passed = score >= threshold;
  const figure = passed ? `score ${scoreText(score)}` : scoreBelow('score', score, threshold);
  return { passed, score, details: text === '' ? figure : `${text} (${figure})` };
}

function unscored(reason: string, kind: 'undecided' | 'skipped'): CriterionResult {
  return { passed: false, score: 0, details: reason, [kind]: reason };
}

/** In the words of the scorer; empty if it does not say. */
function textOf(result: unknown): string {
  const { comment, reason, metadata } = membersOf(result);
  const texts = [comment, reason, membersOf(metadata)['rationale']];
  const found = texts.find((text): text is string => typeof text === 'string');
  return found?.trim() ?? '';
}

/** Includes the members of its class. Only objects have members. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  // every member of an object may be read, and each is checked where it is used
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function refused(id: string, what: string, value: unknown): ReviewLoopError {
  return new ReviewLoopError(scorerErrors.scorer_invalid, `${id} returned ${what}`, {
    value,
    retryable: true,
  });
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : messageOf(value);
}

interface Objection {
  /** `fail` says no, `open` was not judged, `error` went wrong, `odd` cannot be read. */
  readonly kind: 'fail' | 'open' | 'error' | 'odd';
  readonly text: string;
  readonly value: unknown;
}

/** Members that say whether an output is good: `pass`, `isValid`, `is_successful`. */
const verdicts =
  /^(?:is|has)?(?:pass(?:ed|ing|es)?|success(?:ful)?|succeeded|ok|valid|correct|safe|approved|accepted)$/;

const failures =
  /^(?:is|was|has)?(?:fail(?:ed\w*|ing|s|ures?)?|failure(?:reason|message)|invalid(?:reason)?|blocked|rejected|denied|flagged|unsafe|incorrect)$/;

/** Members that say that nothing was judged. */
const gaps = /^(?:is|was)?(?:skip(?:ped)?|notrun|notapplicable|inconclusive)$/;

const errors =
  /^(?:is|has)?(?:\w*errors?|errormessage|exceptions?|scoringfailed|timedout|cancell?ed|aborted)$/;

/** Members with a word in place of a boolean, also `groundedness_result`, and the words. */
const statuses = /(?:status|verdict|result|outcome|label)$/;

const words = {
  fail: /^(?:fail(?:ed|ing|ure)?|rejected|no|false|incorrect|unsafe)$/,
  error: /^(?:error(?:ed)?|exception|crashed|time_?d?_?out|cancell?ed|aborted)$/,
  open: /^(?:skipped|skip|unknown|pending|running|not_?run|not_?applicable|n\/a|inconclusive|undecided)$/,
} as const;

const parts =
  /^(?:(?:component|sub|metric|evaluation)?(?:results|scores)|components|metrics(?:data)?|gradingresult|evaluations?|checks)$/;

const deepest = 8;

function objectionsOf(result: object, where = '', depth = 0): Objection[] {
  if (depth > deepest)
    return [{ kind: 'odd', text: `${where} is nested too deeply`, value: result }];
  return membersIn(result).flatMap(([member, value]) => {
    const path = where === '' ? member : `${where}.${member}`;
    const name = nameOf(member);
    // a result in another one that abstains was not judged
    const kind = depth > 0 && name === 'score' && value === null ? 'open' : kindOf(name, value);
    if (kind !== undefined) return [{ kind, text: told(path, value), value }];
    const read = readerOf(name);
    if (read === undefined) return [];
    const inside: readonly unknown[] = Array.isArray(value) ? value : [value];
    return inside.filter(isObject).flatMap((one) => read(one, path, depth + 1));
  });
}

/** Undefined for a member that is data. */
function readerOf(name: string): typeof objectionsOf | undefined {
  if (name === 'metadata') return inMetadata;
  if (name === 'judge') return inJudge;
  if (name.endsWith('stepresult')) return inStep;
  return parts.test(name) ? objectionsOf : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function nameOf(member: string): string {
  return member.toLowerCase().replaceAll(/[^a-z]/g, '');
}

function kindOf(name: string, value: unknown): Objection['kind'] | undefined {
  const [, read] = readers.find(([names]) => names.test(name)) ?? [];
  return read?.(value, name);
}

type ReadMember = (value: unknown, name: string) => Objection['kind'] | undefined;

const readers: readonly (readonly [RegExp, ReadMember])[] = [
  [verdicts, verdictKind],
  [failures, (value) => (isSet(value) ? 'fail' : undefined)],
  [gaps, (value) => (isSet(value) ? 'open' : undefined)],
  [statuses, statusKind],
  // the error of a measurement, such as `meanError`, is a number
  [
    errors,
    (value, name) =>
      isSet(value) && (name === 'error' || typeof value !== 'number') ? 'error' : undefined,
  ],
];

function statusKind(value: unknown): Objection['kind'] | undefined {
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase().replaceAll(/[\s-]/g, '_');
  return (['fail', 'error', 'open'] as const).find((kind) => words[kind].test(word));
}

function verdictKind(value: unknown): Objection['kind'] | undefined {
  if (value === true || value === undefined || typeof value === 'function') return undefined;
  if (value === null) return 'open';
  return value === false ? 'fail' : 'odd';
}

/** Metadata has any form: only what cannot mean something else counts. */
function inMetadata(metadata: object, where = ''): Objection[] {
  return membersIn(metadata).flatMap(([member, value]): Objection[] => {
    const name = nameOf(member);
    const kind = kindOf(name, value);
    if (kind === undefined || statuses.test(name)) return [];
    const isClear = kind === 'error' || typeof value === 'boolean';
    return isClear ? [{ kind, text: told(`${where}.${member}`, value), value }] : [];
  });
}

/** A step of a scorer contains judgements of its parts, which its score already counts. */
function inStep(step: object, where = ''): Objection[] {
  return objectionsOf(step, where, 1).filter(({ kind }) => kind === 'error');
}

/** Mastra tells how often its judge was asked for each step; the last time counts. */
function inJudge(judge: object, where = ''): Objection[] {
  return membersIn(judge).flatMap(([step, asked]): Objection[] => {
    if (!isObject(asked) || !('executions' in asked)) return [];
    const last: unknown = Array.isArray(asked.executions) ? asked.executions.at(-1) : undefined;
    return isObject(last) ? objectionsOf(last, `${where}.${step}`, 1) : [];
  });
}

function membersIn(value: object): [string, unknown][] {
  const names = new Set<string>();
  let from: object | null = value;
  while (from !== null && from !== Object.prototype && from !== Array.prototype) {
    for (const name of Object.getOwnPropertyNames(from)) names.add(name);
    from = Object.getPrototypeOf(from);
  }
  names.delete('constructor');
  return [...names].map((name) => [name, Reflect.get(value, name)]);
}

function isSet(value: unknown): boolean {
  if (isObject(value) && !(value instanceof Error)) return Object.keys(value).length > 0;
  return typeof value !== 'function' && Boolean(value);
}

function told(path: string, value: unknown): string {
  const text = value instanceof Error ? value.message : (JSON.stringify(value) ?? String(value));
  return `${path}: ${text.slice(0, 200)}`;
}
