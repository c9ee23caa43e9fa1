import * as z from 'zod';
import { referencesOf } from '../inside/page-looks.js';
import type { PageFiles } from '../page-files.js';
import { type Fault, type Look, PlaceSchema } from '../page-look.js';
import { origin, pathOf, type Traffic } from './guarded-page.js';
import type { PageWorld } from './page-world.js';

const ReferencesSchema = z.array(
  z.object({
    url: z.string(),
    kind: z.string(),
    /** Whether it is a picture that arrived but cannot be shown. */
    broken: z.boolean(),
    place: PlaceSchema,
  }),
);
type Reference = z.infer<typeof ReferencesSchema>[number];

/** A file that is not there. */
interface Lack {
  readonly path: string;
  readonly description: string;
  readonly place?: Reference['place'];
}

/** Returns the look of the files that the page refers to, and of those that it asked for. */
export async function lookAtFiles(
  world: PageWorld,
  files: PageFiles,
  { missing, refused }: Traffic,
): Promise<Look> {
  const references = await world.call(referencesOf, ReferencesSchema);
  const lacks: Lack[] = [];
  const faults: Fault[] = [];
  for (const { url, kind, broken, place } of references) {
    const path = url.startsWith(`${origin}/`) ? pathOf(url) : '';
    const isThere = path === '' || (await files.read(path)) !== undefined;
    if (!isThere) lacks.push({ path, place, description: `the ${kind} ${path} is missing` });
    else if (broken) faults.push(unreadable(place, path));
  }
  const told = new Set(['favicon.ico', ...lacks.map(({ path }) => path)]);
  for (const [path, type] of missing)
    if (!told.has(path) && type !== 'document')
      lacks.push({ path, description: `the page asks for ${path} (${type}), which is missing` });
  const known = lacks.filter(({ path }) => files.isKnown(path));
  const aside = [
    ...[...refused.keys()].map((url) => `${url.slice(0, 120)} is not loaded`),
    ...lacks.filter((one) => !known.includes(one)).map(({ path }) => `${path} was not given`),
  ];
  faults.push(...known.map(lacking));
  return { judged: references.length + missing.size, faults, aside };
}

function lacking({ path, place, description }: Lack): Fault {
  const suggestedFix = `Add ${path} to the output, or correct the address`;
  const same = place === undefined ? undefined : ['resources-exist'];
  return { place, description, suggestedFix, same };
}

function unreadable(place: Reference['place'], path: string): Fault {
  return {
    place,
    description: `the image ${path || 'in its address'} cannot be shown`,
    suggestedFix: 'Replace the file by a picture that browsers can read',
  };
}
