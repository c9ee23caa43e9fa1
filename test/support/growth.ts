/** Processor time of one call, in milliseconds: what else the machine does is not in it. */
async function cost(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Below this a ratio is noise. */
const tooLittleMs = 60;
/** A whole that is this dear at best is not tried with more: that would take minutes. */
const plentyMs = 3000;
const mostTries = 8;

/**
 * How many times dearer the whole length is than a quarter of it, at best: 4 where work grows with
 * its input, 16 where it grows with the square. 1 where the whole costs little. What seems to grow
 * too fast is tried again, and with more: a busy machine and memory that is collected make steps,
 * but not at each try.
 */
export async function growth(work: (length: number) => unknown, length: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  let cheapest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < mostTries && best >= linear; tries += 1) {
    const size = tries < mostTries / 2 || cheapest > plentyMs ? length : 4 * length;
    const whole = await cost(() => work(size));
    if (whole < tooLittleMs) return 1;
    cheapest = Math.min(cheapest, whole);
    best = Math.min(best, whole / Math.max(await cost(() => work(size / 4)), 1));
  }
  return best;
}

/** Between the 4 of linear work and the 16 of quadratic work. */
export const linear = 7;
