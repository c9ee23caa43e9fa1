/** Many tasks through two pipelines that share one limiter. */
import { definePipeline, limiter, runAll } from 'reviewloop';

const shared = limiter({ concurrency: 4 });

let running = 0;
let most = 0;
/** Replaces a call of a model. */
async function call<Answer>(answer: Answer): Promise<Answer> {
  running += 1;
  most = Math.max(most, running);
  await new Promise((resolve) => setImmediate(resolve));
  running -= 1;
  return answer;
}

const titles = definePipeline({
  produce: (topic: string) => call(`Why ${topic}?`),
  criteria: { short: (title) => call(title.length <= 20 || 'longer than 20 characters') },
  limiter: shared,
});
const summaries = definePipeline({
  produce: (topic: string) => call(`${topic} in one line`),
  criteria: { 'one-line': (text) => !text.includes('\n') || 'more than one line' },
  limiter: shared,
});

const topics = Array.from({ length: 10 }, (_, index) =>
  index === 7 ? 'a very long topic indeed' : `topic ${index}`,
);

async function drain(name: string, pipeline: typeof titles): Promise<void> {
  const counts = new Map<string, number>();
  for await (const { task, outcome, done, total } of runAll(pipeline, topics)) {
    counts.set(outcome.status, (counts.get(outcome.status) ?? 0) + 1);
    if (!outcome.approved) console.log(`${name}: ${task}: ${outcome.status} (${outcome.code})`);
    if (done === total)
      console.log(
        `${name}: ${[...counts].map(([status, count]) => `${count} ${status}`).join(', ')}`,
      );
  }
}

await Promise.all([drain('titles', titles), drain('summaries', summaries)]);
console.log(`at most ${most} calls at a time`);
