import { describe, expect, it } from 'vitest';
import { BaseAgentReviewCriteria } from '../../../../src/self-review/criteria/base-agent-review-criteria.js';
import type { ReviewCriterion } from '../../../../src/self-review/review-criterion.js';

class Reading extends BaseAgentReviewCriteria<unknown, string> {
  agentId = 'reading';
  criteria: ReviewCriterion<unknown, string>[] = [];
  read(output: unknown): string {
    return this.textOf(output);
  }
}

describe('the text that criteria read', () => {
  const file = (path: string, content?: string) => ({ type: 'text', path, content });

  it.each<[string, unknown, string]>([
    ['a text is read as it is', 'tea', 'tea'],
    ['nothing has no text', null, ''],
    ['undefined has no text', undefined, ''],
    ['files begin on lines of their own', { artifacts: [file('a', 'x'), file('b', 'y')] }, 'x\ny'],
    ['a file without content is empty', { artifacts: [file('a')] }, ''],
    ['a result that is a text has no quotes', { result: 'tea' }, 'tea'],
    ['another result is JSON', { result: { cups: 2 } }, '{"cups":2}'],
    ['a result that has no JSON is empty', { result: () => 1 }, ''],
    [
      'a result that is left out adds no line',
      { artifacts: [file('a', 'x')], result: undefined },
      'x',
    ],
    ['the result follows the files', { artifacts: [file('a', 'x')], result: 'y' }, 'x\ny'],
  ])('%s', (_, output, text) => {
    expect(new Reading().read(output)).toBe(text);
  });
});
