import {
  atLeast,
  atMost,
  between,
  exactly,
  isNone,
  plainNumber,
  type Quantity,
} from './quantity.js';
import type { WordReader } from './word-reader.js';

const words =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const number = `\\d{1,7}|${words.join('|')}`;

/** The number words before a noun. `bare` stands for none, `a` for an article. */
export type NumberWords = { readonly form: 'bare' | 'a' | 'any' } | NumberedWords;

/** Number words that state a quantity. */
interface NumberedWords {
  readonly form: 'number';
  readonly quantity: Quantity;
}

const before: readonly (readonly [string, (n: number) => Quantity | undefined])[] = [
  ['at least|a minimum of|minimum|no fewer than|no less than', atLeast],
  ['at most|a maximum of|maximum|no more than|up to', atMost],
  ['exactly|precisely|only|just', exactly],
  ['more than|over', (n) => atLeast(n + 1)],
  ['fewer than|less than|under', (n) => (n === 0 ? undefined : atMost(n - 1))],
];

/** Reads the number words before a noun. Returns `undefined` if they make no sense. */
export function readNumberWords(reader: WordReader): NumberWords | undefined {
  return readBound(reader) ?? readSingle(reader) ?? readPlain(reader);
}

function readBound(reader: WordReader): NumberWords | undefined {
  return reader.attempt(() => {
    if (reader.take('between') !== undefined) return readRange(reader);
    const quantityOf = before.find(([phrase]) => reader.take(phrase) !== undefined)?.[1];
    const n = reader.take('an?') === undefined ? readNumber(reader) : 1;
    return n === undefined || quantityOf === undefined ? undefined : numbered(quantityOf(n));
  });
}

function readRange(reader: WordReader): NumberWords | undefined {
  const low = readNumber(reader);
  const joined = reader.take('and|to') !== undefined;
  const high = readNumber(reader);
  return low === undefined || high === undefined || !joined || low > high
    ? undefined
    : numbered(between(low, high));
}

function readSingle(reader: WordReader): NumberWords | undefined {
  if (reader.take('one and only one|only a single|a single') !== undefined)
    return numbered(exactly(1));
  if (reader.take('no|zero|0') !== undefined) return numbered(atMost(0));
  if (reader.take('any') !== undefined) return { form: 'any' };
  return reader.take('an?|the|its') === undefined ? undefined : { form: 'a' };
}

function readPlain(reader: WordReader): NumberWords {
  const read = reader.attempt(() => {
    const n = readNumber(reader);
    if (n === undefined) return undefined;
    if (reader.take('or more') !== undefined) return numbered(atLeast(n));
    if (reader.take('or fewer|or less') !== undefined) return numbered(atMost(n));
    return numbered(plainNumber(n));
  });
  return read ?? { form: 'bare' };
}

function readNumber(reader: WordReader): number | undefined {
  const word = reader.take(number);
  if (word === undefined) return undefined;
  const index = words.indexOf(word);
  return index === -1 ? Number(word) : index;
}

function numbered(quantity: Quantity | undefined): NumberWords | undefined {
  return quantity && { form: 'number', quantity };
}

export function saysNone(given: NumberWords): boolean {
  return given.form === 'number' && isNone(given.quantity);
}
