import { describe, expect, it } from 'vitest';
import {
  type Assessment,
  addressWithModel,
  criterion,
  definePipeline,
  type Gap,
  isJudged,
  type LLMProvider,
  llmCriteria,
  llmCriterion,
  memoryStore,
  panel,
  type Review,
  type Reviewer,
  verified,
} from '@/index.js';
import { fakeReviewerContext, scriptedJudge, scriptedProvider } from '@/testing/index.js';
import { checklistJudge, type Fault } from '../../../support/checklist-judge.js';
import { errorWith } from '../../../support/matchers.js';
import { failed, passed, reviewer } from '../../engine/support.js';
import { blind, clear } from './support.js';

const unexplained: Fault = {
  question: /explain/,
  found: /oolong/,
  reason: 'oolong is not explained',
};
const rude: Fault = { question: /polite/, found: /damn/, reason: 'rude' };
const strict = () => checklistJudge([unexplained], { id: 'strict' });

const reviewed = (
  reviewer: Reviewer<string, string>,
  output = 'Tea\noolong is best',
): Promise<Review> =>
  definePipeline<string, string>({ reviewers: [reviewer], retries: 0 }).review('tea', output);
const gapsOf = (review: Review): readonly Gap[] =>
  review.assessments.flatMap((assessment) => (isJudged(assessment) ? assessment.gaps : []));
const standings = (review: Review) => gapsOf(review).map(({ standing }) => standing);

