import { describe, expect, it } from 'vitest';
import { inTurn } from '@/blocks/reviewers/in-turn.js';
import { reportAssessment } from '@/faces/reports/report-run.js';
import { voteRows } from '@/faces/reports/vote-rows.js';
import {
  type Assessment,
  definePipeline,
  type LLMProvider,
  type LlmCriterionOptions,
  llmCriteria,
  llmCriterion,
  memoryVerdicts,
  type Reviewer,
} from '@/index.js';
import { dimension } from '@/products/reviewer-stage/dimensions/dimension-reviewer.js';
import { scriptedJudge } from '@/testing/index.js';
import type { JudgedCall } from '@/testing/scripted-judge.js';

const question = 'How well does it explain its terms?';

/** What a judge of a scale from 1 to 10 makes of a text, and whom it asked. */
async function graded(
  answer: JudgedCall | readonly JudgedCall[],
  more: Partial<LlmCriterionOptions<string>> = {},
) {
  const judge = scriptedJudge({ clear: answer });
  const options = { id: 'clear', question, scale: 10, passFrom: 7, ...more };
  const reviewer = llmCriterion<string>(options as LlmCriterionOptions<string>);
  const [found] = await reviewed(reviewer, judge);
  return { found, requests: judge.requests };
}

async function reviewed(
  reviewer: Reviewer<string, string>,
  provider: LLMProvider,
): Promise<readonly Assessment[]> {
  const pipeline = definePipeline<string, string>({ reviewers: [reviewer], provider, retries: 0 });
  return (await pipeline.review('tea', 'All about tea.')).assessments;
}

const promptOf = ({ system = '', messages }: Parameters<LLMProvider['generate']>[0]): string =>
  [system, ...messages.map(({ content }) => content)].join('\n');

const grades = [
  [6, 'fail', 6 / 7],
  [7, 'pass', 1],
  [10, 'pass', 1],
] as const;

