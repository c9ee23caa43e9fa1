import { describe, expect, it } from 'vitest';
import {
  type AgentOutput,
  type Assessment,
  definePipeline,
  GapDetector,
  llmCriterion,
  reviewOutput,
  textOutput,
} from '../../../src/index.js';
import { fakeContext, type ScriptedAnswer, scriptedProvider } from '../../../src/testing/index.js';
import { answeringJudge, tokenOf } from '../../support/answering-judge.js';

type Entry = {
  question: number;
  answer: string;
  reason?: string;
  quote?: string;
  file?: string;
  line?: number;
  severity?: string;
  suggestedFix?: string;
};

/** A judge that gives prepared entries. */
const judging = (...answers: readonly (readonly Entry[] | ScriptedAnswer)[]) =>
  scriptedProvider((request, call) => {
    const answer = answers[Math.min(call, answers.length - 1)] ?? '';
    if (!Array.isArray(answer)) return answer as ScriptedAnswer;
    return JSON.stringify({
      token: tokenOf(request),
      answers: answer.map((entry: Entry) => ({ reason: 'because', ...entry })),
    });
  });

const page = (content: string, path = 'a.html'): AgentOutput => ({
  artifacts: [{ type: 'page', path, content }],
});

async function assessed(
  entries: readonly (readonly Entry[] | ScriptedAnswer)[],
  options: Partial<Parameters<typeof llmCriterion>[0]> = {},
  output: AgentOutput = page('<h1>Tea</h1>\n<p>Oolong  is\nbest</p>'),
): Promise<Assessment> {
  const provider = judging(...entries);
  const criterion = llmCriterion({
    id: 'clear',
    question: 'Is it clear?',
    provider,
    ...options,
  } as Parameters<typeof llmCriterion>[0]);
  const pipeline = definePipeline<unknown, AgentOutput>({ reviewers: [criterion], retries: 0 });
  return (await pipeline.review('Write about tea', output)).assessments[0]!;
}