describe('verified', () => {
  it('confirms what a second opinion finds too, in two calls', async () => {
    const judge = strict();
    const review = await reviewed(verified(clear(judge)));
    expect(standings(review)).toEqual(['confirmed']);
    expect(judge.requests).toHaveLength(2);
    expect(review.decision).toMatchObject({
      kind: 'revise',
      blocking: [{ standing: 'confirmed' }],
    });
    expect(review.assessments[0]).toMatchObject({
      verdict: 'fail',
      explanation: 'oolong is not explained (1 of 1 finding confirmed by 2 opinions.)',
    });
  });

  it('asks nobody again where nothing was found', async () => {
    const judge = blind();
    expect((await reviewed(verified(clear(judge)))).decision.kind).toBe('approve');
    expect(judge.requests).toHaveLength(1);
  });

  it('disputes what two further opinions do not find, keeps the verdict, and escalates', async () => {
    const [judge, other] = [strict(), blind()];
    const review = await reviewed(verified(clear(judge), { confirmWith: other }));
    expect(standings(review)).toEqual(['disputed']);
    expect([judge.requests.length, other.requests.length]).toEqual([1, 2]);
    expect(review.assessments[0]?.verdict).toBe('fail');
    expect(review.decision).toMatchObject({ kind: 'stop', status: 'escalated', code: 'disputed' });
  });

  it('lets the third opinion decide if two disagree', async () => {
    const [judge, agreeing, other] = [strict(), strict(), blind()];
    const review = await reviewed(verified(clear(judge), { confirmWith: [other, agreeing] }));
    expect(standings(review)).toEqual(['confirmed']);
    expect([judge, other, agreeing].map(({ requests }) => requests.length)).toEqual([1, 1, 1]);
  });

  it('asks for at most `opinions` opinions, and stops when all is decided', async () => {
    for (const [opinions, asked] of [
      [2, 1],
      [5, 3],
    ] as const) {
      const confirmWith = blind();
      const review = await reviewed(verified(clear(strict()), { opinions, confirmWith }));
      expect(standings(review)).toEqual(['disputed']);
      expect(confirmWith.requests).toHaveLength(asked);
    }
  });

  it('shows a further opinion neither history, nor the first verdict, nor the nonce of the first', async () => {
    const judge = strict();
    await reviewed(verified(clear(judge)));
    const [first, second] = judge.requests.map(({ system = '', messages }) =>
      [system, ...messages.map(({ content }) => content)].join('\n'),
    );
    expect(second).not.toBe(first);
    expect(second).not.toContain('not explained');
    const nonces = [first, second].map((prompt) => /UNTRUSTED (\w+)/.exec(prompt ?? '')?.[1]);
    expect(new Set(nonces).size).toBe(2);
    let seen: unknown;
    const historic: Reviewer<string, string> = reviewer(
      'historic',
      async (_, context) => {
        seen = { previous: context.previous, best: context.best };
        return [{ verdict: 'fail', criterion: 'historic', score: 0, explanation: 'no', gaps: [] }];
      },
      { tier: 'model' },
    );
    await verified(historic).review(
      { task: 't', output: 'o', iteration: 2 },
      fakeReviewerContext({ previous: [{} as Review], best: { iteration: 1, output: 'a' } }),
    );
    expect(seen).toEqual({ previous: [], best: undefined });
  });

  it('disputes an invented quote without another opinion, also if the task says it', async () => {
    let calls = 0;
    const inventing: Reviewer<string, { text: string; task: string }> = reviewer(
      'inventing',
      async () => {
        calls += 1;
        return [failed('inventing', 'wrong', { evidence: 'about tea' })];
      },
      { tier: 'model', scope: ({ task, output }) => ({ text: output.text, task }) },
    );
    const review = await definePipeline<string, { text: string; task: string }>({
      reviewers: [verified(inventing)],
    }).review('write about tea', { text: 'coffee', task: '' });
    expect(standings(review)).toEqual(['disputed']);
    expect(calls).toBe(1);
  });

  it('finds quotes in text, in artifacts and in JSON, with other white space', async () => {
    const quoting = (evidence: string, file?: string): Reviewer<unknown, unknown> =>
      verified(
        criterion<unknown, unknown>('q', () => ({
          passed: false,
          score: 0,
          details: 'no',
          findings: [{ description: 'd', evidence, ...(file !== undefined && { file }) }],
        })),
      );
    const standing = async (output: unknown, evidence: string, file?: string) => {
      const reviewers = [quoting(evidence, file)];
      const review = await definePipeline<unknown, unknown>({ reviewers }).review('t', output);
      return standings(review)[0];
    };
    const page = {
      artifacts: [{ type: 'page', path: 'a.html', content: '<h1>Tea</h1>\n<p>is\n good</p>' }],
    };
    expect(await standing('a  b\nc', 'b c')).toBe('confirmed');
    expect(await standing(page, '<p>is good', 'a.html')).toBe('confirmed');
    expect(await standing(page, 'coffee', 'a.html')).toBe('disputed');
    expect(await standing({ sql: 'SELECT 1', rows: [1, 2] }, '"rows": [ 1,')).toBe('confirmed');
    expect(await standing({ sql: 'SELECT 1' }, 'SELECT 2')).toBe('disputed');
    // a file that the output does not hold, as commands name them, cannot be looked into
    expect(await standing('done', 'expected 1, got 2', 'src/a.test.ts')).toBe('confirmed');
  });

  it('asks code once: it would find the same again', async () => {
    let calls = 0;
    const code = criterion<string, string>('code', () => {
      calls += 1;
      return 'no title';
    });
    expect(standings(await reviewed(verified(code)))).toEqual(['confirmed']);
    expect(calls).toBe(1);
  });

  it('is errored, and never approves, when a further opinion fails', async () => {
    const broken = scriptedProvider(() => new Error('outage'), { id: 'broken' });
    const review = await reviewed(verified(clear(strict()), { confirmWith: broken }));
    const said = "second opinion on 'clear' failed: findings unconfirmed";
    const message = expect.stringContaining(said) as string;
    expect(review.assessments).toMatchObject([{ verdict: 'errored', error: { message } }]);
    expect(review.decision).toMatchObject({ kind: 'stop', status: 'inconclusive' });
  });

  it('does not pay for the first opinion again when the engine asks once more', async () => {
    const judge = strict();
    const flaky = scriptedProvider(
      (request, call) =>
        call === 0 ? new Error('overloaded') : checklistJudge([unexplained]).generate(request),
      { id: 'flaky' },
    );
    const outcome = await definePipeline<string, string>({
      produce: async () => 'Tea\noolong',
      reviewers: [verified(clear(judge), { confirmWith: flaky })],
    }).run('tea');
    expect(outcome.reviews[0]?.assessments[0]?.verdict).toBe('fail');
    expect([judge.requests.length, flaky.requests.length]).toEqual([1, 2]);
  });

  it('records its opinions: a resumed run asks nobody again', async () => {
    const [judge, other, store] = [strict(), blind(), memoryStore()];
    const pipeline = () =>
      definePipeline<string, string>({
        produce: async () => 'Tea\noolong',
        reviewers: [verified(clear(judge), { confirmWith: other })],
        policy: () => ({ kind: 'ask', reason: 'r', question: 'q?', allowed: ['override'] }),
        store,
      });
    for (let times = 0; times < 2; times += 1) {
      const { status } = await pipeline().run('tea', { runId: 'r' });
      const asked = [judge.requests.length, other.requests.length];
      expect([status, ...asked]).toEqual(['suspended', 1, 2]);
    }
  });

  it('never hands what is disputed to address, and hands over what is confirmed', async () => {
    const half = checklistJudge([rude], { id: 'half' });
    const judge = checklistJudge([rude, unexplained], { id: 'judge' });
    const handed: string[] = [];
    const pipeline = definePipeline<string, string>({
      produce: async () => 'Tea\n\n\n\ndamn\n\n\n\noolong',
      address: async (text, gaps) => {
        handed.push(...gaps.map(({ description }) => description));
        return text.replace('damn', 'nice');
      },
      reviewers: [
        clear(judge),
        llmCriterion<string, string>({ id: 'polite', question: 'Is it polite?', provider: judge }),
      ].map((reviewer) => verified(reviewer, { confirmWith: half })),
    });
    const outcome = await pipeline.run('tea');
    expect(handed).toEqual(['polite: rude']);
    expect(outcome).toMatchObject({
      status: 'escalated',
      code: 'disputed',
      output: 'Tea\n\n\n\nnice\n\n\n\noolong',
    });
  });

  it('drops a proposal that may rest on a disputed finding, and keeps one that does not', async () => {
    const proposal = async (passesFrom: number): Promise<unknown> => {
      let opinion = 0;
      const proposing: Reviewer<string, string> = reviewer(
        'p',
        async () => {
          opinion += 1;
          const fails = { ...passed('p'), verdict: 'fail', score: 0 } as Assessment;
          return { assessments: [opinion < passesFrom ? fails : passed('p')], proposal: 'better' };
        },
        { tier: 'model' },
      );
      const answer = await verified(proposing).review(
        { task: 't', output: 'o', iteration: 1 },
        fakeReviewerContext(),
      );
      return 'proposal' in answer ? answer.proposal : undefined;
    };
    expect(await proposal(9)).toBe('better');
    expect(await proposal(2)).toBeUndefined();
  });

  it('agrees by criterion where it is asked to, and by place otherwise', async () => {
    const text = 'oolong\n\n\n\n\n\n\ngaiwan';
    const other = checklistJudge([{ question: /explain/, found: /gaiwan/, reason: 'gaiwan' }], {
      id: 'other',
    });
    const options = { opinions: 2, confirmWith: other } as const;
    const found = async (more: object) =>
      standings(await reviewed(verified(clear(strict()), { ...options, ...more }), text));
    expect(await found({})).toEqual(['disputed', 'disputed']);
    expect(await found({ agree: 'criterion' })).toEqual(['confirmed']);
  });

  it('asks about a whole batch again in one call', async () => {
    const judge = checklistJudge([unexplained, rude]);
    const batch = llmCriteria<string, string>(
      [
        { id: 'clear', question: 'Does it explain every term?' },
        { id: 'polite', question: 'Is it polite?' },
      ],
      { mode: 'batch', provider: judge },
    );
    const review = await definePipeline<string, string>({
      reviewers: batch.map((reviewer) => verified(reviewer)),
    }).review('tea', 'oolong\n\n\n\n\ndamn');
    expect(standings(review)).toEqual(['confirmed', 'confirmed']);
    expect(judge.requests).toHaveLength(2);
  });

  it('inherits the provider of the pipeline, and works with address by a model', async () => {
    const judge = strict();
    const editor = scriptedProvider(
      () => JSON.stringify({ edits: [{ path: 'output', search: 'oolong', replace: 'tea' }] }),
      { id: 'editor' },
    );
    const outcome = await definePipeline<string, string>({
      produce: async () => 'Tea: oolong.',
      address: addressWithModel({ provider: editor }),
      reviewers: [verified(clear())],
      provider: judge,
    }).run('tea');
    expect(outcome).toMatchObject({ status: 'approved', output: 'Tea: tea.' });
    expect(judge.requests).toHaveLength(3);
  });
});

