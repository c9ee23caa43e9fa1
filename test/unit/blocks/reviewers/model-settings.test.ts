import { describe, expect, it } from 'vitest';
import { modelCoverage } from '@/blocks/requirements/index.js';
import {
  definePipeline,
  type LLMRequest,
  llmCriterion,
  pairwise,
  panel,
  type Reviewer,
  ReviewLoopError,
} from '@/index.js';
import { fakeReviewerContext, scriptedProvider } from '@/testing/index.js';
import { tokenOf } from '../../../support/answering-judge.js';
import { errorWith } from '../../../support/matchers.js';
import { failed, passed, reviewer } from '../../engine/support.js';

const subject = { task: 'tea', output: 'new', iteration: 2 };
const best = { iteration: 1, output: 'old' };
const settings = {
  temperature: 0.25,
  seed: 7,
  maxOutputTokens: 99,
  providerOptions: { effort: 'low' },
} as const;

/** A judge that answers every question well, or with another token. */
const judge = (more: { id?: string; token?: string } = {}) =>
  scriptedProvider(
    (request) => {
      const token = more.token ?? tokenOf(request);
      const answer = { question: 1, id: '1', answer: 'yes', reason: 'so' };
      return JSON.stringify({ token, better: 'A', reason: 'so', answers: [answer] });
    },
    { id: more.id ?? 'judge' },
  );

/** The ways to ask a model, each with its options. */
const blocks: Readonly<
  Record<string, (options: Record<string, unknown>) => Pick<Reviewer<never, never>, 'version'>>
> = {
  llmCriterion: (options) => llmCriterion({ id: 'c', question: 'Is it clear?', ...options }),
  pairwise,
  modelCoverage,
};

const askers: Readonly<Record<string, (options: Record<string, unknown>) => Promise<unknown>>> = {
  llmCriterion: async (options) =>
    llmCriterion<string, string>({
      id: 'c',
      question: 'Is it clear?',
      ...options,
    }).reviewer?.review(subject, fakeReviewerContext()),
  pairwise: async (options) =>
    pairwise(options).review(subject, { ...fakeReviewerContext(), best } as never),
  modelCoverage: async (options) =>
    modelCoverage(options).judgeAll(
      [
        {
          ...{ requirement: 'r', source: 'explicit', covered: false, state: 'unsure' },
          ...{ coverageDetails: '', confidence: 0.5 },
        } as never,
      ],
      { output: 'text' },
      fakeReviewerContext(),
    ),
};

describe.each(Object.entries(blocks))('the settings of %s', (_name, block) => {
  it.each([
    ['reasks', -1],
    ['reasks', 0.5],
    ['maxPromptTokens', 0],
    ['maxOutputTokens', 0],
    ['timeoutMs', -5],
    ['provider', {}],
    ['model', 'x'],
  ])('refuse %s: %j', (name, value) => {
    expect(() => block({ [name]: value })).toThrow(
      expect.objectContaining(errorWith('invalid_options', `\`${name}\``)),
    );
  });

  it('are all taken, and change the version where the verdict depends on them', () => {
    const same = { reasks: 0, timeoutMs: 5, maxOutputTokens: 9, providerOptions: { a: 1 } };
    const plain = block({ provider: judge() }).version;
    expect(block({ provider: judge(), ...same }).version).toBe(plain);
    const versions = [
      plain,
      block({}).version,
      block({ provider: judge({ id: 'other' }) }).version,
      block({ provider: { ...judge(), model: 'm' } }).version,
      block({ provider: judge(), temperature: 0 }).version,
      block({ provider: judge(), seed: 0 }).version,
    ];
    expect(new Set(versions).size).toBe(versions.length);
    for (const version of versions) expect(version).toMatch(/^[\da-f]{16}$/);
  });
});

