import * as z from 'zod';
import { allLetters, hideAllLetters, scrollDown, seenLetters } from '../inside/all-letters.js';
import { BoxSchema } from '../page-place.js';
import type { PageWorld } from './page-world.js';

const LettersSchema = z.object({
  letters: z.array(z.object({ kept: z.number(), boxes: z.array(BoxSchema) })),
  steps: z.array(z.number()),
});

/** How many letters of an element are looked at, and how many half windows. */
const [most, mostSteps] = [40, 40];

/** The elements with letters, and those of them whose letters a person sees. */
export interface SeenLetters {
  readonly having: ReadonlySet<number>;
  readonly seen: ReadonlySet<number>;
}

/** Tells by pixels which letters a person sees: letters that change nothing are not seen. */
export async function seeLetters(world: PageWorld, kept: readonly number[]): Promise<SeenLetters> {
  const { letters, steps } = await world.call(allLetters, LettersSchema, { kept, most, mostSteps });
  const seen = new Set<number>();
  for (const step of steps) {
    const open = letters.filter((one) => !seen.has(one.kept));
    if (open.length === 0) break;
    const window = await world.call(scrollDown, BoxSchema, step);
    const shown = await world.shot(window);
    await world.do(hideAllLetters, true);
    const hidden = await world.shot(window);
    await world.do(hideAllLetters, false);
    if (shown === hidden) continue;
    for (const number of await world.compare(seenLetters, { shown, hidden, window, letters: open }))
      seen.add(number);
  }
  await world.call(scrollDown, BoxSchema, 0);
  return { having: new Set(letters.map((one) => one.kept)), seen };
}
