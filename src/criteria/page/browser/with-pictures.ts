import type { Box } from '../page-place.js';
import type { Fault, Look } from '../page-visit.js';
import type { PageWorld } from './page-world.js';

const cropped = { width: 400, height: 200 };
const most = 24;
const mostHeight = 10_000;

interface View {
  readonly looks: Readonly<Record<string, Look>>;
  /** Faults outside of the looks. */
  readonly faults: readonly Fault[];
  readonly screenshots: boolean;
}

/** Returns the faults with a picture of their place each, as the page looks now. */
export async function withPictures(
  world: PageWorld,
  { looks, faults, screenshots }: View,
): Promise<{ readonly looks: Record<string, Look>; readonly faults: readonly Fault[] }> {
  if (!screenshots) return { looks: { ...looks }, faults };
  const made = new Map<string, string>();
  const pictured = async (fault: Fault): Promise<Fault> => {
    const { place } = fault;
    if (place === undefined || place.box.width === 0 || place.box.y > mostHeight) return fault;
    const clip = cropAround(place.box);
    const key = JSON.stringify(clip);
    const known = made.get(key);
    if (known === undefined && made.size >= most) return fault;
    const picture =
      known ?? `data:image/jpeg;base64,${await world.shot(clip, { jpeg: true, beyond: true })}`;
    made.set(key, picture);
    return { ...fault, picture };
  };
  const all = async (given: readonly Fault[]): Promise<Fault[]> => {
    const done: Fault[] = [];
    for (const fault of given) done.push(await pictured(fault));
    return done;
  };
  const shown: Record<string, Look> = {};
  for (const [id, look] of Object.entries(looks))
    shown[id] = { ...look, faults: await all(look.faults) };
  return { looks: shown, faults: await all(faults) };
}

/** Returns the part of the page that shows a place in its surroundings. */
function cropAround({ x, y, width, height }: Box): Box {
  const aside = Math.max(20, (cropped.width - width) / 2);
  const above = Math.max(20, (cropped.height - height) / 2);
  return {
    x: Math.max(0, Math.round(x - aside)),
    y: Math.max(0, Math.round(y - above)),
    ...cropped,
  };
}
