/** Processor time of one call, in milliseconds: what else the machine does is not in it. */
async function cost(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Below this a ratio is noise. */
const tooLittleMs = 60;

/**
 * How many times dearer four times the input is, at best of three tries: 4 where work grows with its input, 16 where it grows with the square.
 * 1 where even the larger input costs next to nothing.
 */
export async function growth(
  work: (text: string) => unknown,
  piece: string,
  length: number,
): Promise<number> {
  const small = piece.repeat(Math.ceil(length / 4 / piece.length));
  const large = piece.repeat(Math.ceil(length / piece.length));
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && best > 8; attempt += 1) {
    const [less, more] = [await cost(() => work(small)), await cost(() => work(large))];
    best = Math.min(best, more < tooLittleMs ? 1 : more / Math.max(less, 1));
  }
  return best;
}

/** Between the 4 of linear work and the 16 of quadratic work. */
export const linear = 10;
