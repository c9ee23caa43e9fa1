// What is made of the library's blocks, and run by its engine.
import { isByCode } from './plain-loops.mjs';
import { draft, itemsOf } from './world.mjs';

const still = { now: () => 0, after: () => () => {} };
/** Nobody waits for a slot, as every judge answers at once. */
const unlimited = {
  concurrency: Number.POSITIVE_INFINITY,
  enter: (_, work) => void work(),
  age: () => 0,
  spend: () => {},
};
/** No budget is in tokens here, and counting them would be a fifth of the time. */
const uncounted = { count: async () => 0 };

/** The checklist as reviewers, each over its item alone; the first ones may be decided by code. */
export function checklist(lib, { regime, judge, byPrompts = true }) {
  return itemsOf(regime).map(({ id, severity }, index) => {
    const about = { severity, scope: (output) => output[id], version: '1' };
    if (isByCode(regime, index))
      return lib.criterion(id, (text) => text.includes(' is right,') || 'it is wrong', about);
    if (!byPrompts) return itemReviewer(lib, { id, severity }, judge);
    const question = `Is item ${id} right?`;
    return lib.llmCriterion({ id, question, withTask: false, tokens: uncounted, ...about });
  });
}

/** A reviewer of one item that asks a judge for its verdict alone. Turns come to the same with prompts, in four times the time. */
function itemReviewer(lib, { id, severity }, provider, whole = false) {
  return {
    id,
    version: '1',
    tier: 'model',
    severity,
    scope: whole ? undefined : ({ output }) => output[id],
    asks: {
      provider,
      asking: (other, how) => itemReviewer(lib, { id, severity }, other, how?.whole ?? false),
    },
    review: async ({ output }) => {
      const text = whole ? output[id] : output;
      const wrong = provider.look(text);
      const gaps = wrong ? [lib.gap('it is wrong', { severity, evidence: text })] : [];
      const verdict = wrong ? 'fail' : 'pass';
      return [{ verdict, criterion: id, score: Number(!wrong), explanation: '', gaps }];
    },
  };
}

/** The item behind the criterion of a gap, also where a confirming judge raised it. */
const idOf = (criterionId = '') =>
  criterionId.split(/[:/]/).find((part) => /^[cmn]\d+$/.test(part)) ?? criterionId;

const editOf = (world) => async (output, gaps) =>
  world.edit(output, new Set(gaps.map(({ criterionId }) => idOf(criterionId))));

export async function throughPipeline(lib, world, options) {
  const outcome = await lib
    .definePipeline({
      produce: async () => world.draft(),
      address: editOf(world),
      reviewers: checklist(lib, world),
      provider: world.judge,
      clock: still,
      limiter: unlimited,
      ...options,
    })
    .run(world.task);
  const digest = outcome.output === undefined ? undefined : lib.digestOf(outcome.output);
  return {
    output: outcome.output ?? draft(world),
    approved: outcome.approved,
    reviewed: outcome.reviews.some(({ version }) => version === digest),
  };
}

/** Judges in turn over each text; with the guard, edits leave other texts alone. */
export function turns(lib, world, { first, edited, guard = true, policy = lib.thresholds() }) {
  const providers = ['a', 'b', 'c'].map(world.judgeOf);
  return throughPipeline(lib, world, {
    reviewers: checklist(lib, { byPrompts: false, ...world }).map((reviewer) =>
      reviewer.tier === 'model'
        ? lib.inTurn(reviewer, { providers, passes: { first, edited } })
        : reviewer,
    ),
    ...(guard && { address: lib.onlyAsked(editOf(world)) }),
    policy,
    budget: { reviews: 9 },
  });
}

/** A model of risk that knows the world as it is. */
export const riskModelOf = ({ judge, alike, fixer }) => ({
  rates: {},
  otherwise: { tpr: 1 - judge.alarms, tnr: judge.catches },
  betweenJudges: alike.otherJudge,
  withinJudge: alike.sameJudge,
  prior: wrongFirstTexts,
  fix: fixer.fix,
  damage: fixer.damageFlagged,
});
const wrongFirstTexts = 0.148;

/** The greatest risk of an approval where a cell has a budget of it. */
export const budgets = { mid: 0.22, strong: 0.03, agreeable: 0.3 };

/** In turn within a budget of risk; `predicted` is the risk of what would be approved without it. */
export async function turnsWithinRisk(lib, world, { first, edited, budget }) {
  const model = riskModelOf(world.regime);
  const counts = (id) => !id.startsWith('n');
  let predicted;
  const policy = lib.withinRisk(
    (evidence) => {
      const decision = lib.thresholds()(evidence);
      if (decision?.kind === 'approve') predicted = lib.riskOf(evidence, model, { counts }).risk;
      return decision;
    },
    { model, budget, counts },
  );
  return { ...(await turns(lib, world, { first, edited, policy })), predicted };
}

/** The presets as they were while findings were checked before an edit, and approvals confirmed. */
export function checkedAndConfirmed(
  lib,
  world,
  { opinions, others, confirmers, guards, asks, reviews },
) {
  const confirmWith = others.map(world.judgeOf);
  const reviewers = checklist(lib, world).map(
    (reviewer) => reviewer.withProvider?.(world.judge) ?? reviewer,
  );
  const models = reviewers.filter(({ tier }) => tier === 'model');
  const code = reviewers.filter(({ tier }) => tier === 'code').map(({ id }) => id);
  const checked = (reviewer) => lib.verified(reviewer, { opinions, confirmWith });
  const confirming = lib.confirm({
    reviewers: models,
    providers: confirmWith.slice(0, confirmers),
  });
  const inner = lib.noProgress(lib.thresholds());
  const guarding = guards ? lib.holdProtected(lib.doNoHarm(inner), code) : inner;
  return throughPipeline(lib, world, {
    reviewers: [
      ...reviewers.map((reviewer) => (reviewer.tier === 'model' ? checked(reviewer) : reviewer)),
      ...(asks ? confirming.map(checked) : confirming),
    ],
    policy: asks ? lib.askDisputed(guarding) : guarding,
    ranking: lib.keepBest(guards ? { protect: code } : {}),
    budget: { reviews },
  });
}
