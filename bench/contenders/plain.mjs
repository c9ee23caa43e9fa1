// A careful hand-written loop: concurrent criteria under one shared limit, verdicts checked by a schema.
import pLimit from 'p-limit';
import * as z from 'zod';

const Verdict = z.object({
  passed: z.boolean(),
  score: z.number().min(0).max(1),
  details: z.string(),
});

export function makeLoop({ criteria, judge, produce, address, concurrency }) {
  const limit = pLimit(concurrency);
  return async function loop() {
    let output = await limit(produce);
    for (let iteration = 1; iteration <= 3; iteration += 1) {
      const verdicts = await Promise.all(
        criteria.map(({ id }) =>
          limit(async () => ({ id, ...Verdict.parse(await judge(id, output)) })),
        ),
      );
      const gaps = verdicts.filter((verdict) => !verdict.passed);
      if (gaps.length === 0) return { approved: true, output, iterations: iteration };
      if (iteration < 3) output = await limit(() => address(output, gaps));
    }
    return { approved: false, output, iterations: 3 };
  };
}
