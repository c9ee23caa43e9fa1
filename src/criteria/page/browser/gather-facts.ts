import * as z from 'zod';
import { kindSelectors } from '../claims/kind-selectors.js';
import {
  ListedWindowSchema,
  OtherTextsSchema,
  type PageFacts,
  PaintsSchema,
  SightsSchema,
  type WindowFacts,
} from '../claims/page-facts.js';
import { otherTexts } from '../inside/other-texts.js';
import { shownByStyles, uncovered } from '../inside/seen-elements.js';
import { listedElements, paintOf } from '../inside/shown-elements.js';
import { type GuardedPage, type Traffic, wide } from './guarded-page.js';
import type { PageWorld } from './page-world.js';
import { type SeenLetters, seeLetters } from './see-letters.js';

const most = 2500;
/** The window of a telephone. */
const telephone = { width: 320, height: 640 };
const countScripts = `[...document.scripts].filter(({ type }) => /^$|javascript|module/i.test(type)).length +
  document.querySelectorAll('[onload], [onerror]').length`;

/** Returns the elements of a page as a wide and a narrow window show them. */
export async function gatherFacts(
  world: PageWorld,
  { page, traffic }: GuardedPage,
  scripts: boolean,
): Promise<PageFacts> {
  const count = z.number().parse(await world.run(countScripts));
  const unclear =
    count > 0 && !scripts ? 'its scripts are off (`scripts: true` runs them)' : lackOf(traffic);
  const inWideWindow = await factsOf(world);
  await page.setViewportSize(telephone);
  const narrow = await factsOf(world);
  await page.setViewportSize(wide);
  return { wide: inWideWindow, narrow, ...(unclear !== undefined && { unclear }) };
}

/** Returns what the page did not get, if that may change how it looks. */
function lackOf({ missing, refused, limits, errors }: Traffic): string | undefined {
  const [lack] = [...missing, ...refused].find(([, type]) =>
    /^(?:stylesheet|script|font|xhr|fetch)$/.test(type),
  ) ?? [undefined];
  if (lack !== undefined) return `${lack.slice(0, 120)} was not given`;
  return [...limits][0] ?? (errors[0] === undefined ? undefined : `a script failed: ${errors[0]}`);
}

async function factsOf(world: PageWorld): Promise<WindowFacts> {
  const listed = await world.call(listedElements, ListedWindowSchema, { ...kindSelectors, most });
  const kept = listed.elements.map((element) => element.kept);
  const paint = await world.call(paintOf, PaintsSchema, kept);
  const shown = await world.call(shownByStyles, SightsSchema, kept);
  const over = await world.call(uncovered, SightsSchema, kept);
  const letters = await seeLetters(world, kept);
  const others = await world.call(otherTexts, OtherTextsSchema, null);
  const elements = listed.elements.map((element, index) => {
    const seen = shown[index] === 'yes' ? over[index] : shown[index];
    const isUnsure = seen === 'yes' && areUnseen(letters, element.kept);
    const unknown = { colours: [], background: null, painted: false, hasLetters: false };
    return {
      ...element,
      ...(paint[index] ?? unknown),
      seen: isUnsure ? ('unclear' as const) : (seen ?? 'unclear'),
    };
  });
  return { ...listed, elements, others };
}

/** Returns whether an element has letters that change no pixel. */
function areUnseen({ having, seen }: SeenLetters, kept: number): boolean {
  return having.has(kept) && !seen.has(kept);
}
