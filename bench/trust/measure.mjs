// Runs a contender over many tasks of a regime, and counts.
import { contenders, worldOf } from './contenders.mjs';
import { allFaults, draft, faults } from './world.mjs';

/** Whether a library has what a contender needs. */
export function able(lib, name) {
  if (contenders[name].trust !== true) return true;
  return lib.trustPresets !== undefined;
}

/** What a contender does over tasks from `from` on; `each` is told of every one whether it was wrongly approved, and whether it became worse. */
export async function cell(lib, name, { regime, seed = 4, runs, from = 0, each }) {
  const counts = {
    runs: 0,
    clean: 0,
    approved: 0,
    wrong: 0,
    worse: 0,
    unreviewed: 0,
    asked: 0,
    calls: 0,
  };
  const { run, session } = contenders[name];
  for (let task = from; task < from + runs; task += 1) {
    const world = worldOf({ seed, task, regime, session });
    const result = await run(lib, world);
    const bad = faults(result.output);
    counts.runs += 1;
    counts.clean += Number(bad === 0);
    counts.approved += Number(result.approved);
    counts.wrong += Number(result.approved && bad > 0);
    const worse = allFaults(result.output) > allFaults(draft(world));
    counts.worse += Number(worse);
    each?.(task, { wrong: result.approved && bad > 0, worse });
    counts.unreviewed += Number(!result.reviewed && result.unjudged !== true);
    counts.asked += Number(!result.approved && result.unjudged !== true);
    counts.calls += world.calls();
  }
  return counts;
}

/** A share with its standard error. */
export function share(part, all) {
  const value = all === 0 ? Number.NaN : part / all;
  return {
    value,
    error: all === 0 ? Number.NaN : Math.sqrt(Math.max(value * (1 - value), 1 / all) / all),
  };
}

/** What the counts of a cell say. */
export function figures({ runs, clean, approved, wrong, worse, unreviewed, asked, calls }) {
  return {
    clean: share(clean, runs),
    falseApprovals: share(wrong, approved),
    wrongPerTask: share(wrong, runs),
    worse: share(worse, runs),
    approved: share(approved, runs),
    unreviewed: share(unreviewed, runs),
    toPerson: share(asked, runs),
    calls: calls / runs,
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