describe('a graded criterion', () => {
  it.each(grades)('with the grade %i of 10 and a bar of 7: %s', async (given, verdict, score) => {
    const { found } = await graded({ grade: given, reason: 'so it is' });
    expect(found).toMatchObject({
      verdict,
      score,
      explanation: `grade ${given} of 10: so it is`,
      grade: { given, of: 10, passFrom: 7 },
    });
  });

  it('has the places that lower a grade as gaps, and none once it passes', async () => {
    const answer = { grade: 6, reason: 'tea is not explained', quote: 'about tea' };
    const failed = (await graded(answer)).found;
    expect(failed).toMatchObject({ gaps: [{ evidence: 'about tea', location: { line: 1 } }] });
    const passed = (await graded(answer, { passFrom: 6 })).found;
    expect(passed).toMatchObject({ verdict: 'pass', gaps: [] });
  });

  it('tells the judge its scale, and not its bar', async () => {
    const { requests } = await graded(8);
    const prompt = requests.map(promptOf).join('\n');
    expect(prompt).toContain(`Question 1 (grade from 1 to 10): ${question}`);
    expect(prompt).not.toMatch(/\b7\b/);
    const plain = { scale: undefined, passFrom: undefined };
    const asked = (await graded('yes', plain)).requests.map(promptOf);
    expect(asked.join('\n')).not.toContain('grade');
    expect((await graded(9, plain)).found?.verdict, 'a grade where none was asked for').toBe(
      'errored',
    );
  });

  it('passes from 6 of 10 on, unless it says otherwise', async () => {
    expect((await graded(5, { passFrom: undefined })).found).toMatchObject({ verdict: 'fail' });
    expect((await graded(6, { passFrom: undefined })).found).toMatchObject({
      verdict: 'pass',
      grade: { passFrom: 6 },
    });
    const small = await graded(3, { scale: 5, passFrom: undefined });
    expect(small.found).toMatchObject({ verdict: 'pass', grade: { of: 5, passFrom: 3 } });
  });

  const unusable: readonly (readonly [string, JudgedCall])[] = [
    ['above its scale', 11],
    ['below its scale', 0],
    ['between two grades', 6.5],
    ['in prose only', { answer: 'graded', reason: 'I give it 9 of 10.' }],
    ['as yes', { answer: 'yes', reason: '9/10' }],
    ['for a quote that does not occur', { grade: 4, reason: 'no', quote: 'coffee' }],
  ];
  it.each(unusable)('takes no grade %s: it asks again, then is errored', async (_, answer) => {
    const { found, requests } = await graded(answer);
    expect(found?.verdict).toBe('errored');
    expect(requests).toHaveLength(2);
    const again = await graded([answer, 8]);
    expect(again.found).toMatchObject({ verdict: 'pass', grade: { given: 8 } });
  });

  it('counts the lowest grade of a checklist', async () => {
    const judge = scriptedJudge({ terms: 9, sources: 5 });
    const reviewer = llmCriterion<string, string>({
      ...{ id: 'both', scale: 10, passFrom: 6 },
      checklist: ['terms?', 'sources?'],
    });
    expect(await reviewed(reviewer, judge)).toMatchObject([
      { verdict: 'fail', grade: { given: 5, of: 10, passFrom: 6 } },
    ]);
  });

  it('shares a call with questions of yes or no, with its own scale or that of all', async () => {
    const judge = scriptedJudge({ clear: 8, polite: 'yes', short: 2 });
    const batch = llmCriteria<string, string>(
      [
        { id: 'clear', question, scale: 10, passFrom: 7 },
        { id: 'polite', question: 'Is it polite?' },
        { id: 'short', question: 'Is it short?', scale: 3, passFrom: 3 },
      ],
      { mode: 'batch', provider: judge },
    );
    const pipeline = definePipeline<string, string>({ reviewers: batch });
    const { assessments } = await pipeline.review('tea', 'All about tea.');
    expect(assessments).toMatchObject([
      { verdict: 'pass', grade: { given: 8, of: 10 } },
      { verdict: 'pass' },
      { verdict: 'fail', grade: { given: 2, of: 3 } },
    ]);
    expect(judge.requests).toHaveLength(1);
    const common = llmCriteria<string, string>([{ id: 'clear', question }], {
      ...{ scale: 10, passFrom: 9, provider: scriptedJudge({ clear: 8 }) },
    });
    const said = await definePipeline<string, string>({ reviewers: common }).review('', 'x');
    expect(said.assessments).toMatchObject([{ verdict: 'fail', grade: { passFrom: 9 } }]);
  });

  it('is recorded in reports, also as a vote', async () => {
    const { found } = await graded(8);
    if (found === undefined) throw new Error('no assessment');
    expect(reportAssessment(found)).toMatchObject({ grade: { given: 8, of: 10, passFrom: 7 } });
    const [a, b] = [8, 7].map((grade, index) =>
      scriptedJudge({ clear: grade }, { id: `judge${index}` }),
    );
    if (a === undefined || b === undefined) throw new Error('no judges');
    const clear = llmCriterion<string, string>({ id: 'clear', question, scale: 10, passFrom: 7 });
    const [voted] = await reviewed(inTurn(clear, { providers: [a, b] }), a);
    if (voted === undefined) throw new Error('no votes');
    const [row] = voteRows([{ iteration: 1, assessments: [reportAssessment(voted)] }]);
    expect(row?.votes).toBe('pass: judge0 (grade 8 of 10), judge1 (grade 7 of 10)');
  });

  const refused: readonly (readonly [object, RegExp])[] = [
    [{ scale: 1 }, /scale/],
    [{ scale: 10, passFrom: 11 }, /passFrom of clear.*from 1 to 10/],
    [{ scale: 10, passFrom: 6.5 }, /passFrom/],
    [{ scale: undefined, passFrom: 6 }, /without `scale`/],
    [{ threshold: 0.5 }, /threshold of clear/],
  ];
  it.each(refused)('refuses %j', (options, message) => {
    const all = { id: 'clear', question, scale: 10, passFrom: 7, ...options };
    expect(() => llmCriterion(all as never)).toThrow(message);
  });

  it('decides a dimension, too', async () => {
    const judge = scriptedJudge({ tone: { grade: 6, reason: 'dry' } });
    const tone = (passFrom: number) =>
      dimension<string, string>({
        ...{ id: 'tone', question: 'How warm is it?', scale: 10, passFrom },
      });
    expect(await reviewed(tone(6), judge)).toMatchObject([
      { verdict: 'pass', explanation: 'grade 6 of 10: dry', grade: { given: 6 } },
    ]);
    expect(await reviewed(tone(7), judge)).toMatchObject([{ verdict: 'fail' }]);
    expect(() => dimension({ ...{ id: 'tone', question, scale: 10 }, threshold: 'good' })).toThrow(
      /threshold of tone/,
    );
  });
});

describe('the bar of a graded criterion', () => {
  const clear = (passFrom: number) =>
    llmCriterion<string, string>({ id: 'clear', question, scale: 10, passFrom });

  it('is part of its version, so that another bar is another judge', () => {
    expect(clear(6).version).not.toBe(clear(7).version);
    expect(clear(6).grading?.version).toBe(clear(7).grading?.version);
  });

  it('decides a verdict that was kept under another bar, and asks nobody', async () => {
    const verdicts = memoryVerdicts();
    const judge = scriptedJudge({ clear: { grade: 7, reason: 'some terms' } });
    const said = async (passFrom: number) => {
      const pipeline = definePipeline<string, string>({
        ...{ reviewers: [clear(passFrom)], provider: judge, verdicts },
      });
      return (await pipeline.review('tea', 'All about tea.')).assessments;
    };
    expect(await said(6)).toMatchObject([{ verdict: 'pass', grade: { passFrom: 6 } }]);
    expect(await said(8)).toMatchObject([
      {
        verdict: 'fail',
        score: 7 / 8,
        grade: { given: 7, passFrom: 8 },
        gaps: [{ description: expect.stringContaining('some terms') as string }],
      },
    ]);
    expect(await said(7)).toMatchObject([{ verdict: 'pass', gaps: [] }]);
    expect(judge.requests).toHaveLength(1);
  });
});