describe('llmCriterion', () => {
  it('passes on yes', async () => {
    expect(await assessed([[{ question: 1, answer: 'yes' }]])).toMatchObject({
      verdict: 'pass',
      score: 1,
      explanation: 'because',
      gaps: [],
    });
  });

  it('fails on no, with the quote and the line where it really stands', async () => {
    const verdict = await assessed([
      [
        {
          question: 1,
          answer: 'no',
          quote: 'Oolong is best',
          file: 'a.html',
          line: 99,
          severity: 'critical',
          suggestedFix: 'Explain oolong',
        },
      ],
    ]);
    expect(verdict).toMatchObject({ verdict: 'fail', score: 0 });
    expect(verdict).toMatchObject({
      gaps: [
        {
          evidence: 'Oolong  is\nbest',
          location: { file: 'a.html', line: 2 },
          severity: 'critical',
          suggestedFix: 'Explain oolong',
          affectedArtifact: 'a.html',
        },
      ],
    });
  });

  it('takes the severity that the criterion declares before that of the judge', async () => {
    expect(
      await assessed([[{ question: 1, answer: 'no', severity: 'minor' }]], {
        severity: 'critical',
      }),
    ).toMatchObject({ gaps: [{ severity: 'critical' }] });
  });

  it('drops findings whose quote does not occur, and counts them', async () => {
    const entries = [
      { question: 1, answer: 'no', quote: 'Earl Grey' },
      { question: 1, answer: 'no', quote: '<h1>Tea</h1>' },
    ];
    const verdict = await assessed([entries]);
    expect(verdict).toMatchObject({
      verdict: 'fail',
      explanation: expect.stringContaining('(1 unverified finding dropped') as string,
    });
    expect(verdict.verdict === 'fail' && verdict.gaps.map(({ evidence }) => evidence)).toEqual([
      '<h1>Tea</h1>',
    ]);
  });

  it('is errored when the only quote is invented, also on a second try', async () => {
    expect(await assessed([[{ question: 1, answer: 'no', quote: 'Earl Grey' }]])).toMatchObject({
      verdict: 'errored',
      error: {
        code: 'answer_mismatch',
        message: expect.stringContaining('does not occur') as string,
      },
    });
  });

  it('takes what is missing without a quote', async () => {
    expect(
      await assessed([[{ question: 1, answer: 'no', reason: 'no footer', file: 'a.html' }]]),
    ).toMatchObject({
      verdict: 'fail',
      gaps: [{ description: 'clear: no footer', affectedArtifact: 'a.html' }],
    });
  });

  it('computes the score of a checklist, and passes from the threshold on', async () => {
    const entries = [
      { question: 1, answer: 'yes' },
      { question: 2, answer: 'yes' },
      { question: 3, answer: 'no', quote: 'Tea' },
      { question: 4, answer: 'not_applicable' },
    ];
    const checklist = ['a?', 'b?', 'c?', 'd?'] as [string, ...string[]];
    expect(await assessed([entries], { question: undefined, checklist } as never)).toMatchObject({
      verdict: 'fail',
      score: 2 / 3,
    });
    expect(
      await assessed([entries], { question: undefined, checklist, threshold: 0.6 } as never),
    ).toMatchObject({ verdict: 'pass', score: 2 / 3, gaps: [{ severity: 'minor' }] });
  });

  it('is skipped when no question concerns the output', async () => {
    expect(
      await assessed([[{ question: 1, answer: 'not_applicable', reason: 'no form here' }]]),
    ).toEqual({ verdict: 'skipped', criterion: 'clear', reason: 'no form here' });
  });

  it.each([
    ['a question without an answer', [{ question: 2, answer: 'yes' }]],
    [
      'two answers to one question',
      [
        { question: 1, answer: 'yes' },
        { question: 1, answer: 'no' },
      ],
    ],
    ['no answers', []],
  ] as [string, Entry[]][])('is errored by %s', async (_, entries) => {
    expect(await assessed([entries])).toMatchObject({
      verdict: 'errored',
      error: { code: 'answer_mismatch' },
    });
  });

  it.each([
    [
      'answer_mismatch',
      JSON.stringify({ token: 'guessed', answers: [{ question: 1, answer: 'yes', reason: '' }] }),
    ],
    [
      'answer_mismatch',
      JSON.stringify({ token: 'x', answers: [{ question: 1, answer: 'maybe', reason: '' }] }),
    ],
    ['answer_refused', "I'm sorry, but I can't judge that."],
    ['answer_unreadable', 'APPROVED'],
    ['answer_truncated', { text: '{"token":"x"', finish: 'length' }],
    ['answer_filtered', { text: '', finish: 'content-filter' }],
    ['provider_unavailable', new Error('overloaded')],
  ] as const)('is errored with %s, never passed', async (code, answer) => {
    expect(await assessed([answer])).toMatchObject({ verdict: 'errored', error: { code } });
  });

  it('lets the judge mend an answer, and asks for the quote', async () => {
    const provider = judging(
      [{ question: 1, answer: 'no', quote: 'Earl Grey' }],
      [{ question: 1, answer: 'no', quote: 'Tea' }],
    );
    const { assessments } = await reviewOutput({
      task: '',
      output: page('Tea'),
      reviewers: [llmCriterion({ id: 'a', question: 'b?', provider })],
    });
    expect(assessments[0]).toMatchObject({ verdict: 'fail', gaps: [{ evidence: 'Tea' }] });
    expect(provider.requests[1]?.messages[2]?.content).toContain(
      'its quote does not occur in the material',
    );
  });

  it('tells of answers that nobody asked for', async () => {
    const verdict = await assessed([
      [
        { question: 1, answer: 'yes' },
        { question: 7, answer: 'yes' },
      ],
    ]);
    expect(verdict).toMatchObject({
      verdict: 'pass',
      explanation: expect.stringContaining(
        'ignored answers to questions that were not asked: 7',
      ) as string,
    });
  });
});

