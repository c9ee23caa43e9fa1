import * as z from 'zod';
import { llmCriterion } from '../../blocks/reviewers/llm-criterion.js';
import { type Assessment, VerifiedAssessments } from '../../core/assessment.js';
import { builtOnUse } from '../../core/built-on-use.js';
import { isEmptyOutput } from '../../core/empty-output.js';
import { LocationSchema } from '../../core/gap.js';
import { digestOf } from '../../core/json.js';
import type { Reviewer, ReviewerContext } from '../../core/reviewer.js';
import type { ChecklistItem, ChecklistPhase } from '../../ports/checklist/checklist-state.js';
import { gapSeverityOf, gapsOfDetails, isMacro } from './checklist.js';
import type { ItemAnswer, VerifyContext } from './checklist-module.js';
import { assessmentOf, type ChecklistVerdictStore } from './checklist-verdict-store.js';
import type { GateSettings } from './gate-settings.js';
import { isBlocking } from './gate-status.js';
import { readState } from './stored-checklist.js';
import { itemIn } from './transitions.js';

export interface GateTask {
  readonly phase: ChecklistPhase;
  readonly request?: string | undefined;
}

export function taskOf<Work>({ phase, request }: GateSettings<Work>): GateTask {
  return { phase, ...(request !== undefined && { request }) };
}

export interface GateOutput<Work> {
  /** The number of fixes so far. It distinguishes equal versions before and after a fix. */
  readonly cycle: number;
  readonly work: Work;
}

export type ItemReviewer<Work> = Reviewer<GateTask, GateOutput<Work>> & {
  readonly scope: NonNullable<Reviewer<GateTask, GateOutput<Work>>['scope']>;
};

export interface Verification {
  readonly verdicts: Pick<ChecklistVerdictStore, 'begin'>;
  readonly from: number;
}

/** Items of scope `*` run one after another within their tier, all others run concurrently. */
export function itemReviewers<Work>(
  settings: GateSettings<Work>,
  items: readonly ChecklistItem[],
  verification: Verification,
): ItemReviewer<Work>[] {
  const lastMacro = new Map<string, string>();
  return items.map((item) => {
    const reviewer = itemReviewer(settings, item, verification);
    if (!isMacro(item)) return reviewer;
    const before = lastMacro.get(reviewer.tier);
    lastMacro.set(reviewer.tier, item.id);
    return before === undefined ? reviewer : { ...reviewer, after: [before] };
  });
}

function itemReviewer<Work>(
  settings: GateSettings<Work>,
  item: ChecklistItem,
  { verdicts, from }: Verification,
): ItemReviewer<Work> {
  const { blocking, trustUnhashed } = settings;
  const verifier = itemVerifier(settings, item);
  return {
    id: item.id,
    version: digestOf([item.check, item.scope, verifier.version]).slice(0, 16),
    tier: verifier.tier,
    scope: ({ output }) => verifier.view(output.work),
    review: async ({ output: view }, context) => {
      const iteration = from + context.iteration - 1;
      const state = await readState(settings);
      const now = itemIn(state, item.id);
      const staysFailed =
        now.status === 'FAIL' &&
        (now.accepted !== undefined ||
          !isBlocking(now, iteration - (state.unchanged ?? 0), blocking));
      const isTrusted = now.status === 'PASS' && now.about === undefined && trustUnhashed;
      if (staysFailed || isTrusted) return knownResult(now, context);
      verdicts.begin(item.id, iteration);
      return verifier.verify(view, now, context);
    },
  };
}

/** It counts as verified and is not stored again. */
async function knownResult(
  item: ChecklistItem,
  context: ReviewerContext,
): Promise<VerifiedAssessments> {
  await context.check(z.literal(true), () => true);
  return new VerifiedAssessments(assessmentOf(item));
}

export interface ItemVerifier<Work> {
  readonly version: string;
  readonly tier: 'code' | 'model';
  readonly view: (work: Work) => unknown;
  readonly verify: (
    view: unknown,
    item: ChecklistItem,
    context: ReviewerContext,
  ) => Promise<readonly Assessment[]>;
}

/** Its rule, the gate's `verify`, a model, or nobody. */
function itemVerifier<Work>(settings: GateSettings<Work>, item: ChecklistItem): ItemVerifier<Work> {
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

/** An item fails if its scope selects nothing. */
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
