// This library, with its defaults: events, journal, digests, gap identity and every guard are on.
import { library } from '../lib/library.mjs';

const { criterion, definePipeline, limiter, memoryVerdicts } = await library();

/** `keepVerdicts` keeps them over runs. */
export function makeLoop({ criteria, judge, produce, address, concurrency, keepVerdicts = false }) {
  const pipeline = definePipeline({
    produce,
    address,
    reviewers: criteria.map(({ id, scope }) =>
      criterion(id, (output) => judge(id, output), { category: 'incorrect', version: '1', scope }),
    ),
    limiter: limiter({ concurrency }),
    ...(keepVerdicts && { verdicts: memoryVerdicts() }),
  });
  return async function loop() {
    const outcome = await pipeline.run('task');
    return {
      approved: outcome.approved,
      output: outcome.output,
      iterations: outcome.reviews.length,
    };
  };
}
