import type { LookTarget } from '../../../requirements/claim/claim.js';
import { exactText, looseText } from '../../deciders/loose-text.js';
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
  const sure = new Set(
    target.kind === 'text'
      ? targetsOf(view, target)
      : view.elements.filter(
          (element) => element.kinds.includes(target.kind) && shows(element, target.text),
        ),
  );
  const may = view.elements.filter(
    (element) =>
      sure.has(element) ||
      element.maybe.includes(target.kind) ||
      (target.kind === 'text' && holdsLoosely(element, target.text ?? '')),
  );
  const shown = [...sure].filter((element) => sightIn(element) === 'yes');
  return {
    least: shown.length,
    most: may.filter((element) => sightIn(element) !== 'no').length,
    shown,
  };
}

/** Returns whether a person sees an element. Letters in the colour behind them are not seen. */
export function sightIn({
  seen,
  colours,
  background,
  hasLetters,
}: ShownElement): ShownElement['seen'] {
  if (seen !== 'yes' || !hasLetters || background === null) return seen;
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
  const holding = elements.filter((element) => exactText(element.text).includes(wanted));
  const around = new Set(holding.map(({ parent }) => parent));
  return holding.filter(({ kept }) => !around.has(kept));
}

function holdsLoosely(element: ShownElement, text: string): boolean {
  const wanted = looseText(text);
  return wanted !== '' && looseText(element.text).includes(wanted) && element.hasLetters;
}
