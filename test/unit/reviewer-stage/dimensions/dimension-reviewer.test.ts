import { describe, expect, it } from 'vitest';
import { definePipeline, reviewOutput } from '../../../../src/pipeline/define-pipeline.js';
import {
  type DimensionOptions,
  dimension,
} from '../../../../src/reviewer-stage/dimensions/dimension-reviewer.js';
import { levelAtLeast } from '../../../../src/reviewer-stage/level-at-least.js';
import { checklistJudge } from '../../../support/checklist-judge.js';

const text = 'Oolong is best. Just trust me.';
const judge = checklistJudge([
  { question: /reasons/, found: /trust me/, reason: 'no reason is given', severity: 'minor' },
]);

describe('dimension', () => {
  it('computes a level from the answers, and passes at its threshold', async () => {
    const review = (threshold: 'good' | 'excellent') =>
      reviewOutput({
        task: 'tea',
        output: text,
        provider: judge,
        reviewers: [dimension({ id: 'sound', question: 'Does it give reasons?', threshold })],
      });
    expect((await review('good')).assessments).toMatchObject([
      {
        verdict: 'pass',
        score: 0.75,
        explanation: 'good: no reason is given',
        gaps: [{ severity: 'minor', evidence: 'trust me' }],
      },
    ]);
    expect((await review('excellent')).assessments).toMatchObject([
      { verdict: 'fail', score: 0.75 },
    ]);
  });

  it('takes the severity that it is given before that of the judge', async () => {
    const review = await reviewOutput({
      task: 'tea',
      output: text,
      reviewers: [
        dimension({
          id: 'sound',
          provider: judge,
          checklist: ['Does it give reasons?', 'Is it short?'],
          severity: 'critical',
        }),
      ],
    });
    expect(review.assessments).toMatchObject([
      { verdict: 'fail', score: 0, gaps: [{ severity: 'critical' }] },
    ]);
  });

  it('sees what its scope selects only, and its verdict is reused while that is equal', async () => {
    const provider = checklistJudge([{ question: /polite/, found: /rude/, reason: 'rude' }]);
    const pipeline = definePipeline<string, { title: string; body: string }>({
      provider,
      produce: async () => ({ title: 'Tea', body: 'rude' }),
      address: async (output) => ({ ...output, body: 'polite' }),
      criteria: { body: ({ body }) => body !== 'rude' || 'rude' },
      reviewers: [
        dimension<string, { title: string; body: string }>({
          id: 'tone',
          question: 'Is it polite?',
          scope: ({ output }) => output.title,
        }),
      ],
      failFast: false,
      policy: levelAtLeast('good'),
    });
    expect((await pipeline.run('tea')).approved).toBe(true);
    expect(provider.requests).toHaveLength(1);
    expect(JSON.stringify(provider.requests)).not.toContain('rude');
  });

  it('refuses wrong options, and a pipeline without a provider', () => {
    const wrong: readonly unknown[] = [
      { id: 'x' },
      { id: '', question: 'a?' },
      { id: 'x', question: '' },
      { id: 'x', checklist: [] },
      { id: 'x', question: 'a?', checklist: ['b?'] },
      { id: 'x', question: 'a?', threshold: 'poor' },
      { id: 'x', question: 'a?', severity: 'huge' },
      { id: 'x', question: 'a?', scope: 1 },
      { id: 'x', question: 'a?', provider: {} },
      { id: 'x', question: 'a?', more: 1 },
    ];
    for (const options of wrong)
      expect(() => dimension(options as DimensionOptions<unknown, unknown>)).toThrow(
        expect.objectContaining({ code: 'invalid_options' }),
      );
    expect(() =>
      definePipeline({
        produce: async () => 'x',
        reviewers: [dimension({ id: 'x', question: 'a?' })],
      }),
    ).toThrow(expect.objectContaining({ code: 'provider_missing' }));
  });
});
