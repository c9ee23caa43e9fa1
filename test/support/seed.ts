/** One seed for a whole run: a gate says the same of the same commit. `REVIEWLOOP_SEED=random` looks for new cases, a number repeats what it found. */
const fixed = 20_261_121;

/** The seed of everything that a test makes up. */
export const seed = chosen(process.env['REVIEWLOOP_SEED']);

function chosen(wish: string | undefined): number {
  if (wish === undefined || wish === '') return fixed;
  if (wish === 'random') return Math.floor(Math.random() * 2 ** 31);
  const number = Number(wish);
  if (!Number.isInteger(number))
    throw new TypeError(
      `REVIEWLOOP_SEED is "random" or a whole number, not ${JSON.stringify(wish)}`,
    );
  return number;
}