describe('the prompt of llmCriterion', () => {
  it('has the material in a fixed order and the question last, each artifact in one fence', async () => {
    const provider = answeringJudge({
      'a.html': () => true,
      'b.css': () => true,
      task: (text) => text.includes('Tea'),
    });
    const output: AgentOutput = {
      artifacts: [
        { type: 'css', path: 'b.css', content: 'p{}' },
        { type: 'page', path: 'a.html', content: '<p>' },
      ],
      result: { n: 1 },
    };
    await reviewOutput({
      task: 'Tea',
      output,
      reviewers: [
        llmCriterion({ id: 'x', question: 'Is it good?', provider }),
        llmCriterion({ id: 'y', question: 'Is it short?', provider }),
      ],
    });
    const [first, second] = provider.requests;
    expect(first?.messages[0]?.content).toBe(second?.messages[0]?.content);
    expect(first?.system).toBe(second?.system);
    expect(
      [...(first?.messages[0]?.content ?? '').matchAll(/<<<UNTRUSTED \w+ (.*)>>>/g)].map(
        ([, label]) => label,
      ),
    ).toEqual(['task', 'artifact a.html', 'artifact b.css', 'result']);
    expect(first?.messages[1]?.content).toMatch(
      /^Question 1: Is it good\?\n\nThe token is \w{12}\.$/,
    );
    expect(first?.cacheHint).toBe('prefix');
  });

  it('asks nobody where the scope selects nothing', async () => {
    const provider = answeringJudge({ output: () => true });
    const titled = llmCriterion({
      id: 'titled',
      question: 'Is it good?',
      provider,
      scope: (page: { title: string; titel?: string }) => page.titel,
    });
    const review = await reviewOutput({
      task: 'Tea',
      output: { title: 'Tea' },
      reviewers: [titled],
    });
    expect(review.assessments).toMatchObject([
      { verdict: 'errored', error: { code: 'scope_failed' } },
    ]);
    expect(() => titled.validate({ title: 'Tea' }, 'Tea', undefined as never)).toThrow(
      /the scope of titled selects nothing/,
    );
    expect(provider.requests).toEqual([]);
  });

  it('shows what the scope selects, reuses verdicts over it, and may hide the task', async () => {
    const provider = answeringJudge({ 'a.html': (text) => text === 'good' });
    const scoped = llmCriterion({
      id: 'x',
      question: '?',
      provider,
      withTask: false,
      scope: (output: AgentOutput) => output.artifacts.filter(({ path }) => path === 'a.html'),
    });
    const two = (content: string): AgentOutput => ({
      artifacts: [
        { type: 'page', path: 'a.html', content: 'good' },
        { type: 'page', path: 'b.html', content },
      ],
    });
    const pipeline = definePipeline({
      produce: async () => two('bad'),
      address: async () => two('fine'),
      reviewers: [scoped],
      criteria: { b: (output) => output.artifacts[1]?.content === 'fine' || 'not fine' },
      failFast: false,
    });
    expect((await pipeline.run('secret task')).approved).toBe(true);
    expect(provider.requests.length).toBe(1);
    expect(provider.requests[0]?.messages[0]?.content).not.toMatch(/b\.html|secret/);
  });

  it('is not sent when it does not fit; where cuts are allowed, a yes decides nothing', async () => {
    const output = page(`<p>${'tea and more tea. '.repeat(3000)}</p>`);
    const provider = judging([{ question: 1, answer: 'yes' }]);
    const options = { id: 'x', question: '?', provider, maxPromptTokens: 500 };
    const { assessments } = await reviewOutput({
      task: '',
      output,
      reviewers: [llmCriterion(options)],
    });
    expect(assessments[0]).toMatchObject({
      verdict: 'errored',
      error: {
        code: 'view_truncated',
        message: expect.stringMatching(
          /artifact a\.html: \d+ of \d+ characters left out/,
        ) as string,
      },
    });
    expect(provider.requests.length).toBe(0);
    const allowed = await reviewOutput({
      task: '',
      output,
      reviewers: [llmCriterion({ ...options, allowTruncated: true })],
    });
    expect(allowed.assessments[0]).toMatchObject({
      verdict: 'undecided',
      reason: expect.stringMatching(
        /^only \d+ of \d+ characters were shown \(maxPromptTokens: 500\)$/,
      ) as string,
      decidableBy: ['person'],
    });
    expect(provider.requests[0]?.messages[0]?.content).toMatch(
      /\[\.\.\. \d+ of \d+ characters left out \.\.\.\]/,
    );
  });
});

