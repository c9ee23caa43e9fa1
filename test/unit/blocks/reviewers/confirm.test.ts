import { describe, expect, it } from 'vitest';
import {
  confirm,
  criterion,
  definePipeline,
  type LLMProvider,
  llmCriterion,
  memoryVerdicts,
  type Reviewer,
  thresholds,
  verified,
} from '@/index.js';
import { scriptedProvider } from '@/testing/index.js';
import { checklistJudge } from '../../../support/checklist-judge.js';
import { blind, clear } from './support.js';

const seesOolong = (id: string) =>
  checklistJudge(
    [{ question: /explain|everything/, found: /oolong/, reason: 'oolong is not explained' }],
    { id },
  );

describe('confirm', () => {
  it('blocks an approval by one dissent, and its gaps reopen the loop', async () => {
    const [judge, other] = [blind(), seesOolong('other')];
    const handed: string[] = [];
    const outcome = await definePipeline<string, string>({
      produce: async () => 'oolong',
      address: async (text, gaps) => {
        handed.push(...gaps.map(({ criterionId = '' }) => criterionId));
        return text.replace('oolong', 'tea');
      },
      reviewers: [clear(judge), ...confirm({ reviewers: [clear(judge)], providers: [other] })],
      policy: () => ({ kind: 'approve', reason: 'whatever' }),
    }).run('tea');
    expect(handed).toEqual(['confirm:clear']);
    expect(outcome).toMatchObject({ status: 'approved', output: 'tea' });
    expect(outcome.reviews.map(({ decision }) => decision.kind)).toEqual(['revise', 'approve']);
    expect([judge.requests.length, other.requests.length]).toEqual([2, 2]);
  });

  describe('a judge that says its question does not apply', () => {
    const absent = (id: string) =>
      scriptedProvider(
        ({ messages }) => {
          const [, token = ''] = /The token is (\w+)\./.exec(messages.at(-1)?.content ?? '') ?? [];
          return {
            object: { token, answers: [{ question: 1, answer: 'not_applicable', reason: 'no' }] },
          };
        },
        { id },
      );
    const decided = async (
      judge: LLMProvider,
      others: readonly LLMProvider[],
      reviewers?: readonly Reviewer<string, string>[],
    ) => {
      const outcome = await definePipeline<string, string>({
        produce: async () => 'tea',
        reviewers: [
          criterion<string, string>('code', () => true),
          clear(judge),
          ...confirm({ ...(reviewers && { reviewers }), providers: others }),
        ],
      }).run('tea');
      return `${outcome.status} ${outcome.code}`;
    };

    const [open, approved] = ['inconclusive undecided', 'approved approved'];

    it('confirms nothing: what the confirmed judge judged is undecided', async () => {
      expect(await decided(blind(), [absent('a')], [clear(blind())])).toBe(open);
      expect(await decided(blind(), [absent('a'), absent('b')], [clear(blind())])).toBe(open);
      expect(await decided(blind(), [absent('a')])).toBe(open);
    });

    it('blocks nothing if another judge confirms, or if nobody judged', async () => {
      expect(await decided(blind(), [absent('a'), blind('b')], [clear(blind())])).toBe(approved);
      expect(await decided(absent('judge'), [absent('a')], [clear(blind())])).toBe(approved);
      expect(await decided(blind(), [absent('a'), blind('b')])).toBe(approved);
    });
  });

  it('is asked only while approval is possible', async () => {
    const other = blind('other');
    await definePipeline<string, string>({
      reviewers: [
        clear(seesOolong('judge')),
        ...confirm({ reviewers: [clear()], providers: [other] }),
      ],
      provider: other,
    }).review('tea', 'oolong');
    expect(other.requests).toHaveLength(0);
  });

  it('starts anew: no kept verdict, no history, another nonce, and the whole version', async () => {
    const other = seesOolong('other');
    const output = { title: 'oolong', body: 'all about it' };
    const scoped = llmCriterion<typeof output, string>({
      id: 'clear',
      question: 'Does it explain every term?',
      provider: blind(),
      scope: ({ body }) => body,
    });
    const pipeline = definePipeline<string, typeof output>({
      reviewers: [scoped, ...confirm({ reviewers: [scoped], providers: [other] })],
      verdicts: memoryVerdicts(),
    });
    for (let round = 1; round <= 2; round += 1) {
      const review = await pipeline.review('tea', output);
      expect(review.assessments.map(({ criterion: id, verdict }) => `${id} ${verdict}`)).toEqual([
        'clear pass',
        'confirm:clear fail',
      ]);
      expect(other.requests).toHaveLength(round);
    }
    expect(other.requests[0]?.messages[0]?.content).toContain('oolong');
  });

  it('asks one question about the whole task where no reviewer is given', async () => {
    const [one, two] = [blind('one'), seesOolong('two')];
    const reviewers = [
      criterion<string, string>('long', () => true),
      ...confirm<string, string>({ providers: [one, two] }),
    ];
    expect(reviewers.map(({ id }) => id)).toEqual(['long', 'confirm:task:1', 'confirm:task:2']);
    const review = await definePipeline<string, string>({ reviewers }).review('tea', 'oolong');
    expect(review.assessments.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'fail']);
    expect(review.decision.kind).toBe('revise');
  });

  it('may ask again by hand-written reviewers, which keep their own way', async () => {
    const own: Reviewer<string, string> = {
      id: 'own',
      version: '1',
      tier: 'model',
      review: async () => [
        { verdict: 'pass', criterion: 'other-name', score: 1, explanation: '', gaps: [] },
      ],
    };
    const [confirming] = confirm({ reviewers: [own] });
    expect(confirming).toMatchObject({ id: 'confirm:own', tier: 'confirm' });
    const review = await definePipeline<string, string>({ reviewers: [own, confirming!] }).review(
      't',
      'o',
    );
    expect(review.assessments.map(({ criterion: id }) => id)).toEqual([
      'other-name',
      'confirm:own/other-name',
    ]);
  });

  it('an unconfirmed dissent is not edited, and is no approval either, whatever the policy', async () => {
    const dissent = verified(
      confirm({ reviewers: [clear()], providers: [seesOolong('other')] })[0]!,
      { confirmWith: blind() },
    );
    let addressed = 0;
    const options = {
      produce: async () => 'oolong',
      address: async (text: string) => {
        addressed += 1;
        return `${text}!`;
      },
      reviewers: [clear(blind('judge')), dissent],
    };
    for (const policy of [
      thresholds({ quality: 0 }),
      () => ({ kind: 'approve', reason: 'lenient' }) as const,
    ]) {
      expect(await definePipeline<string, string>({ ...options, policy }).run('tea')).toMatchObject(
        { status: 'escalated', code: 'disputed', output: 'oolong' },
      );
    }
    expect(addressed).toBe(0);
  });

  it('an outage of the confirming judge is inconclusive', async () => {
    const broken = scriptedProvider(() => new Error('outage'));
    const outcome = await definePipeline<string, string>({
      produce: async () => 'tea',
      reviewers: [clear(blind()), ...confirm({ reviewers: [clear()], providers: [broken] })],
    }).run('tea');
    expect(outcome).toMatchObject({ status: 'inconclusive', output: 'tea' });
  });

  it('refuses the judge itself, unless that is allowed, and what cannot be confirmed', () => {
    const judge = blind();
    expect(() => confirm({ reviewers: [clear(judge)], providers: [blind()] })).toThrow(
      "`sameJudge: 'allow'`",
    );
    expect(
      confirm({ reviewers: [clear(judge)], providers: [judge], sameJudge: 'allow' }),
    ).toHaveLength(1);
    expect(() => confirm({})).toThrow('`providers`, `reviewers`, or both');
    expect(() => confirm({ providers: [] })).toThrow('providers');
    expect(() => confirm({ reviewers: [] })).toThrow('reviewers');
    expect(() =>
      confirm({ reviewers: [criterion('code', () => true)], providers: [judge] }),
    ).toThrow('cannot ask another model');
    expect(() =>
      confirm({ reviewers: [criterion('code', () => true, { scope: () => 1 })] }),
    ).toThrow('reads the whole version');
    expect(() => confirm({ providers: [judge], judges: 1 } as object)).toThrow(
      'confirm has no option `judges`',
    );
    expect(() => confirm({ providers: [judge], sameJudge: 'warn' as 'allow' })).toThrow(
      'sameJudge',
    );
  });
});
