import { describe, expect, it } from 'vitest';
import {
  definePipeline,
  type LLMProvider,
  llmCriterion,
  memoryVerdicts,
  type Reviewer,
} from '@/index.js';
import { scriptedJudge } from '@/testing/index.js';

/** How a reviewer with a scale of 10 and a bar is made. */
type Graded = (passFrom: number) => Reviewer<string, string>;

const graded: Graded = (passFrom) =>
  llmCriterion<string, string>({ id: 'clear', question: 'Is it clear?', scale: 10, passFrom });

async function verdictOf(
  reviewer: Reviewer<string, string>,
  provider: LLMProvider,
  verdicts = memoryVerdicts(),
): Promise<string | undefined> {
  const pipeline = definePipeline<string, string>({
    ...{ reviewers: [reviewer], provider, verdicts, retries: 0 },
  });
  return (await pipeline.review('write', 'a text')).assessments[0]?.verdict;
}

/** Law: a grade counts as a number in its own member, and nowhere else. */
async function readsNoProse(make: Graded): Promise<void> {
  for (const reason of ['9 of 10', 'Grade: 9', 'I would grade it 9/10.']) {
    const judge = scriptedJudge({ clear: { answer: 'graded', reason } });
    expect(await verdictOf(make(7), judge), 'a grade was read from prose').toBe('errored');
  }
}

/** Law: the bar of now decides a verdict, whatever the bar was when it was cached. */
async function barOfNowDecides(make: Graded): Promise<void> {
  const verdicts = memoryVerdicts();
  const judge = scriptedJudge({ clear: { grade: 7, reason: 'fair' } });
  for (const [passFrom, expected] of [
    [6, 'pass'],
    [8, 'fail'],
    [7, 'pass'],
  ] as const)
    expect(await verdictOf(make(passFrom), judge, verdicts), 'an old bar decided').toBe(expected);
}

describe('grades', () => {
  it('are never read from prose', () => readsNoProse(graded));

  it('saboteur: a grade that is read from prose breaks the law', async () => {
    const reading: Graded = (passFrom) => {
      const inner = graded(passFrom);
      const readingProvider = (provider: LLMProvider): LLMProvider => ({
        ...provider,
        generate: async (request) => {
          const result = await provider.generate(request);
          const text = result.text.replace(
            /"reason":"([^"]*?(\d+)[^"]*)"/,
            '"reason":"$1","grade":$2',
          );
          return { ...result, text };
        },
      });
      return {
        ...inner,
        withProvider: (provider) => inner.withProvider?.(readingProvider(provider)) ?? inner,
      };
    };
    await expect(readsNoProse(reading)).rejects.toThrow('a grade was read from prose');
  });

  it('are decided by the bar of now', () => barOfNowDecides(graded));

  it('saboteur: a bar that is ignored on a cached verdict breaks the law', async () => {
    const keeping = (inner: Reviewer<string, string>): Reviewer<string, string> => {
      const { grading, withProvider } = inner;
      return {
        ...inner,
        ...(grading && { grading: { ...grading, decide: (assessment) => assessment } }),
        ...(withProvider && { withProvider: (provider) => keeping(withProvider(provider)) }),
      };
    };
    await expect(barOfNowDecides((passFrom) => keeping(graded(passFrom)))).rejects.toThrow(
      'an old bar decided',
    );
  });
});
