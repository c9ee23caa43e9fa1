import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { type CriterionResult, CriterionResultSchema } from '../core/criterion.js';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { scoreBelow, scoreText, withinRange } from '../core/score-text.js';
import { scorerErrors } from './errors.js';
import { type Objection, objectionsOf } from './objections.js';
import type { FromScorerOptions } from './scorer-options.js';

/** What a scorer said about one criterion. */
export interface Reading {
  /** The key of a result in a list; `null` for a single result. */
  readonly key: string | null;
  readonly result: CriterionResult;
}

/** The recorded form of what a scorer said. */
export const ReadingsSchema = builtOnUse(() =>
  z.array(z.object({ key: z.string().nullable(), result: CriterionResultSchema })).min(1),
);

/** How the answer of a scorer is read. */
type Rules = Pick<FromScorerOptions, 'id' | 'threshold' | 'keys' | 'unscored'>;

/**
 * Returns what a scorer said, as results of criteria.
 *
 * @throws ReviewLoopError `scorer_invalid`, `scorer_threw`
 */
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

/** @throws ReviewLoopError `scorer_threw`, `scorer_invalid` */
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

/** @throws ReviewLoopError `scorer_invalid` for a score of what cannot be scored */
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

/** Returns why, in the words of the scorer; empty if it does not say. */
function textOf(result: unknown): string {
  const { comment, reason, metadata } = membersOf(result);
  const texts = [comment, reason, membersOf(metadata)['rationale']];
  const found = texts.find((text): text is string => typeof text === 'string');
  return found?.trim() ?? '';
}

/** Returns the members of an object, also those of its class; none for any other value. */
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
