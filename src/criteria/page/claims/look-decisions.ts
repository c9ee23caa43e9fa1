import { plural } from '../../../core/plural.js';
import type { LookClaim, LookRelation, LookTarget } from '../../../requirements/claim/claim.js';
import type { Look, PageVisit } from '../page-visit.js';
import { contrastOf, isColour } from './colour-names.js';
import type { PageFacts, ShownElement, WindowFacts } from './page-facts.js';
import { sightOf, targetsOf } from './targets.js';

/** What one page says about a claim: undefined if it is not certain. */
export interface LookVerdict {
  readonly satisfied: boolean | undefined;
  readonly shown?: readonly ShownElement[] | undefined;
  readonly why: string;
}

const open = (why: string): LookVerdict => ({ satisfied: undefined, why });

/** Returns what a page says about a claim. */
export function lookVerdict(claim: LookClaim, visit: PageVisit): LookVerdict {
  const { facts, looks } = visit;
  if (facts === undefined) return open('it was not looked at');
  if (facts.unclear !== undefined) return open(facts.unclear);
  if (!facts.wide.whole || !facts.narrow.whole) return open('it has frames or too many elements');
  if (claim.look === 'contrast') return contrastVerdict(claim.least, facts, looks['page-contrast']);
  if (claim.look === 'width') return widthVerdict(claim, facts, looks['page-reflow']);
  if (claim.look === 'colour') return colourVerdict(claim, facts);
  return claim.look === 'order' ? orderVerdict(claim, facts) : seenVerdict(claim, facts);
}

/** Colours within this of the bar decide nothing. */
const margin = 0.05;

function contrastVerdict(
  least: number | 'enough',
  { wide }: PageFacts,
  look: Look | undefined,
): LookVerdict {
  if (look === undefined) return open('its contrast is unknown');
  const isSure = (look.unsure ?? []).length === 0 && look.judged > 0;
  if (least === 'enough') return enoughVerdict(look, isSure);
  const bad = look.faults.find(({ ratio }) => ratio !== undefined && ratio < least - margin);
  if (bad !== undefined) return { satisfied: false, why: bad.description };
  const texts = wide.elements.filter(({ hasLetters, seen }) => hasLetters && seen !== 'no');
  const ratios = texts.map(lowestRatio);
  const at = ratios.findIndex((ratio) => ratio !== undefined && ratio < least - margin);
  const low = texts[at];
  if (low?.seen === 'yes')
    return { satisfied: false, shown: [low], why: `contrast of ${ratios[at]?.toFixed(2)} to 1` };
  const all = ratios.every((ratio) => ratio !== undefined && ratio >= least + margin);
  return all && isSure && look.faults.length === 0 && texts.length > 0
    ? {
        satisfied: true,
        why: `contrast of at least ${least} to 1 in ${plural(texts.length, 'text')}`,
      }
    : open('the contrast of some text is unclear');
}

function enoughVerdict({ faults: [fault], judged }: Look, isSure: boolean): LookVerdict {
  if (fault !== undefined) return { satisfied: false, why: fault.description };
  return isSure
    ? { satisfied: true, why: `enough contrast in ${plural(judged, 'text')}` }
    : open('the contrast of some text is unclear');
}

/** Returns the lowest contrast of the letters of an element, if all colours are known. */
function lowestRatio({ colours, background }: ShownElement): number | undefined {
  if (background === null || colours.length === 0) return undefined;
  const ratios = colours.map((colour) =>
    colour === null || colour[3] !== 1 ? undefined : contrastOf(colour, background),
  );
  return ratios.includes(undefined) ? undefined : Math.min(...ratios.map((ratio) => ratio ?? 0));
}

/** Windows of phones are at most so wide. */
const widestPhone = 430;

function widthVerdict(
  { width, exactly }: LookClaim & { look: 'width' },
  facts: PageFacts,
  reflow: Look | undefined,
): LookVerdict {
  const { wide, window, hides } = facts[width];
  const why = `the page is ${wide} px wide in a window of ${window} px`;
  if (wide <= window) {
    const sure = !hides && (width === 'wide' || (reflow?.faults.length ?? 1) === 0);
    return sure ? { satisfied: true, why } : open(`${why}, and may cut something off`);
  }
  if (wide <= window + 1 || hides) return open(why);
  return width === 'wide' || exactly || wide > widestPhone ? { satisfied: false, why } : open(why);
}

function colourVerdict(
  { target, of, colour, negated }: LookClaim & { look: 'colour' },
  facts: PageFacts,
): LookVerdict {
  const verdicts = [facts.wide, facts.narrow].map((view) => {
    const found = targetsOf(view, target).filter(
      (element) => sightOf(element, view, target) !== 'no',
    );
    return agreed(
      found.map((element) =>
        of === 'background' ? backgroundIs(element, colour) : thingIs(element, colour, target),
      ),
      target,
      negated,
    );
  });
  const [wide, narrow] = verdicts;
  const shown = targetsOf(facts.wide, target);
  return wide !== undefined && wide === narrow
    ? { satisfied: wide, shown, why: coloursOf(shown) }
    : open('its colour is unclear');
}

