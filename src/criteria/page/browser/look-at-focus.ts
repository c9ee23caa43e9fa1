import * as z from 'zod';
import { currentStop, loseFocus, movedStops, type Stop, takeFocus } from '../inside/focus-stops.js';
import { BoxSchema, PlaceSchema } from '../page-place.js';
import type { Fault, Look } from '../page-visit.js';
import type { PageWorld } from './page-world.js';

const StopSchema = z
  .object({
    kept: z.number(),
    place: PlaceSchema,
    caret: z.boolean(),
    frame: z.boolean(),
    tabindex: z.number(),
    unseen: z.boolean(),
    hollow: z.boolean(),
    clip: BoxSchema,
    window: BoxSchema,
  })
  .nullable();

const mostStops = 60;
/** Presses that may stay in one frame. */
const mostRepeats = 20;

/** A stop, and whether anything showed the focus. */
interface Seen extends Stop {
  readonly visible: boolean;
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
  const moved = await world.call(
    movedStops,
    z.array(PlaceSchema),
    stops.filter(({ tabindex, unseen }) => tabindex <= 0 && !unseen).map(({ kept }) => kept),
  );
  const isOpen = ({ unseen, hollow }: Stop): boolean => unseen && hollow && mayFill;
  const judgedByEye = stops.filter(({ unseen, frame }) => !unseen && !frame);
  const unsure = more ? [`more than ${mostStops} stops of the Tab key`] : [];
  return {
    stops: stops.length,
    looks: {
      'page-focus-visible': {
        judged: judgedByEye.length,
        faults: judgedByEye.filter(({ visible }) => !visible).map(invisible),
        unsure,
      },
      'page-focus-order': {
        judged: stops.length,
        faults: [
          ...stops.filter(({ tabindex }) => tabindex > 0).map(outOfOrder),
          ...stops.filter((stop) => stop.unseen && !isOpen(stop)).map(offPage),
          ...moved.map(
            (place): Fault => ({
              criterion: 'page-focus-order',
              place,
              description: 'the Tab key reaches it after what stands behind it',
              suggestedFix: 'Put the elements into the source in the order in which they are shown',
            }),
          ),
        ],
        aside: stops.filter(isOpen).map(({ place }) => `${place.selector}, which scripts may fill`),
        unsure,
      },
    },
  };
}

async function walk(world: PageWorld): Promise<{ stops: Seen[]; more: boolean }> {
  const stops: Seen[] = [];
  const seen = new Set<number>();
  let repeats = 0;
  await world.do(loseFocus, null);
  while (stops.length < mostStops) {
    await world.page.keyboard.press('Tab');
    const stop = await world.call(currentStop, StopSchema, null);
    if (stop === null) return { stops, more: false };
    if (seen.has(stop.kept)) {
      repeats += 1;
      if (!stop.frame || repeats > mostRepeats) return { stops, more: false };
      continue;
    }
    seen.add(stop.kept);
    stops.push({ ...stop, visible: stop.frame || stop.unseen || (await isVisible(world, stop)) });
  }
  return { stops, more: true };
}

/** Compares the pixels with and without the focus: first near the element, then in the window. */
async function isVisible(world: PageWorld, { clip, window, caret, kept }: Stop): Promise<boolean> {
  if (caret) return true;
  const focused = await world.shot(clip);
  await world.do(loseFocus, null);
  if ((await world.shot(clip)) !== focused) return true;
  const without = await world.shot(window);
  await world.do(takeFocus, kept);
  const visible = (await world.shot(window)) !== without;
  await world.do(loseFocus, null);
  return visible;
}

function invisible({ place }: Seen): Fault {
  return {
    criterion: 'page-focus-visible',
    place,
    description: 'nothing shows that it has the focus',
    suggestedFix: 'Add a visible `:focus-visible` style, or remove `outline: none`',
  };
}

function outOfOrder({ place, tabindex }: Seen): Fault {
  return {
    criterion: 'page-focus-order',
    place,
    same: { rule: 'tabindex', act: [] },
    description: `tabindex ${tabindex} takes it out of the order of the page`,
    suggestedFix: 'Remove the positive `tabindex`, or use 0',
  };
}

function offPage({ place }: Seen): Fault {
  return {
    criterion: 'page-focus-order',
    place,
    description: 'the Tab key reaches it, but nothing of it is shown',
    suggestedFix: 'Show it while it has the focus, or take it out of the order of the Tab key',
  };
}
