// The loop that every contender runs: review 1 fails all criteria, review 2 every second one, review 3 none.
// That is 1 produce, 3K judge and 2 address calls.

const text = 'The quick brown fox jumps over the lazy dog. '.repeat(5);

export const reviews = 3;

export const callsOf = (criteria) => 1 + reviews * criteria + (reviews - 1);

/** The scenario for K criteria. `wait` is what each call takes: a promise, or nothing for no time at all. */
export function scenario(count, wait) {
  const calls = { produce: 0, judge: 0, address: 0 };
  const out = { now: 0, peak: 0 };
  const indexes = new Map(
    Array.from({ length: count }, (_, index) => [`criterion-${index}`, index]),
  );
  const take = async (value) => {
    if (wait === undefined) return value;
    out.now += 1;
    out.peak = Math.max(out.peak, out.now);
    await wait();
    out.now -= 1;
    return value;
  };
  const verdict = (id, { revision }) =>
    revision === 3 || (revision === 2 && indexes.get(id) % 2 === 1)
      ? { passed: true, score: 1, details: 'fine' }
      : { passed: false, score: 0.3 * revision, details: 'a detail is missing' };
  return {
    calls,
    out,
    criteria: [...indexes.keys()].map((id) => ({ id })),
    produce: async () => {
      calls.produce += 1;
      return take({ revision: 1, text });
    },
    judge: async (id, output) => {
      calls.judge += 1;
      return take(verdict(id, output));
    },
    address: async (output) => {
      calls.address += 1;
      return take({ revision: output.revision + 1, text });
    },
  };
}

/** Refuses a measurement of anything but the scenario. */
export function checkCalls({ calls, criteria }, loops) {
  const want = {
    produce: loops,
    judge: loops * reviews * criteria.length,
    address: loops * (reviews - 1),
  };
  for (const [kind, count] of Object.entries(want)) {
    if (calls[kind] !== count)
      throw new Error(`expected ${count} ${kind} calls in ${loops} loops, counted ${calls[kind]}`);
  }
}

/** Refuses a loop that did not end as the scenario does. */
export function checkOutcome({ approved, output, iterations }) {
  if (!approved || iterations !== reviews || output.revision !== reviews)
    throw new Error(
      `expected approval in review ${reviews}: ${JSON.stringify({ approved, iterations })}`,
    );
}