describe.each(Object.entries(askers))('the requests of %s', (name, ask) => {
  const requestsOf = async (options: Record<string, unknown>): Promise<readonly LLMRequest[]> => {
    const provider = judge();
    await ask({ ...options, provider });
    return provider.requests;
  };

  it('carry its settings, and a name for the schema', async () => {
    const requests = await requestsOf(settings);
    expect(requests.length).toBeGreaterThan(0);
    for (const request of requests) {
      expect(request).toMatchObject(settings);
      expect(request.schemaName).toMatch(/^(?:verdicts$|preference_|coverage_[\da-f]{16}$)/);
    }
    const names = requests.map(({ schemaName }) => schemaName);
    if (name === 'pairwise') expect(names).toEqual(['preference_straight', 'preference_swapped']);
  });

  it('are repeated as often as they are told, once by default, without the token of the prompt', async () => {
    const count = async (reasks?: number) => {
      const provider = judge({ token: 'guessed' });
      await ask({ provider, ...(reasks !== undefined && { reasks }) });
      return provider.requests.length;
    };
    const calls = name === 'pairwise' ? 2 : 1;
    expect([await count(), await count(0), await count(2)]).toEqual([2 * calls, calls, 3 * calls]);
  });
});

describe('pairwise', () => {
  const comparing = (preferences: readonly ('A' | 'B' | 'tie')[]) => {
    let call = 0;
    return scriptedProvider((request) =>
      JSON.stringify({ token: tokenOf(request), better: preferences[call++], reason: 'so' }),
    );
  };
  const compare = async (...preferences: readonly ('A' | 'B' | 'tie')[]) => {
    const [assessment] = (await pairwise({ provider: comparing(preferences) }).review(subject, {
      ...fakeReviewerContext(),
      best,
    } as never)) as readonly { comparison?: unknown; explanation: string }[];
    return [assessment?.comparison, assessment?.explanation];
  };

  it('prefers what both orders prefer', async () => {
    const result = (result: string, flipped = false) => ({ with: 1, result, flipped });
    expect(await compare('A', 'B')).toEqual([result('better'), 'better than version 1. so']);
    expect(await compare('B', 'A')).toEqual([result('worse'), 'worse than version 1. so']);
    expect(await compare('tie', 'tie')).toEqual([result('tie'), 'tie with version 1. so']);
    expect(await compare('A', 'tie')).toEqual([result('tie'), 'tie with version 1. so']);
    expect(await compare('tie', 'B')).toEqual([result('tie'), 'tie with version 1. so']);
    for (const preference of ['A', 'B'] as const)
      expect(await compare(preference, preference)).toEqual([
        result('tie', true),
        'tie with version 1: the preference changed with the order. so',
      ]);
  });

  it('has nothing to compare the first version with, and says so', async () => {
    const provider = comparing([]);
    const answer = await pairwise({ provider, id: 'p' }).review(
      { ...subject, iteration: 1 },
      fakeReviewerContext(),
    );
    expect(answer).toEqual([
      {
        verdict: 'pass',
        criterion: 'p',
        score: 1,
        explanation: 'no earlier version to compare with',
        gaps: [],
        comparison: { with: 1, result: 'tie', flipped: false },
      },
    ]);
    expect(provider.requests).toHaveLength(0);
    expect(() => pairwise({ id: ' ' })).toThrow('`id`');
    expect(() => pairwise(null as never)).toThrow('options');
    expect(pairwise({}).withProvider?.(judge())).toMatchObject({
      version: pairwise({ provider: judge() }).version,
      reuse: 'run',
      tier: 'model',
    });
    expect(pairwise({ provider: judge() })).not.toHaveProperty('withProvider');
  });
});

