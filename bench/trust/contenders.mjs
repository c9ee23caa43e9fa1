// The ways to work that are compared. Each is given a world and gives what it returns, whether it approved, and whether what it
// returns was reviewed. Judges are asked through the library, by real pipelines; only the loops of others are written out here.
import { noisyJudge } from './judge.mjs';
import { blocking, draft, fixed, items, read } from './world.mjs';

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
const severities = new Map(items.map(({ id, severity }) => [id, severity]));

/** The checklist as criteria, each over its item alone; the first ones may be decided by code. */
function checklist(lib, { byCode }) {
  return items.map(({ id, severity }, index) => {
    const about = { severity, scope: (output) => output[id], version: '1' };
    if (index % 2 === 1 && index < byCode * 2)
      return lib.criterion(id, (text) => read(text).ok || 'it is wrong', about);
    return lib.llmCriterion({
      id,
      question: `Is item ${id} right?`,
      withTask: false,
      tokens: uncounted,
      ...about,
    });
  });
}

/** A pipeline over the world. */
function pipelineOf(lib, world, options) {
  const { regime, judge } = world;
  let attempt = 0;
  return lib.definePipeline({
    produce: async () => draft(world),
    address: async (output, gaps) =>
      fixed(output, new Set(gaps.map(({ criterionId }) => idOf(criterionId))), {
        ...world,
        attempt: ++attempt,
      }),
    reviewers: checklist(lib, regime),
    provider: judge,
    clock: still,
    limiter: unlimited,
    ...options,
  });
}

/** The item behind the criterion of a gap, also where a confirming judge raised it. */
const idOf = (criterionId = '') =>
  items.find(({ id }) => criterionId.split(/[:/]/).includes(id))?.id ?? criterionId;

async function throughPipeline(lib, world, options) {
  const outcome = await pipelineOf(lib, world, options).run(world.task);
  const first = outcome.reviews[0];
  const digest = outcome.output === undefined ? undefined : lib.digestOf(outcome.output);
  return {
    output: outcome.output ?? draft(world),
    approved: outcome.approved,
    reviewed: outcome.reviews.some(({ version }) => version === digest),
    asked: outcome.status === 'suspended',
    first,
    status: outcome.status,
  };
}

/** What one review says, for the loops of others: a judge that fails is a failure there too. */
async function judged(lib, world, output) {
  world.reviewing ??= pipelineOf(lib, world, { failFast: false, reuse: false, retries: 0 });
  const review = await world.reviewing.review(world.task, output);
  const failed = review.assessments.filter(({ verdict }) => verdict === 'errored');
  const gaps = review.gaps.map((gap) => ({
    ...gap,
    severity: severities.get(idOf(gap.criterionId)) ?? 'major',
  }));
  return {
    gaps,
    failed,
    score:
      review.assessments.filter(({ verdict }) => verdict === 'pass').length /
      review.assessments.length,
  };
}

const flagsOf = (gaps) => new Set(gaps.map(({ criterionId }) => idOf(criterionId)));
const blocks = (gaps) => gaps.some(({ severity }) => severity !== 'minor');

/** The self-review loop as specified: the last fix is returned unreviewed, two critical gaps end it before any fix, a judge that throws loses the run. */
async function asSpecified(lib, world, { most = 3 } = {}) {
  let output = draft(world);
  for (let iteration = 1; iteration <= most; iteration += 1) {
    const { gaps, failed, score } = await judged(lib, world, output);
    if (failed.length > 0) return { output, approved: false, reviewed: true };
    const correctness = gaps.length > 0 ? 1 - gaps.length / gaps.length : 1;
    if (score * 0.4 + 0.4 + correctness * 0.2 >= 0.8 && !blocks(gaps))
      return { output, approved: true, reviewed: true };
    if (!blocks(gaps) && gaps.length > 0) return { output, approved: true, reviewed: true };
    if (gaps.filter(({ severity }) => severity === 'critical').length >= 2)
      return { output, approved: false, reviewed: true };
    output = fixed(output, flagsOf(gaps), { ...world, attempt: iteration });
  }
  return { output, approved: false, reviewed: false };
}

/** Self-Refine: feedback in the session that wrote the text, until there is none, four times at most; the last version is taken. */
async function selfRefine(lib, world) {
  let output = draft(world);
  for (let iteration = 1; iteration <= 4; iteration += 1) {
    const { gaps, failed } = await judged(lib, world, output);
    if (failed.length > 0) return { output, approved: false, reviewed: true };
    if (!blocks(gaps)) return { output, approved: true, reviewed: true };
    output = fixed(output, flagsOf(gaps), { ...world, attempt: iteration });
  }
  return { output, approved: false, reviewed: false };
}

/** Four drafts, the first that is approved, else the one with the highest score. */
async function bestOfFour(lib, world) {
  let best;
  for (let sample = 0; sample < 4; sample += 1) {
    const output = draft({ ...world, sample });
    const { gaps, failed, score } = await judged(lib, world, output);
    if (failed.length === 0 && !blocks(gaps)) return { output, approved: true, reviewed: true };
    if (failed.length === 0 && (best === undefined || score > best.score)) best = { output, score };
  }
  return { output: best?.output ?? draft(world), approved: false, reviewed: best !== undefined };
}

