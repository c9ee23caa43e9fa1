import { describe, expect, it } from 'vitest';
import type { Assessment } from '@/core/assessment.js';
import type { Evidence } from '@/core/policy.js';
import { allPass } from '@/engine/policies/all-pass.js';
import { definePipeline, llmCriterion, memoryStore, thresholds } from '@/index.js';
import { sureness } from '@/products/calibration/ask-unsure.js';
import { askUnsure } from '@/products/calibration/index.js';
import { seededRandom } from '@/products/calibration/interval.js';
import { scriptedJudge } from '@/testing/index.js';
import { evidenceOf, pass } from '../../engine/policies/fixtures.js';

const gradeOf = (given: number) => ({ given, of: 10, passFrom: 5 });
const graded = (id: string, ...grades: readonly number[]): Assessment => {
  const by = grades.map((given) => ({ judge: 'j', passed: true, grade: gradeOf(given) }));
  const votes = { pass: grades.length, fail: 0, failed: 0, agreement: 1, by };
  return { ...pass(id), grade: gradeOf(grades.at(-1) ?? 0), votes } as Assessment;
};
let made = 0;
const approvalOf = (...assessments: Assessment[]): Evidence => {
  const evidence = evidenceOf(assessments);
  return { ...evidence, review: { ...evidence.review, version: `v${made++}` } };
};
const isAsked = (policy: ReturnType<typeof askUnsure>, evidence: Evidence): boolean =>
  policy(evidence)?.kind === 'ask';

describe('askUnsure', () => {
  it('asks about its share of the approvals, and about the lowest of them', () => {
    const policy = askUnsure(allPass(), { share: 0.1 });
    const next = seededRandom(4);
    const seen = Array.from({ length: 2000 }, () => {
      const grades = [1, 2, 3].map(() => 5 + Math.floor(next() * 6));
      const evidence = approvalOf(graded('clear', ...grades));
      return { sure: sureness(evidence) ?? 0, asked: isAsked(policy, evidence) };
    });
    const asked = seen.filter((one) => one.asked);
    expect(asked.length / seen.length).toBeGreaterThan(0.09);
    expect(asked.length / seen.length).toBeLessThan(0.12);
    const late = seen.slice(500);
    const least = Math.min(...late.filter((one) => !one.asked).map(({ sure }) => sure));
    const most = Math.max(...late.filter((one) => one.asked).map(({ sure }) => sure));
    expect(most - least).toBeLessThan(0.1);
  });

  it('compares with earlier approvals from the first one on', () => {
    const earlier = [0.5, 0.6, 0.7, 0.8, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9];
    const policy = askUnsure(allPass(), { share: 0.2, earlier });
    expect(isAsked(policy, approvalOf(graded('clear', 9)))).toBe(false);
    const low = approvalOf(graded('clear', 5));
    const decision = policy(low);
    expect(decision).toMatchObject({ kind: 'ask', allowed: ['approve', 'reject', 'revise'] });
    expect(decision?.reason).toContain('mean grade 0.5 of its least sure criterion');
    expect(policy(low), 'the same version was decided anew').toEqual(decision);
    const ending = askUnsure(allPass(), { share: 0.2, earlier, otherwise: 'escalate' });
    expect(ending(low)).toMatchObject({ kind: 'stop', code: 'judges_unsure' });
  });

  it('goes by the mean of the votes, and by the criterion with the lowest', () => {
    const evidence = approvalOf(graded('clear', 9, 7), graded('short', 6, 8), pass('links'));
    expect(sureness(evidence)).toBeCloseTo(0.7, 12);
    const alone = { ...pass('clear'), grade: gradeOf(6) } as Assessment;
    expect(sureness(approvalOf(alone))).toBe(0.6);
    const decided = { ...alone, decidedBy: 'ann' } as Assessment;
    expect(sureness(approvalOf(decided))).toBeUndefined();
  });

  it('asks about everything that models approve without a grade, and not about code', () => {
    const policy = askUnsure(allPass(), { share: 0.1, earlier: [0.9] });
    const evidence = approvalOf(pass('clear'));
    const judges = (tier: 'code' | 'model') => [{ id: 'clear', version: '1', tier }];
    expect(policy({ ...evidence, judges: judges('model') })?.reason).toContain('set `scale`');
    expect(policy(evidence)?.kind).toBe('ask');
    expect(policy({ ...evidence, judges: judges('code') })?.kind).toBe('approve');
  });

  const refused: readonly (readonly [object, RegExp])[] = [
    [{ share: 0 }, /`share`/],
    [{ share: 1 }, /`share`/],
    [{ earlier: [2] }, /earlier\[0\]/],
    [{ earlier: 3 }, /`earlier`/],
    [{ otherwise: 'x' }, /`otherwise`/],
    [{ more: 1 }, /no option `more`/],
  ];
  it.each(refused)('refuses %j', (changes, message) => {
    expect(() => askUnsure(allPass(), { share: 0.1, ...changes } as never)).toThrow(message);
  });

  it('refuses what is no policy', () => {
    expect(() => askUnsure(undefined as never, { share: 0.1 })).toThrow(/`policy`/);
  });
});

it('a question stays asked: a process that has seen other approvals approves nothing without the answer', async () => {
  const store = memoryStore();
  const judge = scriptedJudge({ clear: 6 });
  const pipelineWith = (earlier: readonly number[]) =>
    definePipeline<string, string>({
      produce: () => 'All about tea.',
      reviewers: [llmCriterion({ id: 'clear', question: 'How clear is it?', scale: 10 })],
      provider: judge,
      policy: askUnsure(thresholds(), { share: 0.1, earlier }),
      store,
    });
  const high = Array.from({ length: 50 }, () => 0.9);
  const low = Array.from({ length: 50 }, () => 0.1);
  const asked = await pipelineWith(high).run('tea', { runId: 'r' });
  if (asked.status !== 'suspended') throw new Error(asked.status);
  const later = pipelineWith(low);
  expect((await later.run('coffee', { runId: 's' })).status).toBe('approved');
  expect((await later.run('tea', { runId: 'r' })).status).toBe('suspended');
  const [request] = asked.requests;
  const rejected = await later.answer(request, { kind: 'reject', by: 'ann', reason: 'vague' });
  expect(rejected).toMatchObject({ status: 'rejected', approved: false });
});
