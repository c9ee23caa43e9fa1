/** Processor time of one call, in milliseconds: what else the machine does is not in it. */
async function cost(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Below this a ratio is noise. */
const tooLittleMs = 60;
/** From here on nothing else makes a step that looks like growth. */
const plentyMs = 600;

/**
 * How many times dearer the whole length is than a quarter of it, at best: 4 where work grows with
 * its input, 16 where it grows with the square. 1 where the whole costs little. What seems to grow
 * too fast is tried again, and with more: memory that is collected makes steps, but not at each length.
 */
export async function growth(work: (length: number) => unknown, length: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (const size of [length, length, length, 4 * length, 4 * length]) {
    const whole = await cost(() => work(size));
    if (whole < tooLittleMs) return 1;
    best = Math.min(best, whole / Math.max(await cost(() => work(size / 4)), 1));
    if (best < linear || whole > plentyMs) return best;
  }
  return best;
}

/** Between the 4 of linear work and the 16 of quadratic work. */
export const linear = 7;