describe('llmCriterion as a block', () => {
  const yes = judging([{ question: 1, answer: 'yes' }]);

  it('inherits the provider of the pipeline, and its version knows it', async () => {
    const criterion = llmCriterion({ id: 'x', question: '?' });
    const bound = criterion.withProvider?.(yes);
    expect(bound?.version).not.toBe(criterion.version);
    expect(bound?.withProvider).toBeUndefined();
    expect(bound?.withProvider).toBe(undefined);
    expect(() => definePipeline({ reviewers: [criterion] })).toThrow(
      expect.objectContaining({ code: 'provider_missing' }),
    );
    const { assessments } = await reviewOutput({
      task: '',
      output: textOutput('x'),
      reviewers: [criterion],
      provider: yes,
    });
    expect(assessments[0]).toMatchObject({ verdict: 'pass' });
  });

  it('has a version that changes with what a verdict depends on', () => {
    const versions = [
      {},
      { question: 'b?' },
      { threshold: 0.5 },
      { temperature: 0 },
      { withTask: false },
      { provider: judging() },
      { provider: { ...judging(), model: 'm2' } },
    ].map((change) => llmCriterion({ id: 'x', question: 'a?', ...change }).version);
    expect(new Set(versions).size).toBe(versions.length);
    expect(llmCriterion({ id: 'y', question: 'a?' }).version).toBe(versions[0]);
  });

  it('stands in the criteria of a class, where its calls are steps', async () => {
    const provider = judging([{ question: 1, answer: 'no', quote: 'x' }]);
    const { gaps } = await new GapDetector<AgentOutput, string>(
      [llmCriterion({ id: 'x', question: '?' })],
      { provider },
    ).detect(textOutput('x'), 'task');
    expect(gaps).toMatchObject([{ criterionId: 'x', evidence: 'x' }]);
  });

  it('can be asked without an engine', async () => {
    const criterion = llmCriterion<AgentOutput>({ id: 'x', question: '?', provider: yes });
    expect(await criterion.validate(textOutput('x'), 'task', fakeContext())).toMatchObject({
      passed: true,
      score: 1,
    });
    await expect(async () =>
      llmCriterion({ id: 'x', question: '?' }).validate('', '', fakeContext()),
    ).rejects.toMatchObject({ code: 'provider_missing' });
  });

  it.each([
    [{ id: '' }, 'expected `id`'],
    [{ question: undefined }, '`question`, or else `checklist`'],
    [{ checklist: ['a?'] }, '`question`, or else `checklist`'],
    [{ question: undefined, checklist: [] }, 'non-empty strings'],
    [{ question: ' ' }, 'non-empty strings'],
    [{ threshold: 2 }, 'expected `threshold`'],
    [{ tier: 'code' }, 'expected `tier`'],
    [{ scope: 'all' }, 'expected `scope`'],
    [{ maxPromptTokens: 0 }, 'expected `maxPromptTokens`'],
    [{ reasks: 0.5 }, 'expected `reasks`'],
    [{ provider: {} }, 'expected `provider`'],
    [{ model: 'x' }, 'has no option `model`'],
  ])('refuses %j', (change, message) => {
    expect(() => llmCriterion({ id: 'x', question: '?', ...change } as never)).toThrow(message);
  });
});
