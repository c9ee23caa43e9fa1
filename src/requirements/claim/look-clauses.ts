import type { Claim, LookClaim, LookRelation, LookTarget } from './claim.js';
import { type Noun, readNoun } from './noun-phrase.js';
import type { ReadClause } from './number-clauses.js';
import { readModal } from './verbs.js';
import type { WordReader } from './word-reader.js';

const colours =
  'red|green|blue|yellow|orange|purple|pink|black|white|gr[ae]y|dark|light|#[0-9a-f]{6}|#[0-9a-f]{3}';
const pages = '(?:the |this |every |each |all )?(?:pages?|web ?pages?|website|site|layout)';
const sideways =
  '(?:(?:a )?horizontal (?:scrolling|scroll ?bars?|overflow)|(?:a )?sideways scrolling)';
const pixels = '\\d+ ?(?:px|pixels)';
const narrowNames =
  '(?:on|at) (?:a )?(?:small|narrow|mobile) (?:screens?|windows?|devices?|viewports?)|on (?:mobile|phones|a phone|a phone screen|smartphones)';
const wideNames = 'on (?:a )?(?:desktops?|large|wide) ?(?:screens?|windows?)?';
const measured = `(?:at|into|in|on|with)(?: a)?(?: (?:width|window width|viewport width|window|viewport|screen) of)? ${pixels}(?: wide)?(?: (?:screen|window|viewport|width))?`;

interface Window {
  readonly width: 'narrow' | 'wide';
  /** Whether a number says how wide, and not a name. */
  readonly exactly: boolean;
}

/** Reads "at 320 px" or "on small screens". Pages are looked at in two widths only. */
function readWindow(reader: WordReader): Window | undefined {
  if (reader.take(narrowNames) !== undefined) return { width: 'narrow', exactly: false };
  if (reader.take(wideNames) !== undefined) return { width: 'wide', exactly: false };
  const words = reader.take(measured);
  const width = Number(/\d+/.exec(words ?? '')?.[0]);
  if (width === 320) return { width: 'narrow', exactly: true };
  return width === 1280 ? { width: 'wide', exactly: true } : undefined;
}

/** Reads "the heading", "all links" or "the "Join" button". */
function readTarget(reader: WordReader): LookTarget | undefined {
  return reader.attempt(() => {
    const all = reader.take('all of the|all the|all|every|each') !== undefined;
    const isOne = !all && reader.take('the|its|this') !== undefined;
    if (reader.take('main content|main area|main element|main') !== undefined)
      return all ? undefined : { kind: 'main', many: false };
    const noun = readNoun(reader);
    return noun === undefined || /^(?:file|tag)$/.test(noun.kind)
      ? undefined
      : targetOf(noun, all, isOne);
  });
}

function targetOf(
  { kind, text, number }: Noun,
  all: boolean,
  isOne: boolean,
): LookTarget | undefined {
  if (number === 'one' && !all && !isOne) return undefined;
  return { kind, text, many: all || number === 'many' };
}

/** Reads "All text must have a contrast of at least 4.5 to 1". */
const textContrast: ReadClause = (reader) => {
  reader.take('all|the|all the|all of the|every|body');
  if (reader.take('texts?|text colou?rs|colou?rs') === undefined) return undefined;
  if (readModal(reader)?.negated !== false) return undefined;
  if (reader.take('meet|satisfy|pass|fulfil') !== undefined)
    return reader.take(
      '(?:the )?wcag (?:2\\.[0-2] )?aa (?:level )?(?:colou?r )?contrast(?: requirements| ratios?)?',
    ) === undefined
      ? undefined
      : [contrast('enough')];
  if (reader.take('have') === undefined) return undefined;
  if (reader.take('(?:a )?(?:sufficient|enough) (?:colou?r )?contrast') !== undefined)
    return [contrast('enough')];
  if (reader.take('an?') === undefined) return undefined;
  return readRatio(reader, '(?:minimum )?(?:colou?r )?contrast(?: ratio)? of(?: at least)?');
};

/** Reads "The contrast of all text must be at least 4.5 to 1". */
const contrastOfText: ReadClause = (reader) => {
  if (reader.take('(?:the )?contrast(?: ratio)? of (?:all |the |all the )?text') === undefined)
    return undefined;
  if (readModal(reader)?.negated !== false) return undefined;
  return readRatio(reader, 'be at least');
};

function readRatio(reader: WordReader, before: string): readonly Claim[] | undefined {
  if (reader.take(before) === undefined) return undefined;
  const least = Number(/[\d.]+/.exec(reader.take('\\d+(?:\\.\\d+)?(?: to 1)?') ?? '')?.[0]);
  return least >= 1 && least <= 21 ? [contrast(least)] : undefined;
}

