import type { NumberClaim } from './claim.js';
import type { Kind } from './kinds.js';
import type { ReadClause } from './number-clauses.js';
import {
  joinPlaces,
  type NamedPlace,
  readPlace,
  readPlaceNoun,
  wholePlace,
} from './place-words.js';
import { atLeast, plainNumber } from './quantity.js';
import { readModal } from './verbs.js';
import type { WordReader } from './word-reader.js';

const languages: ReadonlyMap<string, string> = new Map(
  Object.entries({
    english: 'en',
    german: 'de',
    french: 'fr',
    spanish: 'es',
    italian: 'it',
    portuguese: 'pt',
    dutch: 'nl',
    polish: 'pl',
    czech: 'cs',
    danish: 'da',
    swedish: 'sv',
    finnish: 'fi',
    greek: 'el',
    turkish: 'tr',
    ukrainian: 'uk',
    japanese: 'ja',
    chinese: 'zh',
    korean: 'ko',
  }),
);
const owners: ReadonlyMap<string, Kind> = new Map([
  ['title', 'title'],
  ['page title', 'title'],
  ['document title', 'title'],
  ['title element', 'title-tag'],
  ['title tag', 'title-tag'],
  ['<title>', 'title-tag'],
  ['h1', 'h1'],
  ['h1 heading', 'h1'],
  ['<h1>', 'h1'],
  ['submit button', 'submit-button'],
]);

/** Reads `The page title must be "Tea"` or `The h1 must contain "Tea"`. */
const textIs: ReadClause = (reader) => {
  reader.take('the|its');
  const kind = reader.lookUp(owners);
  if (kind === undefined) return undefined;
  const place = readAround(reader);
  const obligation = readModal(reader);
  if (obligation === undefined || obligation.negated) return undefined;
  const partly = reader.take('contain|include|mention') !== undefined;
  if (!partly && reader.take('be|say|read|be labell?ed|equal') === undefined) return undefined;
  reader.take('exactly|the text');
  const text = reader.quote();
  if (text === undefined) return undefined;
  const claim = claimFor(kind, { text, partly }, place);
  // "the h1" is the only one: with several, nobody knows which is meant
  const only: NumberClaim = { ...claim, text: undefined, quantity: plainNumber(1) };
  return /^title/.test(kind) ? [claim] : [claim, only];
};

/** Reads `The page must be titled "Tea"`. */
const titled: ReadClause = (reader) => {
  const place = readPlaceNoun(reader);
  const obligation = place && readModal(reader);
  if (place === undefined || obligation?.negated !== false) return undefined;
  const text = reader.take('be titled|have the title') === undefined ? undefined : reader.quote();
  return text === undefined ? undefined : [claimFor('title', { text, partly: false }, place)];
};

/** Reads "The language of the page must be set to English". */
const languageSet: ReadClause = (reader) => {
  reader.take('the|its');
  if (reader.take('language|page language|document language|lang attribute') === undefined)
    return undefined;
  const place = readAround(reader);
  const isSet =
    readModal(reader)?.negated === false &&
    reader.take('be (?:set|declared|specified|stated|given)') !== undefined;
  return isSet ? languageClaim(reader, place) : undefined;
};

/** Reads "The page must declare its language" and "Set the page language to German". */
const setsLanguage: ReadClause = (reader) => {
  const place = readPlaceNoun(reader);
  if (place !== undefined && readModal(reader)?.negated !== false) return undefined;
  if (reader.take('set|declare|specify|state') === undefined) return undefined;
  reader.take('its|the|a');
  if (reader.take('language|page language|document language|lang attribute') === undefined)
    return undefined;
  return languageClaim(reader, joinPlaces(place, readAround(reader)));
};

/** The forms of sentences about the value of a title, a heading, or the language. */
export const valueClauses: readonly ReadClause[] = [textIs, titled, languageSet, setsLanguage];

function languageClaim(
  reader: WordReader,
  place: NamedPlace | undefined,
): readonly NumberClaim[] | undefined {
  if (place === undefined) return undefined;
  if (reader.take('to|as') === undefined) return [claimFor('lang', {}, place)];
  const text = reader.lookUp(languages) ?? reader.quote() ?? reader.take('[a-z]{2}(?: [a-z]{2})?');
  return text === undefined
    ? undefined
    : [claimFor('lang', { text: text.replace(' ', '-') }, place)];
}

/** Reads "of the page" or "on every page". */
function readAround(reader: WordReader): NamedPlace {
  return (
    reader.attempt(() => (reader.take('of') === undefined ? undefined : readPlaceNoun(reader))) ??
    readPlace(reader) ??
    {}
  );
}

function claimFor(
  kind: Kind,
  value: Pick<NumberClaim, 'text' | 'partly'>,
  place: NamedPlace,
): NumberClaim {
  return {
    about: 'number',
    kind,
    ...value,
    quantity: atLeast(1),
    place: wholePlace({ files: 'pages', ...place }),
  };
}
