import type { Assessment } from '@/core/assessment.js';
import { definePipeline, type Outcome, type Reviewer } from '@/index.js';
import { fakeClock } from '@/testing/index.js';

export async function verdictsBy<Task, Output>(
  reviewer: Reviewer<Task, Output>,
  task: Task,
  output: Output,
): Promise<string[]> {
  const pipeline = definePipeline<Task, Output>({ reviewers: [reviewer], retries: 0 });
  return (await pipeline.review(task, output)).assessments.map(lineOf);
}

function lineOf(assessment: Assessment): string {
  const { criterion, verdict } = assessment;
  if (assessment.verdict === 'errored') {
    const { code, message } = assessment.error;
    return `${criterion}: errored ${code}: ${message}`;
  }
  const why = 'reason' in assessment ? assessment.reason : assessment.explanation;
  return `${criterion}: ${verdict}: ${why}`;
}

/** Cancels a run as its scorer is called. Its clock stands still: a run that waits never ends. */
export async function cancelledRun<Task, Output>(
  reviewer: Reviewer<Task, Output>,
  { task, output, called }: { task: Task; output: Output; called: Promise<unknown> },
): Promise<Outcome<Output>> {
  const stop = new AbortController();
  const pipeline = definePipeline<Task, Output>({
    produce: async () => output,
    reviewers: [reviewer],
    clock: fakeClock(),
  });
  const running = pipeline.run(task, { signal: stop.signal });
  await called;
  stop.abort();
  return running;
}
