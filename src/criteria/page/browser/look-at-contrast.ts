import * as z from 'zod';
import { hideLetters, letterContrasts, lettersOf } from '../inside/letters.js';
import { BoxSchema, type Place } from '../page-place.js';
import type { Fault, Look } from '../page-visit.js';
import type { PageWorld } from './page-world.js';

/** Text whose contrast axe could not tell. */
export interface ContrastNode {
  readonly kept: number;
  readonly place: Place;
}

const LettersSchema = z
  .object({
    boxes: z.array(BoxSchema),
    clip: BoxSchema,
    bar: z.number(),
    incomplete: z.boolean(),
  })
  .nullable();

const mostNodes = 60;
/** Strokes of small letters are thinner than a pixel, so the pictures are larger. */
const scale = 3;
/** Pixels near the bar decide nothing: they depend on the fonts of the machine. */
const margin = 0.2;

/** Measures the contrast of text by its pixels: one picture with the letters, one without. */
export async function lookAtContrast(
  world: PageWorld,
  nodes: readonly ContrastNode[],
  missing: readonly string[],
): Promise<Look> {
  const faults: Fault[] = [];
  const unsure: string[] = [];
  let judged = 0;
  for (const [index, node] of nodes.entries()) {
    const found =
      index < mostNodes
        ? await measured(world, node, missing)
        : `more than ${mostNodes} such texts`;
    if (typeof found === 'string') unsure.push(`${node.place.selector}: ${found}`);
    else {
      judged += 1;
      if (found.contrast < found.bar) faults.push(faultOf(node.place, found));
    }
  }
  return { judged, faults, unsure };
}

interface Measured {
  readonly contrast: number;
  readonly bar: number;
}

/** Returns the lowest contrast of the letters of an element, or why it cannot be told. */
async function measured(
  world: PageWorld,
  { kept }: ContrastNode,
  missing: readonly string[],
): Promise<Measured | string> {
  const letters = await world.call(lettersOf, LettersSchema, { kept, missing });
  if (letters === null) return 'no letters were found';
  if (letters.boxes.length === 1) return 'a single letter';
  if (letters.incomplete) return 'a picture behind it is missing';
  const shown = await world.shot(letters.clip, { scale });
  await world.do(hideLetters, { kept, hidden: true });
  const hidden = await world.shot(letters.clip, { scale });
  await world.do(hideLetters, { kept, hidden: false });
  if (shown === hidden) return 'its letters change no pixel';
  const contrasts = (
    await world.compare(letterContrasts, { shown, hidden, scale, boxes: letters.boxes })
  ).filter((contrast) => contrast > 0);
  if (contrasts.length === 0) return 'its letters change no pixel';
  const contrast = Math.min(...contrasts);
  const { bar } = letters;
  if (Math.abs(contrast - bar) < margin) return `about ${contrast.toFixed(2)} to 1, near ${bar}`;
  return { contrast, bar };
}

function faultOf(place: Place, { contrast, bar }: Measured): Fault {
  return {
    criterion: 'page-contrast',
    place,
    ratio: contrast,
    description: `contrast of about ${contrast.toFixed(1)} to 1 at some letters, ${bar} is needed`,
    suggestedFix: `Use colours with a contrast of at least ${bar} to 1 over the whole background`,
  };
}
