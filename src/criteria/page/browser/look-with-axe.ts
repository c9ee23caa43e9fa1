import * as z from 'zod';
import { loadPeer } from '../../../core/load-peer.js';
import { type AxeQuestion, axeFacts } from '../inside/axe-facts.js';
import { PlaceSchema } from '../page-place.js';
import type { Fault, Look } from '../page-visit.js';
import type { PageWorld } from './page-world.js';

const NodeSchema = z.object({
  place: PlaceSchema,
  why: z.string(),
  ratio: z.number(),
  bar: z.number(),
  colours: z.string(),
});
const RuleSchema = z.object({
  id: z.string(),
  impact: z.string(),
  help: z.string(),
  helpUrl: z.string(),
  act: z.array(z.string()),
  nodes: z.array(NodeSchema),
});
const FactsSchema = z.object({
  violations: z.array(RuleSchema),
  incomplete: z.array(RuleSchema),
  passed: z.array(z.object({ id: z.string(), count: z.number() })),
});
type Facts = z.infer<typeof FactsSchema>;
type Rule = z.infer<typeof RuleSchema>;

/** Rules of axe that have a criterion of their own. */
const own: Readonly<Record<string, string>> = {
  'color-contrast': 'page-contrast',
  'target-size': 'page-target-size',
  'scrollable-region-focusable': 'page-scroll-focus',
};

/** Returns the source of axe. @throws ReviewLoopError `peer_missing` */
async function axeSource(): Promise<string> {
  const { default: axe } = await loadPeer(
    { feature: 'criteria/page', packages: ['axe-core'] },
    () => import('axe-core'),
  );
  return axe.source;
}

/** Runs axe once, for all criteria that read it. */
export async function lookWithAxe(
  world: PageWorld,
  question: AxeQuestion,
): Promise<Record<string, Look>> {
  await world.run(`${await axeSource()}; undefined`);
  const facts = await world.call(axeFacts, FactsSchema, question);
  return {
    'page-contrast': lookOf('color-contrast', facts),
    'page-target-size': lookOf('target-size', facts),
    'page-scroll-focus': lookOf('scrollable-region-focusable', facts),
    'page-axe': otherRules(facts),
  };
}

/** Returns the look of a criterion that one rule of axe decides. */
function lookOf(rule: string, { violations, incomplete, passed }: Facts): Look {
  const bad = violations.find(({ id }) => id === rule);
  const open = incomplete.find(({ id }) => id === rule);
  const faults = bad?.nodes.map((node) => faultOf(bad, node)) ?? [];
  return {
    judged: faults.length + (passed.find(({ id }) => id === rule)?.count ?? 0),
    faults,
    unsure: open?.nodes.map(({ place, why }) => `${place.selector}: ${why || 'axe cannot tell'}`),
  };
}

/** Returns the look of all rules without a criterion of their own. */
function otherRules({ violations, incomplete, passed }: Facts): Look {
  const bad = violations.filter(({ id }) => own[id] === undefined);
  return {
    judged: bad.length + passed.filter(({ id }) => own[id] === undefined).length,
    faults: bad.flatMap((rule) => rule.nodes.map((node) => faultOf(rule, node))),
    aside: incomplete.filter(({ id }) => own[id] === undefined).map(({ id }) => id),
  };
}

function faultOf(rule: Rule, { place, ratio, bar, colours }: Rule['nodes'][number]): Fault {
  const criterion = own[rule.id] ?? 'page-axe';
  const severity = /critical|serious/.test(rule.impact) ? 'major' : 'minor';
  if (criterion === 'page-contrast')
    return {
      criterion,
      place,
      ratio,
      description: `contrast of ${ratio} to 1 (${colours}), ${bar} is needed`,
      suggestedFix: `Use colours with a contrast of at least ${bar} to 1`,
    };
  if (criterion === 'page-target-size')
    return {
      criterion,
      place,
      description: `target of ${size(place.box.width)} x ${size(place.box.height)} px with too little space around it`,
      suggestedFix: 'Make the target at least 24 x 24 px, or leave more space around it',
    };
  if (criterion === 'page-scroll-focus')
    return {
      criterion,
      place,
      description: 'the keyboard cannot scroll this part',
      suggestedFix: 'Add `tabindex="0"` to the part that scrolls, with a role and a name',
    };
  return {
    criterion,
    place,
    severity,
    same: { rule: rule.id, act: rule.act },
    description: `${rule.id}: ${rule.help}`,
    suggestedFix: `${rule.help}; see ${rule.helpUrl}`,
  };
}

function size(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