/** Returns what several things say together. All must agree, except where one violates "all". */
function agreed(
  states: readonly (boolean | undefined)[],
  { many }: LookTarget,
  negated = false,
): boolean | undefined {
  const verdicts = states.map((state) => (state === undefined ? undefined : state !== negated));
  if (verdicts.length === 0) return undefined;
  if (many && verdicts.includes(false)) return false;
  return verdicts.every((verdict) => verdict === verdicts[0]) ? verdicts[0] : undefined;
}

function backgroundIs({ background }: ShownElement, colour: string): boolean | undefined {
  return background === null ? undefined : isColour(background, colour);
}

/** Returns whether people call a thing by a colour: a button by its background, text by its letters. */
function thingIs(element: ShownElement, colour: string, { kind }: LookTarget): boolean | undefined {
  if (!/^(?:heading|h[1-6]|text|link|paragraph|button)$/.test(kind)) return undefined;
  const letters = element.colours.map((one) => (one === null ? undefined : isColour(one, colour)));
  const text = letters.every((one) => one === letters[0]) ? letters[0] : undefined;
  if (!element.painted && element.background !== null && kind !== 'button') return text;
  const behind = backgroundIs(element, colour);
  if (kind === 'button' && behind === true) return true;
  return text === behind ? text : kind === 'button' || behind !== false ? undefined : text;
}

function coloursOf(shown: readonly ShownElement[]): string {
  const [first] = shown;
  const text = first?.colours[0] ?? null;
  const behind = first?.background ?? null;
  const words = (colour: readonly number[] | null): string =>
    colour === null ? 'unknown' : `rgb(${colour.slice(0, 3).join(', ')})`;
  return `letters ${words(text)}, background ${words(behind)}`;
}

function orderVerdict(
  { first, second, relation }: LookClaim & { look: 'order' },
  { wide, narrow }: PageFacts,
): LookVerdict {
  const views = relation === 'left' || relation === 'right' ? [wide] : [wide, narrow];
  const verdicts = views.map((view) => orderIn(view, [first, second], relation));
  const [verdict] = verdicts;
  if (verdict === undefined || verdicts.some((one) => one !== verdict))
    return open('their order is unclear');
  const shown = [first, second].flatMap((target) => targetsOf(wide, target).slice(0, 1));
  return { satisfied: verdict, shown, why: `${relation}: ${verdict ? 'yes' : 'no'}` };
}

function orderIn(
  view: WindowFacts,
  [first, second]: readonly [LookTarget, LookTarget],
  relation: LookRelation,
): boolean | undefined {
  const [ones, others] = [first, second].map((target) => targetsOf(view, target));
  if (ones === undefined || others === undefined) return undefined;
  const isSeen = (element: ShownElement, target: LookTarget): boolean =>
    sightOf(element, view, target) === 'yes';
  if (!ones.every((one) => isSeen(one, first)) || !others.every((one) => isSeen(one, second)))
    return undefined;
  const pairs = ones.flatMap((one) => others.map((other) => isSo(one, other, relation)));
  return pairs.length > 0 && pairs.every((pair) => pair === pairs[0]) ? pairs[0] : undefined;
}

function isSo(one: ShownElement, other: ShownElement, relation: LookRelation): boolean | undefined {
  if (relation === 'above') return isAbove(one, other);
  if (relation === 'below') return isAbove(other, one);
  if (relation === 'left') return isLeft(one, other);
  if (relation === 'right') return isLeft(other, one);
  const [a, b] = relation === 'before' ? [one, other] : [other, one];
  const shown = isAbove(a, b) ?? isLeft(a, b);
  return shown === a.kept < b.kept ? shown : undefined;
}

function isAbove(
  { place: { box: one } }: ShownElement,
  { place: { box: other } }: ShownElement,
): boolean | undefined {
  if (one.y + one.height <= other.y + 1) return true;
  return other.y + other.height <= one.y + 1 ? false : undefined;
}

function isLeft(
  { place: { box: one } }: ShownElement,
  { place: { box: other } }: ShownElement,
): boolean | undefined {
  const sameRow = one.y < other.y + other.height && other.y < one.y + one.height;
  if (!sameRow) return undefined;
  if (one.x + one.width <= other.x + 1) return true;
  return other.x + other.width <= one.x + 1 ? false : undefined;
}

/** What ends above this is seen without scrolling, what begins below the other is not. */
const [surelySeen, surelyBelow] = [600, 1080];

function seenVerdict(
  { target, negated, where }: LookClaim & { look: 'seen' },
  { wide, narrow }: PageFacts,
): LookVerdict {
  const views = where === 'narrow' ? [narrow] : [wide, narrow];
  const verdicts = views.map((view) =>
    agreed(
      targetsOf(view, target).map((element) =>
        isSeen(element, sightOf(element, view, target), where === 'unscrolled'),
      ),
      target,
      negated,
    ),
  );
  const [verdict] = verdicts;
  if (verdict === undefined || verdicts.some((one) => one !== verdict))
    return open('whether it is seen is unclear');
  const shown = targetsOf(wide, target);
  return { satisfied: verdict, shown, why: verdict === negated ? 'not seen' : 'seen' };
}

function isSeen(
  element: ShownElement,
  sight: ShownElement['seen'],
  isUnscrolled: boolean,
): boolean | undefined {
  if (sight === 'unclear') return undefined;
  if (!isUnscrolled || sight === 'no') return sight === 'yes';
  const { y, height } = element.place.box;
  if (y + height <= surelySeen) return true;
  return y >= surelyBelow ? false : undefined;
}
