import * as z from 'zod';
import { htmlRules } from '../../html/html-criteria.js';
import { axeFacts } from '../inside/page-looks.js';
import { type Look, PlaceSchema } from '../page-look.js';
import { pagePeers } from './chromium.js';
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

/** Rules of axe that have a criterion of their own. */
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

/** Returns what axe says by some rules. What it cannot tell is unsure. */
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
