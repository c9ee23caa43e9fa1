import { describe, expect, it } from 'vitest';
import { requirementDeciders } from '@/blocks/criteria/deciders/requirement-deciders.js';
import { definePipeline } from '@/blocks/pipeline/define-pipeline.js';
import { requirementCoverage } from '@/blocks/reviewers/requirement-coverage.js';
import type { Artifacts } from '@/core/artifact.js';
import { triples } from './triples.js';

async function review(requirement: string, body: string) {
  const head = body.includes('<title>') ? '' : '<title>Page</title>';
  const content = `<!doctype html>\n<html lang="en"><head>${head}</head><body>${body}</body></html>\n`;
  const output: Artifacts = { artifacts: [{ type: 'file', path: 'index.html', content }] };
  const pipeline = definePipeline({
    produce: async () => output,
    reviewers: [
      requirementCoverage<Artifacts, unknown>({
        extractRequirements: async () => [requirement],
        checkRequirementCovered: async () => ({
          requirement,
          source: 'explicit',
          covered: true,
          coverageDetails: 'its words occur',
          confidence: 1,
        }),
        deciders: requirementDeciders(),
        words: 'hint',
      }),
    ],
    budget: { reviews: 1 },
  });
  const { status, review: reviewed } = await pipeline.run('task');
  const [assessment] = reviewed?.assessments ?? [];
  return { status, verdict: assessment?.verdict };
}

describe('a requirement, a page that keeps it, and one that breaks it by one edit', () => {
  it('each triple differs by its edit, and no requirement comes twice', () => {
    for (const { requirement, kept, broken } of triples) expect(broken, requirement).not.toBe(kept);
    expect(new Set(triples.map(({ requirement }) => requirement)).size).toBe(triples.length);
  });

  it.each(triples)('$requirement [R2-029, R2-030, R2-033, R2-035]', async (one) => {
    const [kept, broken] = [
      await review(one.requirement, one.kept),
      await review(one.requirement, one.broken),
    ];
    expect(broken.verdict).not.toBe('pass');
    expect(broken.status).not.toBe('approved');
    expect(kept.verdict).not.toBe('fail');
  });

  it('some pages are told apart', async () => {
    let told = 0;
    for (const { requirement, kept, broken } of triples) {
      const verdicts = [await review(requirement, kept), await review(requirement, broken)];
      if (verdicts[0]?.verdict === 'pass' && verdicts[1]?.verdict === 'fail') told += 1;
    }
    console.log(`triples: ${told} of ${triples.length} told apart by checks`);
    expect(told).toBeGreaterThanOrEqual(8);
  });
});
