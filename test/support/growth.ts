/** Starts to measure processor time: what else the machine does is not in it. Returns the milliseconds since. */
export function stopwatch(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}

function fixedWork(): number {
  const taken = stopwatch();
  let seen = 0;
  for (let step = 0; step < 100_000_000; step += 1) seen = (seen + step) | 0;
  return taken();
}

/**
 * What this machine takes for a fixed piece of work, at best: 28 ms on one, 60 ms on another. Costs are told in it, so
 * that a fast machine sees what a slow one sees.
 */
export const unit = Math.min(fixedWork(), fixedWork(), fixedWork());

async function cost(work: () => unknown): Promise<number> {
  const taken = stopwatch();
  await work();
  return taken();
}

/** Below this a ratio is noise. */
const tooLittle = unit;
/** A whole that is this dear at best is not tried with more: that would take minutes. */
const plenty = 50 * unit;
const mostTries = 8;

/**
 * How many times dearer the whole length is than a quarter of it, at best: 4 where work grows with
 * its input, 16 where it grows with the square. 1 where the whole costs little. What seems to grow
 * too fast is tried again, and with more: a busy machine and memory that is collected make steps,
 * but not at each try.
 */
export async function growth(
  work: (length: number) => unknown,
  length: number,
  costOf = cost,
): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  let cheapest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < mostTries && best >= linear; tries += 1) {
    const size = tries < mostTries / 2 || cheapest > plenty ? length : 4 * length;
    const whole = await costOf(() => work(size));
    if (whole < tooLittle) return 1;
    cheapest = Math.min(cheapest, whole);
    best = Math.min(best, whole / Math.max(await costOf(() => work(size / 4)), 1));
  }
  return best;
}

/** Between the 4 of linear work and the 16 of quadratic work. */
export const linear = 7;
