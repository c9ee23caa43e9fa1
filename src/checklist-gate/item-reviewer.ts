import * as z from 'zod';
import { type Assessment, VerifiedAssessments } from '../core/assessment.js';
import { builtOnUse } from '../core/built-on-use.js';
import { LocationSchema } from '../core/gap.js';
import { digestOf } from '../core/json.js';
import type { Reviewer, ReviewerContext } from '../core/reviewer.js';
import { llmCriterion } from '../reviewers/llm-criterion.js';
import {
  type ChecklistItem,
  type ChecklistPhase,
  type ChecklistState,
  gapSeverityOf,
  isMacro,
} from './checklist.js';
import type { ItemAnswer, VerifyContext } from './checklist-module.js';
import { ChecklistVerdictStore, missing } from './checklist-verdict-store.js';
import type { GateSettings } from './gate-options.js';
import { isBlocking } from './gate-status.js';
import { assessmentOf } from './item-results.js';
import { gapsSaid, itemIn } from './transitions.js';

/** The task of a gate's reviews. */
export interface GateTask {
  readonly phase: ChecklistPhase;
  readonly request?: string | undefined;
}

/** What a gate reviews: the work after a number of fixes, which may have left it as it was. */
export interface GateOutput<Work> {
  readonly cycle: number;
  readonly work: Work;
}

/** One item as a reviewer. */
export type ItemReviewer<Work> = Reviewer<GateTask, GateOutput<Work>> & {
  readonly scope: NonNullable<Reviewer<GateTask, GateOutput<Work>>['scope']>;
};

/** Where items are verified. */
export interface Verifying {
  readonly verdicts: ChecklistVerdictStore;
  /** The iteration of the state at the first review. */
  readonly from: number;
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

/** The items of a phase as reviewers: macro items of a tier one after another, all others side by side. */
export function itemReviewers<Work>(
  settings: GateSettings<Work>,
  items: readonly ChecklistItem[],
  at: Verifying,
): ItemReviewer<Work>[] {
  const last = new Map<string, string>();
  return items.map((item) => {
    const reviewer = itemReviewer(settings, item, at);
    if (!isMacro(item)) return reviewer;
    const before = last.get(reviewer.tier);
    last.set(reviewer.tier, item.id);
    return before === undefined ? reviewer : { ...reviewer, after: [before] };
  });
}

function itemReviewer<Work>(
  settings: GateSettings<Work>,
  item: ChecklistItem,
  { verdicts, from }: Verifying,
): ItemReviewer<Work> {
  const { phase, store, blocking, trustUnhashed } = settings;
  const verifier = verifierOf(settings, item);
  return {
    id: item.id,
    version: digestOf([item.check, item.scope, verifier.version]).slice(0, 16),
    tier: verifier.tier,
    scope: ({ output }) => verifier.view(output.work),
    review: async ({ output: view }, context) => {
      const iteration = from + context.iteration - 1;
      const state = await store.read(phase);
      if (state === undefined) throw missing(phase);
      const now = itemIn(state, item.id);
      const stays =
        now.status === 'FAIL' &&
        (now.accepted !== undefined || !isBlocking(now, iteration, blocking));
      if (stays || (now.status === 'PASS' && now.about === undefined && trustUnhashed))
        return known(now, context);
      verdicts.begin(item.id, iteration);
      return verifier.verify(view, now, context);
    },
  };
}

/** What is known already, without a verification: nothing new that a store should keep. */
async function known(item: ChecklistItem, context: ReviewerContext): Promise<VerifiedAssessments> {
  await context.check(z.literal(true), () => true);
  return new VerifiedAssessments(assessmentOf(item));
}

interface Verifier<Work> {
  readonly version: string;
  readonly tier: 'code' | 'model';
  readonly view: (work: Work) => unknown;
  readonly verify: (
    view: unknown,
    item: ChecklistItem,
    context: ReviewerContext,
  ) => Promise<readonly Assessment[]>;
}

/** Who verifies an item: its rule, the gate's `verify`, a model, or nobody. */
function verifierOf<Work>(settings: GateSettings<Work>, item: ChecklistItem): Verifier<Work> {
  const { rules, verify, verifyVersion, provider, select, request } = settings;
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
    return {
      version: 'nobody',
      tier: 'model',
      view,
      verify: nobody(`its rule ${item.rule} is not known to this gate`),
    };
  if (verify !== undefined)
    return {
      version: `verify:${verifyVersion}`,
      tier: 'model',
      view,
      verify: byFunction((selected, now, context) => verify(now, selected, context)),
    };
  if (provider === undefined)
    return {
      version: 'nobody',
      tier: 'model',
      view,
      verify: nobody('it needs a model, or a verifier that updates it'),
    };
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
      const gone = missingIn(output);
      if (gone !== undefined) return byFunction(() => gone)(output, now, context);
      const answer = await judge.review(
        { task: request ?? '', output, iteration: context.iteration },
        context,
      );
      return 'assessments' in answer ? answer.assessments : answer;
    },
  };
}

function nobody(reason: string): Verifier<never>['verify'] {
  return async (_view, { id }) => [{ verdict: 'skipped', criterion: id, reason }];
}

/** What a scope does not find is a failure, whatever would have been asked about it. */
function missingIn(view: unknown): string | undefined {
  if (typeof view !== 'object' || view === null || !('missing' in view)) return undefined;
  return typeof view.missing === 'string' ? view.missing : undefined;
}

function byFunction(
  check: (
    view: unknown,
    item: ChecklistItem,
    context: VerifyContext,
  ) => ItemAnswer | Promise<ItemAnswer>,
): Verifier<never>['verify'] {
  return async (view, item, context) => {
    const answer = await context.check(
      AnswerSchema,
      async ({ signal }) => missingIn(view) ?? (await check(view, item, { signal })),
    );
    const bare = { ...item, gaps: undefined, judged: undefined, accepted: undefined };
    if (answer === true) return [assessmentOf({ ...bare, status: 'PASS', finding: null })];
    if (typeof answer === 'object' && 'skipped' in answer)
      return [{ verdict: 'skipped', criterion: item.id, reason: answer.skipped }];
    const { finding, ...more } = typeof answer === 'string' ? { finding: answer } : answer;
    return [
      assessmentOf({
        ...bare,
        status: 'FAIL',
        finding,
        gaps: gapsSaid({ ...bare, finding }, more),
      }),
    ];
  };
}

/** What a verdict on each item would be about now; an item whose scope cannot be read has none. */
export function aboutsOf<Work>(
  settings: GateSettings<Work>,
  { items, iteration, phase }: ChecklistState,
  work: Work,
): ReadonlyMap<string, NonNullable<ChecklistItem['about']>> {
  const task = taskOf(settings);
  const digest = digestOf(task);
  const reviewers = itemReviewers(settings, items, {
    verdicts: new ChecklistVerdictStore(settings.store, phase),
    from: iteration,
  });
  return new Map(
    reviewers.flatMap(({ id, version, scope }) => {
      try {
        return [
          [
            id,
            { version, task: digest, view: digestOf(scope({ task, output: { cycle: 0, work } })) },
          ] as const,
        ];
      } catch {
        return [];
      }
    }),
  );
}

/** The task of a gate's reviews. */
export function taskOf<Work>({ phase, request }: GateSettings<Work>): GateTask {
  return { phase, ...(request !== undefined && { request }) };
}
