import type { LookTarget } from '../../../requirements/claim/claim.js';
import { exactText, looseText, wholeWordsAt } from '../../deciders/loose-text.js';
import { contrastOf } from './colour-names.js';
import type { ShownElement, WindowFacts } from './page-facts.js';

/**
 * Returns the elements that a requirement may mean: those that surely are of the kind, with those
 * that may be. Returns none if no element surely is.
 */
export function targetsOf(
  { elements }: WindowFacts,
  { kind, text }: Pick<LookTarget, 'kind' | 'text'>,
): readonly ShownElement[] {
  if (kind === 'text') return text === undefined ? [] : deepestWith(elements, text);
  const sure = elements.filter((element) => element.kinds.includes(kind) && shows(element, text));
  if (sure.length === 0) return [];
  const may = elements.filter(
    (element) =>
      element.maybe.includes(kind) &&
      !sure.includes(element) &&
      shows(element, text) &&
      stands(element, sure, elements),
  );
  return [...sure, ...may];
}

/** Returns how many elements of a kind a page shows: surely, and at most. */
export function numberOf(
  view: WindowFacts,
  target: Pick<LookTarget, 'kind' | 'text'>,
): { readonly least: number; readonly most: number; readonly shown: readonly ShownElement[] } {
  const { kind, text } = target;
  const ofKind = view.elements.filter((one) => one.kinds.includes(kind) && shows(one, text));
  const sure = new Set(kind === 'text' ? targetsOf(view, target) : ofKind);
  const may = view.elements.filter(
    (one) =>
      sure.has(one) || (kind === 'text' ? holdsLoosely(one, text ?? '') : isMaybe(one, kind)),
  );
  const shown = [...sure].filter((element) => sightOf(element, view, target) === 'yes');
  // what is there but hidden is had, though it is not shown
  const most =
    kind === 'text'
      ? may.filter((element) => sightOf(element, view, target) !== 'no').length +
        (mayBeElsewhere(view, text ?? '', may.length > 0) ? 1 : 0)
      : may.length;
  return { least: shown.length, most, shown };
}

function isMaybe({ kinds, maybe }: ShownElement, kind: string): boolean {
  return kinds.includes(kind) || maybe.includes(kind);
}

/** Returns whether a page may show a text that none of its elements holds. */
function mayBeElsewhere({ others }: WindowFacts, text: string, isFound: boolean): boolean {
  const wanted = looseText(text);
  const words = text.split(/[^\p{L}\p{N}]+/u).map(looseText);
  const generated = looseText(others.generated);
  return (
    wanted === '' ||
    (!isFound && (others.pictures || others.counted)) ||
    looseText(others.attributes).includes(wanted) ||
    words.some((word) => word !== '' && generated.includes(word)) ||
    (!isFound && looseText(others.whole).includes(wanted))
  );
}

/**
 * Returns whether a person sees an element. If a requirement names its text, all of its letters must
 * be seen, otherwise some of them.
 */
export function sightOf(
  element: ShownElement,
  { elements }: WindowFacts,
  { text }: Pick<LookTarget, 'text'>,
): ShownElement['seen'] {
  const own = sightIn(element);
  if (own === 'no') return own;
  const inside = new Set([element.kept]);
  const letters: ShownElement['seen'][] = [];
  // the elements stand in the order of the page, each behind the one around it
  for (const one of elements) {
    if (one !== element && !inside.has(one.parent)) continue;
    inside.add(one.kept);
    if (one.hasLetters) letters.push(sightIn(one));
  }
  if (letters.length === 0) return own;
  if (letters.every((sight) => sight === 'no')) return 'no';
  const isSeen =
    text === undefined ? letters.includes('yes') : letters.every((one) => one === 'yes');
  return isSeen ? own : 'unclear';
}

/** Returns whether a person sees an element by itself. Letters in the colour behind them are not seen. */
function sightIn({ seen, colours, background, hasLetters }: ShownElement): ShownElement['seen'] {
  if (seen === 'no' || !hasLetters || background === null) return seen;
  const ratios = colours.map((colour) =>
    colour === null || colour[3] !== 1 ? undefined : contrastOf(colour, background),
  );
  if (ratios.length === 0 || ratios.includes(undefined))
    return colours.length === 0 ? seen : 'unclear';
  const best = Math.max(...ratios.map((ratio) => ratio ?? 1));
  if (best < 1.05) return 'no';
  return best < 1.5 ? 'unclear' : seen;
}

/** Returns whether an element is neither inside of the sure ones nor around them. */
function stands(
  element: ShownElement,
  sure: readonly ShownElement[],
  all: readonly ShownElement[],
): boolean {
  const above = (start: ShownElement): Set<number> => {
    const found = new Set<number>();
    for (let at: ShownElement | undefined = start; at !== undefined; ) {
      found.add(at.kept);
      const { parent }: ShownElement = at;
      at = all.find(({ kept }) => kept === parent);
    }
    return found;
  };
  const own = above(element);
  return !sure.some((one) => own.has(one.kept) || above(one).has(element.kept));
}

function shows(element: ShownElement, text: string | undefined): boolean {
  return text === undefined || exactText(element.text) === exactText(text);
}

/** Returns the innermost elements whose text contains a text. */
function deepestWith(elements: readonly ShownElement[], text: string): ShownElement[] {
  const wanted = exactText(text);
  const holding = elements.filter(({ text: own }) => wholeWordsAt(exactText(own), wanted) !== -1);
  const around = new Set(holding.map(({ parent }) => parent));
  return holding.filter(({ kept }) => !around.has(kept));
}

function holdsLoosely(element: ShownElement, text: string): boolean {
  const wanted = looseText(text);
  return wanted !== '' && looseText(element.text).includes(wanted) && element.hasLetters;
}