const subject = { task: 'task', output: 'the output', iteration: 1 };

const saying = (id: string, said: readonly Assessment[]): Reviewer<string, string> =>
  reviewer(id, async () => said, { tier: 'model' });

describe('the gap of a finding', () => {
  const finding = async (more: object): Promise<Gap | undefined> => {
    const check = criterion<string, string>('c', () => ({
      passed: false,
      score: 0,
      details: 'no',
      findings: [{ description: 'wrong', ...more }],
    }));
    return gapsOf(await reviewed(check))[0];
  };

  it('has the picture, the quote and the place that the finding has', async () => {
    const picture = 'data:image/png;base64,AA==';
    const gap = await finding({ evidence: 'the', picture, file: 'a.txt', line: 3, endLine: 5 });
    expect(gap).toMatchObject({
      evidence: 'the',
      picture,
      affectedArtifact: 'a.txt',
      location: { file: 'a.txt', line: 3, endLine: 5 },
    });
  });

  it('has no member for what the finding does not say', async () => {
    const gap = await finding({ file: 'a.txt' });
    expect(Object.keys(gap?.location ?? {})).toEqual(['file']);
    for (const member of ['evidence', 'picture']) expect(gap).not.toHaveProperty(member);
    const bare = await finding({});
    for (const member of ['location', 'affectedArtifact']) expect(bare).not.toHaveProperty(member);
  });
});

