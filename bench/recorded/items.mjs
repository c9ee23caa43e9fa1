// The recorded scores of judges: where they are, and which items are usable.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const here = import.meta.dirname;

/** Where `fetch.mjs` puts the scores. */
export const fetched = resolve(here, 'data/verdicts.json');

/** Returns the file with the scores; undefined where it is missing. */
export function scoresFile() {
  const corpora = resolve(here, '../..', process.env.REVIEWLOOP_CORPORA ?? '../shared/corpora');
  return [resolve(corpora, 'judge-verdicts/verdicts.json'), fetched].find(existsSync);
}

/** The judges: two of each family, weaker ones second. The fifth of the record spoils every mean. */
export const judges = ['gpt-5.4', 'sonnet-4.6', 'gpt-5.4-mini', 'haiku-4.5'];

/** The prompts: a short one, and one with criteria. */
export const prompts = ['base', 'criteria'];

/** The best grade of the record. */
export const scale = 10;

export const familyOf = (judge) => (judge.startsWith('gpt') ? 'gpt' : 'claude');

/** A judge that failed more often on a text tells too little. */
const fewestCalls = 6;

/** Returns the grades of a row; a failed call has none. */
export const gradesOf = (row) =>
  [...row].filter((call) => call !== '-').map((call) => (call === 'A' ? 10 : Number(call)));

/** Returns the items that every judge graded often enough: the first of their four texts is right. */
export function usableItems(file = scoresFile()) {
  const all = JSON.parse(readFileSync(file, 'utf8'));
  return all
    .filter(({ scores }) => Object.keys(scores).length === 9)
    .flatMap(({ id, subset, scores }) => {
      const graded = Object.fromEntries(
        Object.entries(scores).map(([judge, rows]) => [judge, rows.map(gradesOf)]),
      );
      const isUsable = Object.values(graded).every((rows) =>
        rows.every((grades) => grades.length >= fewestCalls),
      );
      return isUsable ? [{ id, subset, grades: graded }] : [];
    });
}