function contrast(least: number | 'enough'): LookClaim {
  return { about: 'look', look: 'contrast', least };
}

/** Reads "The page must not scroll horizontally at 320 px" and the like. */
const fits: ReadClause = (reader) => {
  const before = reader.at;
  if (reader.take(`no ${sideways}`) === undefined && !readsFit(reader)) return undefined;
  const where = reader.at === before ? undefined : readWindow(reader);
  if (where === undefined) return undefined;
  reader.take(`without ${sideways}`);
  return [{ about: 'look', look: 'width', ...where }];
};

function readsFit(reader: WordReader): boolean {
  if (reader.take('there') !== undefined)
    return readModal(reader)?.negated === false && reader.take(`be no ${sideways}`) !== undefined;
  if (reader.take(pages) === undefined) return false;
  const obligation = readModal(reader);
  if (obligation?.negated === true)
    return (
      reader.take(
        `scroll (?:horizontally|sideways)|(?:have|need|require|show|cause) ${sideways}`,
      ) !== undefined
    );
  return obligation !== undefined && reader.take('fit|have no horizontal scrolling') !== undefined;
}

/** Reads "The page must work on small screens without horizontal scrolling". */
const worksWithout: ReadClause = (reader) => {
  if (reader.take(pages) === undefined || readModal(reader)?.negated !== false) return undefined;
  if (reader.take('work|be usable|be readable') === undefined) return undefined;
  const where = readWindow(reader);
  if (where === undefined || reader.take(`without ${sideways}`) === undefined) return undefined;
  return [{ about: 'look', look: 'width', ...where }];
};

/** Reads "The heading must be blue" and "The footer must have a dark background". */
const coloured: ReadClause = (reader) => {
  const target = readTarget(reader);
  const obligation = target && readModal(reader);
  if (target === undefined || obligation === undefined) return undefined;
  const { negated } = obligation;
  if (reader.take('have an?') !== undefined) {
    const colour = reader.take(colours);
    return colour === undefined || reader.take('background(?: colou?r)?') === undefined
      ? undefined
      : [{ about: 'look', look: 'colour', target, of: 'background', colour, negated }];
  }
  if (reader.take('be(?: colou?red)?') === undefined) return undefined;
  const colour = reader.take(colours);
  return colour === undefined || /^(?:dark|light)$/.test(colour)
    ? undefined
    : [{ about: 'look', look: 'colour', target, of: 'thing', colour, negated }];
};

const relations: readonly (readonly [string, LookRelation])[] = [
  ['above|on top of', 'above'],
  ['below|under|beneath|underneath', 'below'],
  ['before', 'before'],
  ['after', 'after'],
  ['(?:to |on )?the left of|left of', 'left'],
  ['(?:to |on )?the right of|right of', 'right'],
];

/** Reads "The price must be above the button". */
const ordered: ReadClause = (reader) => {
  const first = readTarget(reader);
  if (first === undefined || readModal(reader)?.negated !== false) return undefined;
  if (reader.take('be shown|be placed|be|come|appear|stand|be located') === undefined)
    return undefined;
  const relation = relations.find(([words]) => reader.take(words) !== undefined)?.[1];
  const second = relation && readTarget(reader);
  return relation === undefined || second === undefined
    ? undefined
    : [{ about: 'look', look: 'order', first, second, relation }];
};

/** Reads "The text "A" must be hidden" and "The menu must be visible on small screens". */
const seen: ReadClause = (reader) => {
  const target = readTarget(reader);
  const obligation = target && readModal(reader);
  if (target === undefined || obligation === undefined) return undefined;
  if (reader.take('be') === undefined) return undefined;
  const state = reader.take('visible|shown|displayed|hidden|invisible');
  if (state === undefined) return undefined;
  const negated = obligation.negated !== /hidden|invisible/.test(state);
  const claim = { about: 'look', look: 'seen', target, negated } as const;
  if (reader.take('without (?:any )?scrolling|above the fold') !== undefined)
    return [{ ...claim, where: 'unscrolled' }];
  const where = readWindow(reader);
  if (where === undefined) return reader.done ? [{ ...claim, where: 'anywhere' }] : undefined;
  return where.width === 'narrow' ? [{ ...claim, where: 'narrow' }] : undefined;
};

/** The forms of sentences about how a page looks. */
export const lookClauses: readonly ReadClause[] = [
  textContrast,
  contrastOfText,
  fits,
  worksWithout,
  coloured,
  ordered,
  seen,
];
