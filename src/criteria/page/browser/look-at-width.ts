import * as z from 'zod';
import { cutOffWhenLarge, tooWide } from '../inside/narrow.js';
import { PlaceSchema } from '../page-place.js';
import type { Fault, Look } from '../page-visit.js';
import type { PageWorld } from './page-world.js';

const NarrowSchema = z.object({
  wide: z.number(),
  window: z.number(),
  judged: z.number(),
  places: z.array(PlaceSchema.extend({ right: z.number() })),
});

/** The window of a small telephone, or of a screen at 400 %. */
export const narrow = { width: 320, height: 256 };

/** Returns what is wider than a window of 320 px. */
export async function lookAtWidth(world: PageWorld): Promise<Look> {
  const { window, judged, places } = await world.call(tooWide, NarrowSchema, null);
  return {
    judged,
    faults: places.map(
      ({ right, ...place }): Fault => ({
        criterion: 'page-reflow',
        place,
        width: narrow.width,
        description: `reaches to ${right} px in a window of ${window} px`,
        suggestedFix:
          'Let it shrink with the window: `max-width: 100%`, `flex-wrap`, or no fixed width',
      }),
    ),
  };
}

/** Returns the text that is cut off at twice the size. */
export async function lookAtLargeText(world: PageWorld): Promise<Fault[]> {
  const cut = await world.call(cutOffWhenLarge, z.array(PlaceSchema), null);
  return cut.map((place) => ({
    criterion: 'page-reflow',
    place,
    description: 'cuts off its text at twice the text size',
    suggestedFix: 'Use `min-height` in place of `height`, or let the content overflow',
  }));
}
