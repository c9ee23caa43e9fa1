// The risk that `riskOf` predicts for approvals of a preset, against the truth of the simulated world, through the real engine.
import { noisyJudge } from '../trust/judge.mjs';
import { blocking, correlations, draft, faults, fixed, items, read } from '../trust/world.mjs';

const still = { now: () => 0, after: () => () => {} };
const unlimited = {
  concurrency: Number.POSITIVE_INFINITY,
  enter: (_, work) => void work(),
  age: () => 0,
  spend: () => {},
};
const uncounted = { count: async () => 0 };
const families = ['a', 'b', 'c'];
const question = (id) => `Is item ${id} right?`;
const counts = (criterion) => blocking.includes(criterion);
const drafts = (seed, count) => Array.from({ length: count }, (_, task) => draft({ seed, task }));

/** The share of blocking items of first drafts that are wrong. */
export function wrongShare(seed = 4, count = 2000) {
  const wrong = drafts(seed, count).reduce((sum, output) => sum + faults(output), 0);
  return wrong / (count * blocking.length);
}

/** What the judges of a regime truly are, as a model of risk. */
export function trueModel(regime) {
  return {
    rates: {},
    otherwise: { tpr: 1 - regime.judge.alarms, tnr: regime.judge.catches },
    betweenJudges: correlations.otherJudge,
    withinJudge: correlations.sameJudge,
    prior: wrongShare(),
    fix: regime.fixer.fix,
    damage: regime.fixer.damageFlagged,
  };
}

/** What `calibrateJudges` measures of the judges on labelled items, half of them wrong. */
export async function measuredJudges(lib, { regime, examples, seed = 11, ...more }) {
  const texts = drafts(seed, examples).flatMap((output) => Object.values(output));
  const half = (ok) => texts.filter((text) => read(text).ok === ok).slice(0, examples / 2);
  const labelled = [...half(true), ...half(false)].map((output) => ({
    task: 0,
    output,
    label: read(output).ok ? 'pass' : 'fail',
  }));
  const judge = lib.llmCriterion({
    id: 'right',
    question: 'Is the item right?',
    withTask: false,
    tokens: uncounted,
    version: '1',
  });
  return lib.calibrateJudges(judge, labelled, {
    providers: families.map((family) => noisyJudge({ seed, family, regime })),
    prior: wrongShare(),
    fix: regime.fixer.fix,
    damage: regime.fixer.damageFlagged,
    limiter: unlimited,
    clock: still,
    ...more,
  });
}

/** Runs a preset over tasks: what is approved, how much of it is wrong, and how much was predicted to be. */
export async function riskCell(
  lib,
  { regime, runs, model, budget, trust = 'autonomous', seed = 4 },
) {
  const sums = { runs, approved: 0, wrong: 0, predicted: 0, asked: 0 };
  const policy =
    budget === undefined
      ? lib.thresholds()
      : lib.withinRisk(lib.thresholds(), { model, budget, counts });
  for (let task = 0; task < runs; task += 1) {
    let attempt = 0;
    const judges = families.map((family) => noisyJudge({ seed, family, regime }));
    const outcome = await lib
      .definePipeline({
        produce: async () => draft({ seed, task }),
        address: async (output, gaps) =>
          fixed(output, new Set(gaps.map(({ criterionId }) => criterionId)), {
            regime,
            seed,
            attempt: ++attempt,
          }),
        reviewers: items.map(({ id, severity }) =>
          lib.llmCriterion({
            id,
            severity,
            question: question(id),
            scope: (output) => output[id],
            version: '1',
            withTask: false,
            tokens: uncounted,
          }),
        ),
        provider: judges[0],
        confirmWith: judges.slice(1),
        trust: lib.trustPresets[trust],
        policy,
        clock: still,
        limiter: unlimited,
      })
      .run(task);
    sums.asked += Number(outcome.status === 'suspended');
    if (!outcome.approved) continue;
    sums.approved += 1;
    sums.wrong += Number(faults(outcome.output) > 0);
    const review = outcome.reviews.find(({ version }) => version === outcome.version);
    const history = outcome.reviews.slice(0, outcome.reviews.indexOf(review));
    sums.predicted += lib.riskOf({ review, history }, model, { counts }).risk;
  }
  const { approved, wrong, predicted, asked } = sums;
  const share = (part) => (approved === 0 ? Number.NaN : part / approved);
  return { runs, approved, asked, wrong: share(wrong), predicted: share(predicted) };
}
