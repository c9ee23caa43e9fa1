/** Numbers from 0 up to 1 that depend on the seed alone, so that an interval can be computed again. */
export type Numbers = () => number;

/**
 * A small generator of numbers (mulberry32) for resampling; never for ids or nonces, which come from the port.
 *
 * @param seed - The same seed gives the same numbers.
 */
export function seeded(seed: number): Numbers {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
