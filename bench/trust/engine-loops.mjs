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

/** A reviewer of one item that asks a judge for its verdict alone: the same as with prompts, in a quarter of the time. */
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
