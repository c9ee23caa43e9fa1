import * as z from 'zod';
import {
  addTrapLinks,
  currentStop,
  focusedLink,
  loseFocus,
  type Stop,
  StopSchema,
  takeFocus,
} from '../inside/focus-stops.js';
import type { Look } from '../page-files.js';
import type { PageWorld } from './page-world.js';

const mostStops = 60;
/** Presses that may stay in one frame. */
const mostRepeats = 20;

interface Seen extends Stop {
  readonly shows: 'yes' | 'no' | 'unclear';
}

/**
 * Goes through the page with the Tab key. Returns the looks of visible focus and of its order.
 *
 * @param mayFill - Whether scripts that are off may give an area to what has none.
 */
export async function lookAtFocus(
  world: PageWorld,
  mayFill: boolean,
): Promise<{ readonly looks: Record<string, Look>; readonly stops: number }> {
  const { stops, more } = await walk(world);
  const isOpen = ({ unseen, hollow }: Stop): boolean => unseen && hollow && mayFill;
  const judged = stops.filter(({ unseen }) => !unseen);
  const unsure = more ? [`more than ${mostStops} stops of the Tab key`] : [];
  const visible: Look = {
    judged: judged.length,
    faults: judged
      .filter(({ shows }) => shows === 'no')
      .map(({ place }) => ({
        place,
        description: 'nothing shows that it has the focus',
        suggestedFix: 'Add a visible `:focus-visible` style, or remove `outline: none`',
      })),
    unsure: [
      ...unsure,
      ...judged
        .filter(({ shows }) => shows === 'unclear')
        .map(({ place: { selector }, frame }) =>
          frame ? `${selector}: what is inside of the frame` : `${selector} changes by itself`,
        ),
    ],
  };
  const order: Look = {
    judged: stops.length,
    faults: [
      ...stops
        .filter(({ tabindex }) => tabindex > 0)
        .map(({ place, tabindex }) => ({
          place,
          same: ['tab-order'],
          description: `tabindex ${tabindex} takes it out of the order of the page`,
          suggestedFix: 'Remove the positive `tabindex`, or use 0',
        })),
      ...stops
        .filter((stop) => stop.unseen && !isOpen(stop))
        .map(({ place }) => ({
          place,
          description: 'the Tab key reaches it, but nothing of it is shown',
          suggestedFix:
            'Show it while it has the focus, or take it out of the order of the Tab key',
        })),
    ],
    unsure: [
      ...unsure,
      ...stops.filter(isOpen).map(({ place }) => `${place.selector}, which scripts may fill`),
    ],
  };
  return {
    looks: { 'page-focus-visible': visible, 'page-focus-order': order },
    stops: stops.length,
  };
}

async function walk(world: PageWorld): Promise<{ stops: Seen[]; more: boolean }> {
  const stops: Seen[] = [];
  const seen = new Set<number>();
  let repeats = 0;
  await world.call(loseFocus, z.null());
  while (stops.length < mostStops) {
    await world.page.keyboard.press('Tab');
    const stop = await world.call(currentStop, StopSchema.nullable());
    if (stop === null) return { stops, more: false };
    if (seen.has(stop.kept)) {
      repeats += 1;
      if (!stop.frame || repeats > mostRepeats) return { stops, more: false };
      continue;
    }
    seen.add(stop.kept);
    stops.push({ ...stop, shows: await showsFocus(world, stop) });
  }
  return { stops, more: true };
}

/**
 * Compares the pixels with and without the focus: first near the element, then in the window. What
 * changes without the focus shows nothing.
 */
async function showsFocus(world: PageWorld, stop: Stop): Promise<Seen['shows']> {
  if (stop.frame) return 'unclear';
  if (stop.caret || stop.unseen) return 'yes';
  for (const part of [stop.clip, stop.window]) {
    await world.call(takeFocus, z.null(), stop.kept);
    const focused = await world.shot(part);
    await world.call(loseFocus, z.null());
    const without = await world.shot(part);
    if (without !== focused) return (await world.shot(part)) === without ? 'yes' : 'unclear';
  }
  return 'no';
}

const ofKeys =
  /\b(?:ctrl|control|alt|shift|esc(?:ape)?|enter|keyboard|keys?|press|shortcuts?|help|how to)\b/i;

/**
 * Goes through the page with Tab and with Shift+Tab, between a link before and one after it. It
 * changes the page, so it comes last.
 */
export async function lookForTraps(world: PageWorld, stops: number): Promise<Look> {
  const text = String(await world.run('document.body.textContent.slice(0, 1000000)'));
  const suggestedFix = 'Let Tab and Shift+Tab move the focus on, and say which other key does';
  await world.call(addTrapLinks, z.null());
  for (const [key, from, to] of [
    ['Tab', 0, 1],
    ['Shift+Tab', 1, 0],
  ] as const) {
    await world.call(takeFocus, z.null(), from);
    let at: number = from;
    for (let press = 0; at !== to && press < 3 * stops + 5; press += 1) {
      await world.page.keyboard.press(key);
      at = await world.call(focusedLink, z.number());
    }
    if (at === to) continue;
    const place = (await world.call(currentStop, StopSchema.nullable()))?.place;
    const open = `${place?.selector ?? 'the page'}: the page may name keys that lead out`;
    if (ofKeys.test(text)) return { judged: 0, faults: [], unsure: [open] };
    const description = `${key} does not lead out of it`;
    return { judged: stops, faults: [{ place, description, suggestedFix }] };
  }
  return { judged: stops, faults: [] };
}
