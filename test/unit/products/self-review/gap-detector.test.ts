import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  type AgentOutput,
  type AgentReviewCriteria,
  type Assessment,
  agentRequest,
  criterion,
  GapDetector,
  llmCriterion,
  memoryVerdicts,
  QualityScorer,
  SelfReviewLoop,
  textOutput,
} from '@/index.js';
import type { GapDetectorOptions } from '@/products/self-review/gap-detector.js';
import { manualLimiter, scriptedJudge, settle } from '@/testing/index.js';
import { withCode } from '../../../support/matchers.js';
import { never } from '../../engine/support.js';
import { agentCriteria, coverageOf } from './support.js';

const given: AgentReviewCriteria = {
  ...agentCriteria([
    criterion<AgentOutput, unknown>(
      'long',
      (output) => (output.artifacts[0]?.content?.length ?? 0) > 5 || 'too short',
      { severity: 'critical' },
    ),
  ]),
  extractRequirements: async () => ['says tea'],
  checkRequirementCovered: async (requirement, output) =>
    coverageOf(requirement, output.artifacts[0]?.content?.includes('tea') ?? false),
};

describe('GapDetector', () => {
  it('finds gaps, the worst first, and the coverage, without deciding [SR-11, SR-128]', async () => {
    const { gaps, coverage, assessments } = await new GapDetector(given).detect(
      textOutput('x'),
      agentRequest('t'),
    );
    expect(gaps.map(({ severity, category }) => [severity, category])).toEqual([
      ['critical', 'quality'],
      ['major', 'missing'],
    ]);
    expect(coverage).toMatchObject([{ requirement: 'says tea', covered: false }]);
    expect(assessments).toHaveLength(2);
  });

  it('tells a judge that failed, and takes bare criteria and a signal', async () => {
    const throwing = criterion<AgentOutput, unknown>('b', () => {
      throw new Error('x');
    });
    const broken = await new GapDetector([throwing]).detect(output, request);
    expect(broken).toMatchObject({ gaps: [], assessments: [{ verdict: 'errored' }] });
    const signal = AbortSignal.abort();
    const cancelled = new GapDetector(given).detect(output, request, { signal });
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  });

  const none = { agentId: 'a', criteria: [] };
  it.each([
    ...[undefined, null, 'x', {}, { agentId: 'a' }, none],
    ...[{ ...none, extractRequirements: () => [] }, [1], [null], [{ id: 'x' }]],
  ])('refuses %j as criteria', (criteria) => {
    for (const take of [GapDetector, SelfReviewLoop])
      expect(() => new take(criteria as never)).toThrow(withCode('invalid_options'));
  });
});

it('a criterion with a scope sees its part of the output', async () => {
  const seen: unknown[] = [];
  const see = (view: readonly string[]) => {
    seen.push(view);
    return true;
  };
  const scope = ({ artifacts }: AgentOutput) => artifacts.map(({ path }) => path);
  await new GapDetector([criterion('scoped', see, { scope })]).detect(output, request);
  expect(seen).toEqual([['output.md']]);
});

const request = agentRequest('Write about tea');
const output = textOutput('tea');
const clear = llmCriterion<AgentOutput>({ id: 'clear', question: 'Is it clear?' });
const tea = criterion<AgentOutput, unknown>('tea', () => true, { version: '1' });

