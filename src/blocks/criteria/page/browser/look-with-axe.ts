import * as z from 'zod';
import { htmlRules } from '../../html/html-criteria.js';
import { axeFacts, referencesOf } from '../inside/page-looks.js';
import { type Fault, type Look, type PageFiles, PlaceSchema } from '../page-files.js';
import { pagePeers } from './chromium.js';
import { origin, pathOf, type Traffic } from './guarded-page.js';
import type { PageWorld } from './page-world.js';

const RuleSchema = z.object({
  id: z.string(),
  impact: z.string(),
  help: z.string(),
  helpUrl: z.string(),
  act: z.array(z.string()),
  nodes: z.array(z.object({ place: PlaceSchema, why: z.string() })),
});

const FactsSchema = z.object({
  violations: z.array(RuleSchema),
  incomplete: z.array(RuleSchema),
  passed: z.array(z.object({ id: z.string(), count: z.number() })),
});

const own: Readonly<Record<string, string>> = {
  'color-contrast': 'page-contrast',
  'target-size': 'page-target-size',
  'scrollable-region-focusable': 'page-scroll-focus',
};

/** Runs axe once, for all criteria that read it. */
export async function lookWithAxe(
  world: PageWorld,
  question: Parameters<typeof axeFacts>[1],
): Promise<Record<string, Look>> {
  await world.run(`${(await pagePeers()).axe}; undefined`);
  const facts = await world.call(axeFacts, FactsSchema, question);
  const looks = Object.entries(own).map(
    ([rule, id]) => [id, lookOf(facts, (one) => one === rule)] as const,
  );
  const others = lookOf(facts, (rule) => own[rule] === undefined);
  return { ...Object.fromEntries(looks), 'page-axe': others };
}

/** What axe cannot tell is unsure. */
function lookOf(
  { violations, incomplete, passed }: z.infer<typeof FactsSchema>,
  has: (id: string) => boolean,
): Look {
  const faults = violations
    .filter(({ id }) => has(id))
    .flatMap(({ id, act, impact, help, helpUrl, nodes }) =>
      nodes.map(({ place, why }) => ({
        place,
        ...(own[id] === undefined && {
          severity: /critical|serious/.test(impact) ? ('major' as const) : ('minor' as const),
          same: htmlRules
            .filter((rule) => rule.act?.some((one) => act.includes(one)))
            .map((rule) => rule.id),
        }),
        description: own[id] === undefined || why === '' ? `${id}: ${help}` : why,
        suggestedFix: `${help}; see ${helpUrl}`,
      })),
    );
  return {
    judged: passed.reduce((sum, { id, count }) => sum + (has(id) ? count : 0), faults.length),
    faults,
    unsure: incomplete
      .filter(({ id }) => has(id))
      .flatMap(({ id, nodes }) =>
        nodes.map(({ place, why }) => `${place.selector}: ${why || 'axe cannot tell'} (${id})`),
      ),
  };
}

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

interface Lack {
  readonly path: string;
  readonly description: string;
  readonly place?: Reference['place'];
}

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
