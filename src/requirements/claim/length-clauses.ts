import type { NumberClaim } from './claim.js';
import type { Kind } from './kinds.js';
import type { ReadClause } from './number-clauses.js';
import { readNumberWords } from './number-words.js';
import { readPlaceNoun, wholePlace } from './place-words.js';
import { atMost, opposite, type Quantity } from './quantity.js';
import { readModal } from './verbs.js';
import type { WordReader } from './word-reader.js';

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
