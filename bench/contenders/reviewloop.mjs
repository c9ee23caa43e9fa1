import { criterion, definePipeline, limiter } from '../../dist/index.js';

export function makeLoop({ criteria, judge, concurrency }) {
  let current;
  const pipeline = definePipeline({
    produce: (task) => (task.produce ? task.produce() : current.produce()),
    address: (output, gaps) => current.address(output, gaps),
    reviewers: criteria.map((id) => criterion(id, (output) => judge(id, output), { category: 'incorrect', version: '1' })),
    limiter: limiter({ concurrency }),
  });
  return async function loop({ produce, address }) {
    current = { produce, address };
    const outcome = await pipeline.run('task');
    return { approved: outcome.approved, output: outcome.output, iterations: outcome.reviews.length };
  };
}
