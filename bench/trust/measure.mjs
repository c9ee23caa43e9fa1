// Runs a contender over many tasks of a regime, and counts.
import { contenders } from './contenders.mjs';
import { worldOf } from './task-world.mjs';
import { allFaults, draft, faults } from './world.mjs';

const nothing = {
  runs: 0,
  clean: 0,
  approved: 0,
  wrong: 0,
  worse: 0,
  unreviewed: 0,
  asked: 0,
  calls: 0,
  edits: 0,
  inARow: 0,
};

/** What a contender does over tasks from `from` on; `each` is told of every one whether it is clean, was wrongly approved, and became worse; `byPrompts` has judges in turn asked by prompts. */
export async function cell(lib, name, { regime, seed = 4, runs, from = 0, each, byPrompts }) {
  const counts = { ...nothing };
  const { run, session } = contenders[name];
  for (let task = from; task < from + runs; task += 1) {
    const world = worldOf({ seed, task, regime, session });
    const result = await run(lib, byPrompts === undefined ? world : { ...world, byPrompts });
    const wrong = faults(result.output) > 0;
    const worse = allFaults(result.output) > allFaults(draft({ seed, task, regime }));
    const { calls, edits, inARow } = world.cost();
    const { approved } = result;
    each?.(task, { wrong: approved && wrong, worse, clean: !wrong });
    add(counts, {
      runs: 1,
      clean: !wrong,
      approved,
      wrong: approved && wrong,
      worse,
      unreviewed: !result.reviewed,
      asked: !approved,
      calls,
      edits,
      inARow,
    });
  }
  return counts;
}

/** Adds counts to others. */
function add(counts, more) {
  for (const [what, count] of Object.entries(more))
    counts[what] = (counts[what] ?? 0) + Number(count);
}

/** A share with its standard error. */
function share(part, all) {
  const value = all === 0 ? Number.NaN : part / all;
  return {
    value,
    error: all === 0 ? Number.NaN : Math.sqrt(Math.max(value * (1 - value), 1 / all) / all),
  };
}

/** What the counts of a cell say. */
export function figures(given) {
  const counts = { ...nothing, ...given };
  const { runs, approved } = counts;
  return {
    clean: share(counts.clean, runs),
    approved: share(approved, runs),
    falseApprovals: share(counts.wrong, approved),
    wrongPerTask: share(counts.wrong, runs),
    worse: share(counts.worse, runs),
    unreviewed: share(counts.unreviewed, runs),
    toPerson: share(counts.asked, runs),
    calls: counts.calls / runs,
    edits: counts.edits / runs,
    inARow: counts.inARow / runs,
  };
}

/** By how many standard errors something happens more often in the first of two lists over the same tasks. */
export function pairedAbove(first, second) {
  const differences = first.map((value, index) => Number(value) - Number(second[index]));
  const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length;
  const variance =
    differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (differences.length - 1);
  return mean / Math.sqrt(variance / differences.length);
}

/** By how many standard errors one share is above another. */
export function above(higher, lower) {
  return (higher.value - lower.value) / Math.hypot(higher.error, lower.error);
}
