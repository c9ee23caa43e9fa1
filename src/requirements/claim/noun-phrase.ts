import type { NumberClaim } from './claim.js';
import { type KindName, kindNames, tagNames } from './kinds.js';
import { type NumberWords, readNumberWords, saysNone } from './number-words.js';
import { atLeast, atMost, opposite, type Quantity, several } from './quantity.js';
import type { WordReader } from './word-reader.js';

/** Things that a requirement asks for, without their place. */
export type ClaimedThing = Pick<NumberClaim, 'kind' | 'text' | 'quantity'>;

/** A name of things, with the text that they show. */
export interface Noun extends KindName {
  readonly text?: string | undefined;
}

interface Thing extends Noun {
  readonly given: NumberWords;
}

const textNouns = 'text|words?|phrase|sentence|string';
const labels =
  'labell?ed(?: as)?|titled|called|named|saying|reading|that says|that reads|with the (?:text|label|title|name|caption)';
/** Kinds that show a text. A quote beside such a noun is that text. */
const showing =
  /^(?:link|button|submit-button|heading|h[1-6]|section|paragraph|list-item|title|title-tag)$/;
/** Tags whose names mean something else before "element" or "tag". */
const unclearTags = new Set(['form', 'link', 'header', 'a', 'b', 'i', 'p', 'q', 's', 'u']);

/** Reads a list of things, such as "a header and a footer". With `negated`, none may exist. */
export function readThings(reader: WordReader, negated: boolean): ClaimedThing[] | undefined {
  return reader.attempt(() => {
    const first = readThing(reader);
    return first && readList(reader, first, negated);
  });
}

function readList(reader: WordReader, first: Thing, negated: boolean): ClaimedThing[] | undefined {
  const things = [first];
  const joints = new Set<string>();
  for (let next = readNext(reader); next !== undefined; next = readNext(reader)) {
    things.push(next.thing);
    const joint = /and|nor|or/.exec(next.joint)?.[0];
    if (joint !== undefined) joints.add(joint);
  }
  return joints.size > 1 || (things.length > 1 && joints.size === 0)
    ? undefined
    : claimedThings(things, [...joints][0], negated);
}

function claimedThings(
  things: readonly Thing[],
  joint: string | undefined,
  negated: boolean,
): ClaimedThing[] | undefined {
  const [first] = things;
  const isAlone = things.length === 1;
  const claimed = things.flatMap((thing) => {
    const quantity = negated
      ? negatedQuantity(thing, isAlone || joint !== 'and', isAlone)
      : listedQuantity(thing, thing === first ? undefined : first, joint);
    return quantity === undefined ? [] : [{ kind: thing.kind, text: thing.text, quantity }];
  });
  return claimed.length === things.length ? claimed : undefined;
}

function readNext(
  reader: WordReader,
): { readonly joint: string; readonly thing: Thing } | undefined {
  return reader.attempt(() => {
    const joint = reader.take(', and|, or|, nor|,|and|or|nor');
    const thing = joint === undefined ? undefined : readThing(reader);
    return joint === undefined || thing === undefined ? undefined : { joint, thing };
  });
}

function readThing(reader: WordReader): Thing | undefined {
  const given = readNumberWords(reader);
  const noun = given && readNoun(reader);
  return noun && { ...noun, given };
}

/** Returns the quantity of "not X". */
function negatedQuantity(
  { given, number }: Thing,
  isClear: boolean,
  isAlone: boolean,
): Quantity | undefined {
  if (!isClear) return undefined;
  if (given.form === 'number') return isAlone ? opposite(given.quantity) : undefined;
  return given.form === 'bare' && number === 'one' ? undefined : atMost(0);
}

/** Returns the quantity of a thing in a list. "No X or Y" forbids both. */
function listedQuantity(
  thing: Thing,
  first: Thing | undefined,
  joint: string | undefined,
): Quantity | undefined {
  const { given, number } = thing;
  const isAfterNone = first !== undefined && saysNone(first.given);
  if (joint === 'or' || joint === 'nor') return forbidden(given, first, isAfterNone);
  if (given.form === 'number') return given.quantity;
  if (given.form === 'a') return number === 'many' ? undefined : atLeast(1);
  return isAfterNone || given.form === 'any' ? undefined : bareQuantity(number);
}

/** Returns the quantity of a thing in "no X or Y". */
function forbidden(
  given: NumberWords,
  first: Thing | undefined,
  isAfterNone: boolean,
): Quantity | undefined {
  const forbids =
    first === undefined ? saysNone(given) : isAfterNone && /^(?:bare|any)$/.test(given.form);
  return forbids ? atMost(0) : undefined;
}

/** Returns the quantity of a noun without an article. */
function bareQuantity(number: Thing['number']): Quantity | undefined {
  if (number === 'one') return undefined;
  return number === 'many' ? several : atLeast(1);
}

/** Reads a noun with the text that it shows. */
export function readNoun(reader: WordReader): Noun | undefined {
  return readText(reader) ?? readFile(reader) ?? readTag(reader) ?? readKind(reader);
}

function readText(reader: WordReader): Noun | undefined {
  return reader.attempt(() => {
    const isNamed = reader.take(textNouns) !== undefined;
    const text = reader.quote();
    if (text === undefined || !/[\p{L}\p{N}]/u.test(text)) return undefined;
    const noun = isNamed ? undefined : reader.attempt(() => showingKind(reader));
    return noun === undefined ? { kind: 'text', number: 'uncounted', text } : { ...noun, text };
  });
}

function showingKind(reader: WordReader): KindName | undefined {
  const noun = reader.lookUp(kindNames);
  return noun !== undefined && showing.test(noun.kind) ? noun : undefined;
}

function readFile(reader: WordReader): Noun | undefined {
  return reader.attempt(() => {
    const isNamed = reader.take('file(?: named| called)?') !== undefined;
    const text = reader.path();
    if (text === undefined) return undefined;
    if (!isNamed) reader.take('file');
    return { kind: 'file', number: 'uncounted', text };
  });
}

function readTag(reader: WordReader): Noun | undefined {
  return reader.attempt(() => {
    const tag = reader.take('<[a-z0-9]+>')?.slice(1, -1);
    if (tag !== undefined) {
      reader.take('elements?|tags?');
      return tagNames.has(tag) ? nounOfTag(tag, 'uncounted') : undefined;
    }
    const named = reader.take('[a-z]+[1-6]? (?:elements?|tags?)');
    const [name = ''] = named?.split(' ') ?? [];
    if (named === undefined || !tagNames.has(name) || unclearTags.has(name)) return undefined;
    return nounOfTag(name, named.endsWith('s') ? 'many' : 'one');
  });
}

function nounOfTag(name: string, number: KindName['number']): Noun {
  return name === 'title' ? { kind: 'title-tag', number } : { kind: 'tag', number, text: name };
}

function readKind(reader: WordReader): Noun | undefined {
  return reader.attempt(() => {
    const noun = reader.lookUp(kindNames);
    if (noun === undefined) return undefined;
    const text = showing.test(noun.kind) ? readLabel(reader) : undefined;
    return { ...noun, text };
  });
}

function readLabel(reader: WordReader): string | undefined {
  return reader.attempt(() => {
    reader.take(labels);
    const text = reader.quote();
    return text !== undefined && /[\p{L}\p{N}]/u.test(text) ? text : undefined;
  });
}