describe('a panel', () => {
  const member = (id: string, more: Partial<Reviewer<unknown, string>> = {}) =>
    reviewer<string>(id, async () => [passed(id)], more);

  it('has the tier, order, scope and reuse that its members need', () => {
    expect(panel([member('a')])).toMatchObject({ id: 'a', tier: 'code', after: undefined });
    expect(panel([member('a'), member('b', { tier: 'model' })]).tier).toBe('model');
    expect(panel([member('a', { tier: 'confirm' }), member('b', { tier: 'model' })]).tier).toBe(
      'confirm',
    );
    const ordered = [
      member('a', { after: ['x', 'b'] }),
      member('b', { after: ['x', 'y'] }),
      member('m', { tier: 'code', after: [] }),
    ];
    expect(panel(ordered).after).toEqual(['x', 'y']);
    expect(panel([...ordered, member('late', { tier: 'model', after: ['z'] })]).after).toEqual([
      'z',
    ]);
    const plain = panel([member('a'), member('b')]);
    for (const name of ['reuse', 'scope', 'checksFindings', 'withProvider'])
      expect(plain).not.toHaveProperty(name);
    const whole = panel(
      [member('a', { reuse: 'run' }), member('b', { scope: ({ output }) => output.length })],
      { toEdit: 2 },
    );
    expect(whole).toMatchObject({ reuse: 'run', checksFindings: true });
    expect(whole.scope?.({ task: '', output: 'four' })).toEqual(['four', 4]);
  });

  it('has another version for other members or rules', () => {
    const versions = [
      panel([member('a')]),
      panel([member('a', { version: '2' })]),
      panel([member('a'), member('b')]),
      panel([member('a')], { veto: 1 }),
      panel([member('a')], { toEdit: 2 }),
    ].map(({ version }) => version);
    expect(new Set(versions).size).toBe(versions.length);
    for (const version of versions) expect(version).toMatch(/^[\da-f]{16}$/);
  });

  it('names in its error who failed, and may be tried again where that may help', async () => {
    const failing = (retryable: boolean) =>
      member('broken', {
        review: () => Promise.reject(new ReviewLoopError('timeout', 'down', { retryable })),
      });
    const errorOf = async (...members: readonly Reviewer<unknown, string>[]) => {
      const answer = await panel(members, { id: 'p', tie: 'errored' }).review(
        subject,
        fakeReviewerContext(),
      );
      return (answer as readonly { error?: ReviewLoopError }[])[0]?.error;
    };
    expect(await errorOf(failing(true))).toMatchObject({
      code: 'quorum_missed',
      retryable: true,
      cause: { code: 'timeout' },
      what: expect.stringContaining('p: 0 of 1 judges voted, and the quorum is 1 (down'),
    });
    expect(await errorOf(failing(false))).toMatchObject({ retryable: false });
    const split = member('b', { review: async () => [failed('b')] });
    expect(await errorOf(member('a'), split)).toMatchObject({
      code: 'quorum_missed',
      retryable: true,
      what: 'p: the judges are split 1 to 1',
    });
  });

  it('says how many votes pass, in how many rounds, and why others fail', async () => {
    const answer = async (members: readonly Reviewer<unknown, string>[], options = {}) =>
      (
        (await panel(members, { id: 'p', ...options }).review(
          subject,
          fakeReviewerContext(),
        )) as readonly { explanation: string; score: number }[]
      )[0];
    const no = member('no', { review: async () => [failed('no', 'too short')] });
    const broken = member('broken', { review: () => Promise.reject(new Error('down')) });
    expect((await answer([member('a'), member('b'), no]))?.explanation).toMatch(
      /^2 of 3 votes pass; agreement .* no: too short$/,
    );
    expect((await answer([member('a'), member('b'), broken]))?.explanation).toMatch(
      /^2 of 2 votes pass, 1 failed; agreement [^:]*\.$/,
    );
    const borderline = { bar: 0.5, within: 0.6, rounds: 1 };
    expect((await answer([member('a'), no, no], { borderline }))?.explanation).toMatch(
      /^2 of 6 votes pass, in 2 rounds;/,
    );
  });
});

it('a reviewer without a provider cannot review, and takes one', async () => {
  const criterion = llmCriterion<string, string>({ id: 'c', question: '?' });
  expect(await criterion.reviewer?.review(subject, fakeReviewerContext())).toMatchObject([
    { verdict: 'errored', criterion: 'c', error: { code: 'provider_missing' } },
  ]);
  const provider = judge();
  const pipeline = definePipeline<string, string>({ reviewers: [criterion], provider });
  expect(await pipeline.review('tea', 'text')).toMatchObject({
    assessments: [{ verdict: 'pass' }],
  });
});
