import type { Claim, NumberClaim } from './claim.js';
import type { Kind } from './kinds.js';
import { type ClaimedThing, readThings } from './noun-phrase.js';
import { readNumberWords } from './number-words.js';
import {
  joinPlaces,
  type NamedPlace,
  readPlace,
  readPlaceNoun,
  wholePlace,
} from './place-words.js';
import { atMost, isNone, opposite, type Quantity, several } from './quantity.js';
import {
  readCommand,
  readGiven,
  readHaving,
  readModal,
  saysThatExists,
  type VerbWords,
} from './verbs.js';
import type { WordReader } from './word-reader.js';

/** Reads one form of sentence. Returns `undefined` for any other form. */
export type ReadClause = (reader: WordReader) => readonly Claim[] | undefined;

const counted =
  'no|an?|the|only|exactly|precisely|at least|at most|up to|more than|fewer than|less than|one|two|three|four|five|six|\\d+';

/** Reads "There must be exactly one h1 on the page". */
const thereIs: ReadClause = (reader) => {
  if (reader.take('there') === undefined) return undefined;
  const obligation = readModal(reader);
  if (reader.take(obligation === undefined ? 'is|are' : 'be') === undefined) return undefined;
  const things = readThings(reader, obligation?.negated ?? false);
  return things && claimsFrom(things, readPlace(reader), 'exist');
};

/** Reads "No tables", "Exactly one h1", or "Tables must not be used". */
const thingFirst: ReadClause = (reader) => {
  const isCounted = startsCounted(reader);
  const things = readThings(reader, false);
  if (things === undefined) return undefined;
  const place = readPlace(reader);
  const said = readGiven(reader);
  if (said === undefined) return isCounted ? claimsFrom(things, place, 'exist') : undefined;
  const turned = things.map((thing) => turn(thing, said));
  const end = joinPlaces(place, readPlace(reader));
  const known = turned.filter((thing) => thing !== undefined);
  return known.length === turned.length && end !== undefined
    ? claimsFrom(known, end, said.verb)
    : undefined;
};

/** Reads "Use exactly one h1", "Do not use tables" or "Add a footer to the page". */
const command: ReadClause = (reader) => {
  const said = readCommand(reader);
  const things = said && readThings(reader, said.negated);
  if (things === undefined || said === undefined) return undefined;
  // "a link to the form" names a target, not a place
  const mayFollow = said.verb === 'add' && things.every(({ kind }) => kind !== 'link');
  const place =
    mayFollow && reader.take('to') !== undefined ? readPlaceNoun(reader) : readPlace(reader);
  return claimsFrom(things, place, said.verb);
};

/** Reads "The page must have a title" or "The footer must not contain links". */
const placeFirst: ReadClause = (reader) => {
  const subject = readPlaceNoun(reader);
  if (subject === undefined) return undefined;
  const said = readHaving(reader) ?? readWithout(reader);
  const things = said && readThings(reader, said.negated);
  const place = things && joinPlaces(subject, readPlace(reader));
  return place && claimsFrom(things, place, said.verb);
};

/** The forms of sentences about the number of things. */
export const numberClauses: readonly ReadClause[] = [thereIs, placeFirst, command, thingFirst];

function startsCounted(reader: WordReader): boolean {
  let isCounted = false;
  reader.attempt(() => {
    isCounted = reader.take(counted) !== undefined;
    return undefined;
  });
  return isCounted;
}

/** Reads "must be free of" or "must be without". */
function readWithout(reader: WordReader): VerbWords | undefined {
  return reader.attempt(() => {
    const obligation = readModal(reader);
    const isFree =
      reader.take(obligation === undefined ? 'is' : 'be') !== undefined &&
      reader.take('free of|free from|without') !== undefined;
    return isFree && obligation?.negated !== true ? { negated: true, verb: 'exist' } : undefined;
  });
}

/** Returns a thing as the verb after it changes it. */
function turn(thing: ClaimedThing, { negated, permits }: VerbWords): ClaimedThing | undefined {
  if (!negated) return permits === true && thing.quantity.from > 0 ? undefined : thing;
  if (isNone(thing.quantity)) return undefined;
  const quantity = thing.quantity === several ? atMost(0) : opposite(thing.quantity);
  return quantity && { ...thing, quantity };
}

/** Returns the claims about things in a place. */
function claimsFrom(
  things: readonly ClaimedThing[],
  place: NamedPlace | undefined,
  verb: string,
): readonly Claim[] | undefined {
  if (!things.every(({ kind }) => saysThatExists(verb, kind))) return undefined;
  return things.map((thing) => ({
    about: 'number',
    ...thing,
    place: wholePlace(place ?? {}, thing.quantity),
  }));
}

const units: ReadonlyMap<string, Kind> = new Map([
  ['word', 'word'],
  ['character', 'character'],
  ['line', 'line'],
]);

/** Reads "The text must be at most 300 words long" or "must not exceed 80 lines". */
export const lengthClause: ReadClause = (reader) => {
  const subject = readPlaceNoun(reader);
  const obligation = subject && readModal(reader);
  if (subject === undefined || obligation === undefined) return undefined;
  const quantity = readLength(reader);
  const unit = quantity && reader.take('words?|characters?|lines?');
  reader.take('long|in length');
  const kind = units.get(unit?.replace(/s$/, '') ?? '');
  const asked = obligation.negated ? quantity && opposite(quantity) : quantity;
  if (asked === undefined || kind === undefined) return undefined;
  const claim: NumberClaim = {
    about: 'number',
    kind,
    quantity: asked,
    place: wholePlace(subject, asked),
  };
  return [claim];
};

function readLength(reader: WordReader): Quantity | undefined {
  if (reader.take('exceed') !== undefined) return oppositeOf(readNumber(reader));
  if (reader.take('be') === undefined) return undefined;
  if (reader.take('longer than') !== undefined) return oppositeOf(readNumber(reader));
  if (reader.take('shorter than') !== undefined) {
    const n = readNumber(reader);
    return n === undefined || n === 0 ? undefined : atMost(n - 1);
  }
  const given = readNumberWords(reader);
  return given?.form === 'number' ? given.quantity : undefined;
}

function readNumber(reader: WordReader): number | undefined {
  const given = readNumberWords(reader);
  if (given?.form !== 'number') return undefined;
  const { from, to, least } = given.quantity;
  return from === to && from === least ? from : undefined;
}

/** Returns the quantity "more than n". */
function oppositeOf(n: number | undefined): Quantity | undefined {
  return n === undefined ? undefined : opposite(atMost(n));
}
