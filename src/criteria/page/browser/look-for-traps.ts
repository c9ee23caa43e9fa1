import * as z from 'zod';
import { currentStop, takeFocus } from '../inside/focus-stops.js';
import { addTrapLinks, focusedLink, namedKeys, shortTimers } from '../inside/trap-links.js';
import { type Place, PlaceSchema } from '../page-place.js';
import type { Fault, Look } from '../page-visit.js';
import type { PageWorld } from './page-world.js';

const TrappedSchema = z.object({ place: PlaceSchema }).nullable();
const KeysSchema = z.object({ keys: z.array(z.string()), speaks: z.boolean() });

/** A way through the page, from one added link to the other. */
interface Way {
  readonly key: 'Tab' | 'Shift+Tab';
  readonly from: number;
  readonly to: number;
  readonly presses: number;
}

/**
 * Goes through the page with Tab and with Shift+Tab, between a link before and one after it. It
 * changes the page, so it comes last.
 */
export async function lookForTraps(world: PageWorld, stops: number): Promise<Look> {
  const { keys, speaks } = await world.call(namedKeys, KeysSchema, null);
  const presses = 3 * stops + 5;
  await world.do(addTrapLinks, null);
  // a key that leads out need not lead back
  let escaped = false;
  for (const way of [
    { key: 'Tab', from: 0, to: 1, presses },
    { key: 'Shift+Tab', from: 1, to: 0, presses },
  ] as const) {
    await world.do(takeFocus, way.from);
    if (await arrives(world, way)) continue;
    const trap = await world.call(currentStop, TrappedSchema, null);
    escaped ||= await leadsOut(world, way, keys);
    if (escaped) continue;
    const where = trap === null ? 'the page' : trap.place.selector;
    return speaks
      ? { judged: 0, faults: [], unsure: [`${where}: the page may name keys that lead out`] }
      : { judged: stops, faults: [faultOf(way.key, trap?.place)] };
  }
  return { judged: stops, faults: [] };
}

/** Returns whether one of the keys that the page names leads out. */
async function leadsOut(world: PageWorld, way: Way, keys: readonly string[]): Promise<boolean> {
  for (const key of keys) {
    await world.page.keyboard.press(key).catch(() => undefined);
    if (await arrives(world, way)) return true;
  }
  return false;
}

async function arrives(world: PageWorld, way: Way): Promise<boolean> {
  for (let press = 0; press < way.presses; press += 1) {
    await world.page.keyboard.press(way.key);
    await world.call(shortTimers, z.boolean(), null);
    if ((await world.call(focusedLink, z.number(), null)) === way.to) return true;
  }
  return false;
}

function faultOf(key: string, place: Place | undefined): Fault {
  return {
    criterion: 'page-keyboard-trap',
    place,
    severity: 'critical',
    description: `${key} does not lead out of it`,
    suggestedFix: 'Let Tab and Shift+Tab move the focus on, and say which other key does',
  };
}