describe('the vote of a member with several assessments', () => {
  const scored = (criterion: string, score: number): Assessment => ({
    verdict: score >= 0.5 ? 'pass' : 'fail',
    criterion,
    score,
    explanation: '',
    gaps: [],
  });
  const panelOf = async (...votes: readonly (readonly Assessment[])[]) => {
    const members = votes.map((assessments, index) => saying(`m${index}`, assessments));
    const [assessment] = (await panel(members).review(subject, fakeReviewerContext())) as [
      Assessment,
    ];
    return assessment;
  };

  it('passes only if all of them pass', async () => {
    const mixed = [scored('a', 1), scored('b', 0.2)];
    expect(await panelOf(mixed, mixed)).toMatchObject({ verdict: 'fail', votes: { fail: 2 } });
  });

  it('scores their mean', async () => {
    const both = [scored('a', 1), scored('b', 0.6)];
    const found = await panelOf(both, both);
    expect(isJudged(found) && found.score).toBeCloseTo(0.8);
  });
});

describe('verified in detail', () => {
  it('says that it checks findings, and drops a proposal with one that is disputed', async () => {
    const sure = failed('sure', 'wrong');
    const invented = failed('unsure', 'bad', { evidence: 'nobody wrote this' });
    const judge = saying('judge', [sure, invented]);
    const taken = verified({
      ...judge,
      review: async (...given) => ({
        assessments: (await judge.review(...given)) as readonly Assessment[],
        proposal: 'better',
      }),
    });
    expect(taken.checksFindings).toBe(true);
    const answer = await taken.review(subject, fakeReviewerContext());
    expect(answer).toMatchObject({
      assessments: [{ gaps: [{ standing: 'confirmed' }] }, { gaps: [{ standing: 'disputed' }] }],
    });
    expect('proposal' in answer && answer.proposal).toBeFalsy();
  });

  it('has another version than its reviewer, and for other opinions', () => {
    const judge = (id = 'judge') => checklistJudge([], { id });
    const asked = (more: object = {}) => verified(clear(judge()), more).version;
    const versions = [
      clear(judge()).version,
      asked(),
      asked({ opinions: 5 }),
      asked({ agree: 'criterion' }),
      asked({ confirmWith: judge('x') }),
      asked({ confirmWith: { ...judge('x'), model: 'm' } }),
      asked({ confirmWith: [judge('x'), judge('y')] }),
    ];
    expect(new Set(versions).size).toBe(versions.length);
    expect(asked({ opinions: 3, agree: 'place' })).toBe(asked());
  });

  it('refuses what it cannot do', () => {
    const plain = criterion<string, string>('code', () => true);
    const refused = (made: () => unknown, named: string) =>
      expect(made, named).toThrow(expect.objectContaining(errorWith('invalid_options', named)));
    refused(() => verified(null as never), '`reviewer`');
    refused(() => verified(plain, { opinions: 0 }), '`opinions`');
    refused(() => verified(plain, { agree: 'all' as never }), '`agree`');
    refused(() => verified(plain, { opinion: 1 } as object), 'verified has no option `opinion`');
    refused(() => verified(plain, { confirmWith: {} as LLMProvider }), '`provider`');
    refused(() => verified(plain, { confirmWith: [blind()] }), '`confirmWith`');
    refused(() => verified(plain, { confirmWith: strict() }), 'cannot ask another model');
    expect(() => verified(plain, { confirmWith: [] })).not.toThrow();
  });

  it('asks other models in their order, and then from the first again', async () => {
    const asked: string[] = [];
    const as = (provider: LLMProvider | undefined): Reviewer<string, string> => ({
      ...saying('judge', []),
      review: async () => {
        asked.push(provider?.id ?? 'own');
        return [failed('judge')];
      },
      asks: { provider, asking: (other) => as(other) },
    });
    const others = ['a', 'b', 'c'].map((id) => scriptedProvider(() => '', { id }));
    await verified(as(undefined), { opinions: 9, confirmWith: others }).review(
      subject,
      fakeReviewerContext(),
    );
    expect(asked).toEqual(['own', 'a', 'b', 'c', 'a']);
  });

  it.each<[string, 'confirmed' | 'disputed', 'code' | 'model', object]>([
    ['of a model about a file that is not there', 'disputed', 'model', { file: 'b.ts' }],
    ['of a program about a file that is not there', 'confirmed', 'code', { file: 'b.ts' }],
    ['of a program about an artifact that is not there', 'confirmed', 'code', { artifact: 'b.ts' }],
    ['of a program about no file', 'disputed', 'code', {}],
  ])('takes a quote that does not occur, %s, as %s', async (_, standing, tier, where) => {
    const { file, artifact } = where as { file?: string; artifact?: string };
    const more = {
      evidence: 'nobody wrote this',
      ...(file !== undefined && { location: { file } }),
      ...(artifact !== undefined && { affectedArtifact: artifact }),
    };
    const judge = { ...saying('judge', [failed('judge', 'wrong', more)]), tier };
    const gaps = gapsOf(await reviewed(verified(judge, { opinions: 1 }), 'the output'));
    expect(gaps.map((gap) => gap.standing)).toEqual([standing]);
  });
});

describe('the prompt of a judge', () => {
  it('says by the nonce of the review what is material, in the system part', async () => {
    const provider = scriptedJudge({ clear: 'yes' });
    const context = fakeReviewerContext();
    await llmCriterion<string, string>({ id: 'clear', question: 'Is it clear?', provider }).review(
      subject,
      context,
    );
    const [request] = provider.requests;
    const [, nonce = 'none'] =
      /<<<UNTRUSTED (\w+) /.exec(request?.messages[0]?.content ?? '') ?? [];
    expect(request?.system).toContain(nonce);
    for (const member of ['"token"', '"answers"', '"question"', '"quote"', '"severity"'])
      expect(request?.system).toContain(member);
  });

  it('needs no context where a criterion is asked alone', async () => {
    const provider = scriptedJudge({ clear: 'yes' });
    const alone = llmCriterion<string, string>({ id: 'clear', question: 'Is it clear?', provider });
    expect(await alone.validate('x', 'task', undefined as never)).toMatchObject({ passed: true });
  });
});
