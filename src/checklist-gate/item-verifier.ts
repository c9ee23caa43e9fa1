import * as z from 'zod';
import type { Assessment } from '../core/assessment.js';
import { builtOnUse } from '../core/built-on-use.js';
import { isEmptyOutput } from '../core/empty-output.js';
import { LocationSchema } from '../core/gap.js';
import type { ReviewerContext } from '../core/reviewer.js';
import { llmCriterion } from '../reviewers/llm-criterion.js';
import { type ChecklistItem, gapSeverityOf, gapsOfDetails } from './checklist.js';
import type { ItemAnswer, VerifyContext } from './checklist-module.js';
import type { GateSettings } from './gate-settings.js';
import { assessmentOf } from './item-verdicts.js';

/** The verifier of an item, and its input. */
export interface ItemVerifier<Work> {
  /** Part of the key of its verdicts. */
  readonly version: string;
  readonly tier: 'code' | 'model';
  readonly view: (work: Work) => unknown;
  readonly verify: (
    view: unknown,
    item: ChecklistItem,
    context: ReviewerContext,
  ) => Promise<readonly Assessment[]>;
}

/** Returns the verifier of an item: its rule, the gate's `verify`, a model, or nobody. */
export function itemVerifier<Work>(
  settings: GateSettings<Work>,
  item: ChecklistItem,
): ItemVerifier<Work> {
  const { rules, verify, verifyVersion, provider, select } = settings;
  const rule = item.rule === undefined ? undefined : rules.get(item.rule);
  const view = (work: Work): unknown => (rule?.view ?? select)(work, item.scope);
  if (rule !== undefined)
    return {
      version: `rule:${rule.id}:${rule.version}`,
      tier: 'code',
      view,
      verify: byFunction(rule.check),
    };
  if (item.rule !== undefined)
    return nobody(view, `this gate has no rule ${item.rule}; add its module to \`decompose\``);
  if (verify !== undefined)
    return {
      version: `verify:${verifyVersion}`,
      tier: 'model',
      view,
      verify: byFunction((selected, now, context) => verify(now, selected, context)),
    };
  if (provider === undefined)
    return nobody(
      view,
      'the item needs a model (`provider`), `verify`, or a verifier that updates it',
    );
  return byModel(settings, item, view);
}

function nobody<Work>(view: ItemVerifier<Work>['view'], reason: string): ItemVerifier<Work> {
  return {
    version: 'nobody',
    tier: 'model',
    view,
    verify: async (_view, { id }) => [{ verdict: 'skipped', criterion: id, reason }],
  };
}

function byModel<Work>(
  { provider, request }: GateSettings<Work>,
  item: ChecklistItem,
  view: ItemVerifier<Work>['view'],
): ItemVerifier<Work> {
  const judge = llmCriterion<unknown>({
    id: item.id,
    question: item.check,
    provider,
    severity: gapSeverityOf(item.severity),
  });
  return {
    version: `judge:${judge.version}`,
    tier: 'model',
    view,
    verify: async (output, now, context) => {
      const missing = missingIn(output);
      if (missing !== undefined) return byFunction(() => missing)(output, now, context);
      const answer = await judge.review(
        { task: request ?? '', output, iteration: context.iteration },
        context,
      );
      return 'assessments' in answer ? answer.assessments : answer;
    },
  };
}

/** Returns why a view has no content. An item fails if its scope selects nothing. */
function missingIn(view: unknown): string | undefined {
  if (typeof view === 'object' && view !== null && 'missing' in view)
    return typeof view.missing === 'string' ? view.missing : undefined;
  return isEmptyOutput(view) ? 'the work has no content' : undefined;
}

const AnswerSchema = builtOnUse(() =>
  z.union([
    z.literal(true),
    z.string().trim().min(1),
    z.strictObject({
      finding: z.string().trim().min(1),
      fix: z.string().optional(),
      evidence: z.string().optional(),
      location: LocationSchema.optional(),
    }),
    z.strictObject({ skipped: z.string().trim().min(1) }),
  ]),
);

function byFunction(
  check: (
    view: unknown,
    item: ChecklistItem,
    context: VerifyContext,
  ) => ItemAnswer | Promise<ItemAnswer>,
): ItemVerifier<never>['verify'] {
  return async (view, item, context) => {
    const answer = await context.check(
      AnswerSchema,
      async ({ signal }) => missingIn(view) ?? (await check(view, item, { signal })),
    );
    const bare = { ...item, gaps: undefined, judged: undefined, accepted: undefined };
    if (answer === true) return [assessmentOf({ ...bare, status: 'PASS', finding: null })];
    if (typeof answer === 'object' && 'skipped' in answer)
      return [{ verdict: 'skipped', criterion: item.id, reason: answer.skipped }];
    const { finding, ...details } = typeof answer === 'string' ? { finding: answer } : answer;
    const gaps = gapsOfDetails({ ...bare, finding }, details);
    return [assessmentOf({ ...bare, status: 'FAIL', finding, gaps })];
  };
}
