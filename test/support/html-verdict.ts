import { expect } from 'vitest';
import { htmlCriteria } from '@/blocks/criteria/html/html-criteria.js';

const context = { previous: [], previousOutputs: [], previousReviews: [] };
const criteria = new Map(htmlCriteria().map((criterion) => [criterion.id, criterion]));

export type Verdict = 'passed' | 'failed' | 'inapplicable' | 'not checked';

/** What one criterion says of a page. Each of its findings must have a line and quote the page. */
export async function verdictOf(id: string, html: string): Promise<Verdict> {
  const result = await criteria
    .get(id)
    ?.validate(
      { artifacts: [{ type: 'mockup', path: 'a.html', content: html }] },
      undefined,
      context,
    );
  if (result === undefined) throw new Error(id);
  if (result.skipped !== undefined)
    return result.skipped.startsWith('not checked') ? 'not checked' : 'inapplicable';
  if (!result.passed)
    for (const { line, evidence, file } of result.findings ?? [])
      expect([file, typeof line, html.includes(evidence ?? '?')]).toEqual([
        'a.html',
        'number',
        true,
      ]);
  return result.passed ? 'passed' : 'failed';
}