describe('the options of a gap detector', () => {
  it('give a model to the criteria that need one', async () => {
    const provider = scriptedJudge({ clear: 'yes' });
    const { assessments } = await new GapDetector([clear], { provider }).detect(output, request);
    expect(assessments).toMatchObject([{ verdict: 'pass', criterion: 'clear' }]);
    expect(provider.requests).toHaveLength(1);
  });

  it('reuse verdicts in later calls and other detectors', async () => {
    let calls = 0;
    const counted = criterion<AgentOutput, unknown>('counted', () => ++calls > 0, { version: '1' });
    const verdicts = memoryVerdicts();
    for (const _ of [1, 2]) await new GapDetector([counted], { verdicts }).detect(output, request);
    expect(calls).toBe(1);
    await new GapDetector([counted]).detect(output, request);
    expect(calls).toBe(2);
  });

  it('let checks wait for a slot of the limiter', async () => {
    const limiter = manualLimiter();
    const detection = new GapDetector([tea], { limiter }).detect(output, request);
    await settle();
    expect(limiter.waiting).toHaveLength(1);
    limiter.open(9);
    expect((await detection).assessments).toMatchObject([{ verdict: 'pass' }]);
  });

  it('end a check that takes too long', async () => {
    const slow = criterion<AgentOutput, unknown>('slow', () => never<boolean>());
    const found = await new GapDetector([slow], { timeoutMs: 20 }).detect(output, request);
    expect(found.assessments).toMatchObject([{ verdict: 'errored', error: { code: 'timeout' } }]);
  });

  it('may all be there, and may be undefined', async () => {
    const all: Required<GapDetectorOptions> = {
      limiter: undefined,
      timeoutMs: undefined,
      provider: undefined,
      verdicts: undefined,
      judgeCoverage: undefined,
    };
    const found = await new GapDetector([tea], all).detect(output, request);
    expect(found).toMatchObject({ gaps: [], assessments: [{ verdict: 'pass' }] });
    expect(() => new GapDetector([tea], { verdict: memoryVerdicts() } as object)).toThrow(
      withCode('invalid_options'),
    );
  });

  it('review on after a failure: every criterion is judged', async () => {
    const broken = criterion<AgentOutput, unknown>('broken', () => 'no', { severity: 'critical' });
    const last = llmCriterion<AgentOutput>({
      id: 'clear',
      question: 'Is it clear?',
      provider: scriptedJudge({ clear: 'yes' }),
    });
    const found = await new GapDetector([broken, last]).detect(output, request);
    expect(found.assessments).toMatchObject([{ verdict: 'fail' }, { verdict: 'pass' }]);
  });
});

const judged = (
  criterion: string,
  score: number,
  category: 'incorrect' | 'quality' = 'quality',
  verdict: 'pass' | 'fail' = score >= 0.5 ? 'pass' : 'fail',
): Assessment => ({
  verdict,
  criterion,
  score,
  explanation: '',
  gaps: [],
  category,
});

describe('QualityScorer', () => {
  it('mean of criteria, share of requirements, weighted 0.4, 0.4, 0.2 [SR-13, SR-76, SR-77, SR-79, SR-130]', () => {
    const assessments = [judged('a', 1), judged('b', 0)];
    const coverage = ['x', 'y', 'z', 'w'].map((name) => coverageOf(name, name !== 'z'));
    expect(new QualityScorer().score({ assessments, coverage })).toMatchObject({
      quality: 0.5,
      completeness: 0.75,
      correctness: 1,
      overall: 0.7,
    });
  });

  it('correctness is the formula that the page gives where it differs [R3-033]', async () => {
    const page = await readFile('docs/blocks/self-review-loop.md', 'utf8');
    expect(page.split('## Where it differs')[1]).toMatch(
      /\*\*Correctness\.\*\* .*1 minus the failed share of the criteria of that category\./s,
    );
    const criteria = ['a', 'b', 'c', 'd', 'e'];
    const assessments = criteria.map((id, at) => judged(id, at < 2 ? 0 : 1, 'incorrect'));
    expect(new QualityScorer().score({ assessments, coverage: [] }).correctness).toBe(0.6);
  });

  it('quality is the score of the criteria, overall the weighted one, and weights can be chosen [D004-08]', () => {
    const found = { assessments: [judged('a', 0.5)], coverage: [coverageOf('x', false)] };
    expect(new QualityScorer().score(found)).toMatchObject({ quality: 0.5, overall: 0.4 });
    expect(
      new QualityScorer({ weights: { quality: 1, completeness: 0, correctness: 0 } }).score(found)
        .overall,
    ).toBe(0.5);
  });

  it('without criteria or requirements their score is 1, and what was judged is told [SR-76, SR-77]', () => {
    expect(new QualityScorer().score({ assessments: [], coverage: [] })).toMatchObject({
      quality: 1,
      completeness: 1,
      correctness: 1,
      overall: 1,
      judged: 0,
      total: 0,
    });
    expect(
      new QualityScorer().score({
        assessments: [{ verdict: 'skipped', criterion: 'a', reason: 'r' }],
        coverage: [],
      }),
    ).toMatchObject({ quality: 0, judged: 0, total: 1 });
  });

  it('counts requirements once, also when they are assessments already', () => {
    const requirement: Assessment = {
      ...judged('requirement:x', 0),
      verdict: 'fail',
      coverage: coverageOf('x', false),
    } as Assessment;
    expect(
      new QualityScorer().score({
        assessments: [requirement, judged('a', 1)],
        coverage: [coverageOf('x', false)],
      }),
    ).toMatchObject({ completeness: 0, quality: 1, total: 2 });
  });

  it('refuses weights that are none', () => {
    const weights = { quality: -1 };
    expect(() => new QualityScorer({ weights })).toThrow(withCode('invalid_options'));
  });
});