const confirming = (lib, world, families) =>
  families.flatMap((family) =>
    items.map(({ id, severity }) =>
      lib.llmCriterion({
        id: `confirm:${id}:${family}`,
        question: `Is item ${id} right?`,
        withTask: false,
        severity,
        scope: (output) => output[id],
        version: '1',
        tokens: uncounted,
        tier: 'confirm',
        provider: world.judgeOf(family),
      }),
    ),
  );

/** The last version whatever it is, as loops without keep-best do. */
const keepLast = () => true;

/** What `autonomous` is made of, block by block, so that one of them can be another one. */
function taken(lib, world, { opinions, confirmers }) {
  const reviewers = checklist(lib, world.regime).map(
    (reviewer) => reviewer.withProvider?.(world.judge) ?? reviewer,
  );
  const models = reviewers.filter(({ tier }) => tier === 'model');
  const code = reviewers.filter(({ tier }) => tier === 'code').map(({ id }) => id);
  const checked = reviewers.map((reviewer) =>
    reviewer.tier === 'model'
      ? lib.verified(reviewer, {
          opinions,
          ...(confirmers && { confirmWith: confirmers.map(world.judgeOf) }),
        })
      : reviewer,
  );
  return throughPipeline(lib, world, {
    reviewers: [
      ...checked,
      ...lib.confirm({ reviewers: models, providers: ['b', 'c'].map(world.judgeOf) }),
    ],
    policy: lib.holdProtected(lib.doNoHarm(lib.noProgress()), code),
    ranking: lib.keepBest({ protect: code }),
    budget: { reviews: 6 },
  });
}

/** Everybody who is compared. `session` says whether the judge sits in the session that wrote the text. */
export const contenders = {
  'one-shot': {
    run: async (_, world) => ({
      output: draft(world),
      approved: false,
      reviewed: false,
      unjudged: true,
    }),
  },
  'self-review loop as specified': { session: true, run: asSpecified },
  'self-review loop as specified, fresh judge': { run: asSpecified },
  'Self-Refine': { session: true, run: selfRefine },
  'best of 4': { run: bestOfFour },
  'keep last': {
    run: (lib, world) => throughPipeline(lib, world, { ranking: keepLast, budget: { reviews: 4 } }),
  },
  'keep best, protected': {
    run: (lib, world) =>
      throughPipeline(lib, world, {
        ranking: lib.keepBest({ protect: blocking }),
        policy: lib.holdProtected(lib.noProgress(), blocking),
        budget: { reviews: 4 },
      }),
  },
  default: { run: (lib, world) => throughPipeline(lib, world, { budget: { reviews: 4 } }) },
  confirmed: {
    run: (lib, world) =>
      throughPipeline(lib, world, {
        reviewers: [...checklist(lib, world.regime), ...confirming(lib, world, ['b'])],
        budget: { reviews: 4 },
      }),
  },
  'confirmed, no reuse': {
    run: (lib, world) =>
      throughPipeline(lib, world, {
        reviewers: [...checklist(lib, world.regime), ...confirming(lib, world, ['b'])],
        budget: { reviews: 4 },
        reuse: false,
      }),
  },
  'confirmed twice': {
    run: (lib, world) =>
      throughPipeline(lib, world, {
        reviewers: [...checklist(lib, world.regime), ...confirming(lib, world, ['b', 'c'])],
        budget: { reviews: 6 },
      }),
  },
  fast: {
    trust: true,
    run: (lib, world) =>
      throughPipeline(lib, world, {
        trust: lib.trustPresets.fast,
        confirmWith: world.judgeOf('b'),
      }),
  },
  'fast, no reuse': {
    trust: true,
    run: (lib, world) =>
      throughPipeline(lib, world, {
        trust: lib.trustPresets.fast,
        confirmWith: world.judgeOf('b'),
        reuse: false,
      }),
  },
  guarded: {
    trust: true,
    run: (lib, world) =>
      throughPipeline(lib, world, {
        trust: lib.trustPresets.guarded,
        confirmWith: [world.judgeOf('b'), world.judgeOf('c')],
      }),
  },
  autonomous: {
    trust: true,
    run: (lib, world) =>
      throughPipeline(lib, world, {
        trust: lib.trustPresets.autonomous,
        confirmWith: [world.judgeOf('b'), world.judgeOf('c')],
      }),
  },
  'autonomous, other second opinions': {
    trust: true,
    run: (lib, world) => taken(lib, world, { opinions: 3, confirmers: ['d', 'e'] }),
  },
  'autonomous, no second opinions': {
    trust: true,
    run: (lib, world) => taken(lib, world, { opinions: 1 }),
  },
};

/** Those that the table is about; the others take one thing away, or change it. */
export const compared = [
  'one-shot',
  'self-review loop as specified',
  'Self-Refine',
  'best of 4',
  'fast',
  'guarded',
  'autonomous',
];

/** The world of one task for one contender. */
export function worldOf({ seed, task, regime, session }) {
  const judges = new Map();
  const judgeOf = (family) => {
    const known =
      judges.get(family) ??
      noisyJudge({ seed, family, regime, sameSession: session === true && family === 'a' });
    judges.set(family, known);
    return known;
  };
  return {
    seed,
    task,
    regime,
    judgeOf,
    judge: judgeOf('a'),
    calls: () => [...judges.values()].reduce((sum, { calls }) => sum + calls, 0),
  };
}
