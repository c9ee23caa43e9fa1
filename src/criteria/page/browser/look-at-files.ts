import * as z from 'zod';
import { type Reference, type References, referencesOf } from '../inside/references.js';
import { unsizedPictures } from '../inside/unsized.js';
import { type PageFiles, sitePath } from '../page-files.js';
import { PlaceSchema } from '../page-place.js';
import type { Fault, Look } from '../page-visit.js';
import { origin, type Traffic } from './guarded-page.js';
import type { PageWorld } from './page-world.js';

const ReferenceSchema = z.object({ url: z.string(), kind: z.string(), place: PlaceSchema });
const ReferencesSchema = z.object({
  files: z.array(ReferenceSchema),
  broken: z.array(ReferenceSchema),
  dead: z.array(ReferenceSchema),
  fonts: z.array(z.string()),
  scripts: z.array(z.string()),
});

/** How many pictures are tried without their height. */
const mostTried = 40;

/** What the look at files needs. */
export interface FilesAround {
  readonly files: PageFiles;
  readonly traffic: Traffic;
  /** Whether the scripts of the page ran. */
  readonly scripts: boolean;
}

/** Returns the looks of missing files and of layout that moves. */
export async function lookAtFiles(
  world: PageWorld,
  around: FilesAround,
): Promise<Record<string, Look>> {
  const found = await world.call(referencesOf, ReferencesSchema, null);
  const { faults, aside } = await missingFiles(found, around);
  faults.push(...(await brokenOf(found, around)));
  const unsized = await world.call(unsizedPictures, z.array(PlaceSchema), mostTried);
  const late = !around.scripts && (await hasScripts(found, around));
  if (late && found.dead.length > 0) aside.add('links to places that scripts may add');
  else faults.push(...found.dead.map(dead));
  return {
    'page-resources': {
      judged: found.files.length + found.dead.length + around.traffic.missing.size,
      faults,
      aside: [...aside],
    },
    'page-layout-shift': {
      judged: Number(await world.run('document.images.length')),
      faults: unsized.map((place) => ({
        criterion: 'page-layout-shift',
        place,
        description: 'the page moves when this picture arrives, because it has no height before',
        suggestedFix: 'Add `width` and `height` to the image, or an `aspect-ratio`',
      })),
    },
  };
}

/** Returns the files that are missing, and those that were neither given nor loaded. */
async function missingFiles(
  { files }: References,
  around: FilesAround,
): Promise<{ readonly faults: Fault[]; readonly aside: Set<string> }> {
  const { missing: unanswered, refused } = around.traffic;
  const aside = new Set([...refused.keys()].map((url) => `${url.slice(0, 120)} is not loaded`));
  const faults: Fault[] = [];
  const told = new Set<string>();
  for (const reference of files) {
    const state = await stateOf(reference, around);
    if (state === 'missing') faults.push(missing(reference, told));
    if (state === 'unknown') aside.add(`${pathOf(reference.url)} was not given`);
  }
  for (const [path, type] of unanswered) {
    if (told.has(path) || type === 'document' || path === 'favicon.ico') continue;
    if (around.files.isKnown(path)) faults.push(asked(path, type));
    else aside.add(`${path} was not given`);
  }
  return { faults, aside };
}

/** Returns whether a script may add something to the page. */
async function hasScripts({ scripts }: References, around: FilesAround): Promise<boolean> {
  for (const url of scripts)
    if (url === '' || (await stateOf({ url }, around)) !== 'missing') return true;
  return false;
}

async function stateOf(
  { url }: Pick<Reference, 'url'>,
  { files }: FilesAround,
): Promise<'there' | 'missing' | 'unknown'> {
  if (!url.startsWith(`${origin}/`)) return 'there';
  const path = pathOf(url);
  if (path === '' || (await files.read(path)) !== undefined) return 'there';
  return files.isKnown(path) ? 'missing' : 'unknown';
}

function pathOf(url: string): string {
  try {
    return sitePath(decodeURIComponent(new URL(url).pathname));
  } catch {
    return url;
  }
}

function missing({ url, kind, place }: Reference, told: Set<string>): Fault {
  const path = pathOf(url);
  told.add(path);
  return {
    criterion: 'page-resources',
    place,
    same: { rule: 'missing-file', act: [] },
    description: `the ${kind} ${path} is missing`,
    suggestedFix: `Add ${path} to the output, or correct the address`,
  };
}

function asked(path: string, type: string): Fault {
  return {
    criterion: 'page-resources',
    description: `the page asks for ${path} (${type}), which is missing`,
    suggestedFix: `Add ${path} to the output, or correct the address`,
  };
}

/** Returns the pictures and fonts that are there but cannot be shown. */
async function brokenOf(found: References, around: FilesAround): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const reference of found.broken) {
    const isOurs = reference.url.startsWith(`${origin}/`) || reference.url.startsWith('data:');
    if (!isOurs || (await stateOf(reference, around)) !== 'there') continue;
    const name = reference.url.startsWith('data:') ? 'in its address' : pathOf(reference.url);
    faults.push({
      criterion: 'page-resources',
      place: reference.place,
      description: `the image ${name} cannot be shown`,
      suggestedFix: 'Replace the file by a picture that browsers can read',
    });
  }
  return faults;
}

function dead({ url, place }: Reference): Fault {
  return {
    criterion: 'page-resources',
    place,
    description: `the link leads to ${url}, which is not on the page`,
    suggestedFix: `Add the id ${url.slice(1)} to the target, or correct the link`,
  };
}
