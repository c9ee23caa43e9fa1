import { describe, expect, it } from 'vitest';
import {
  criterion,
  definePipeline,
  type Gap,
  memoryStore,
  type PipelineOptions,
  type Policy,
} from '../../../src/index.js';
import { failed, passed, reviewer, suspended } from './support.js';

const ask: Policy = () => ({
  kind: 'ask',
  reason: 'risky',
  question: 'let it through?',
  allowed: ['approve', 'override', 'reject', 'revise', 'skip'],
});
const approve: Policy = () => ({ kind: 'approve', reason: 'fine' });

const failing = [
  reviewer<string>('a', async () => [failed('a', 'too long')]),
  reviewer<string>('b', async () => [failed('b', 'too dark', { autoFixable: false })]),
];

const pipeline = (more: Partial<PipelineOptions<string, string>>) =>
  definePipeline<string, string>({
    produce: async () => 'draft',
    store: memoryStore(),
    ...more,
  });

describe('the question of a policy', () => {
  it('names the run, the version and its open gaps, and whether reviewers approve', async () => {
    const outcome = suspended(
      await pipeline({ policy: ask, reviewers: failing, address: async (text) => text }).run(
        'tea',
        {
          runId: 'r',
        },
      ),
    );
    expect(outcome.requests).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        runId: 'r',
        digest: outcome.version,
        from: 'policy',
        question: 'let it through?',
        gaps: outcome.review?.gaps,
        allowed: ['approve', 'override', 'reject', 'revise', 'skip'],
        approved: false,
      },
    ]);
    expect(outcome.review?.gaps).toHaveLength(2);
  });

  it('shows no gap that is disputed', async () => {
    const disputed = reviewer<string>('c', async () => [
      failed('c', 'not so', { standing: 'disputed' }),
    ]);
    const outcome = suspended(
      await pipeline({ policy: ask, reviewers: [...failing, disputed] }).run('tea', { runId: 'r' }),
    );
    const { gaps } = outcome.requests[0];
    expect(gaps.map(({ description }) => description).sort()).toEqual(['too dark', 'too long']);
  });

  it('is not asked again beside what `address` asks after its answer', async () => {
    const made = pipeline({
      policy: ask,
      reviewers: failing,
      address: async (text, _, context) => {
        const allowed = ['approve'] as const;
        const { kind } = await context.ask('how', { question: 'how short?', allowed, gaps: [] });
        return `${text} ${kind}`;
      },
    });
    const waiting = suspended(await made.run('tea', { runId: 'r' }));
    const answer = { kind: 'revise', by: 'Ann', note: 'shorter' } as const;
    const next = suspended(await made.answer(waiting.requests[0], answer));
    expect(next.requests.map(({ question }) => question)).toEqual(['how short?']);
  });

  it('says that reviewers approve where all passed, though the policy asks', async () => {
    const outcome = suspended(
      await pipeline({ policy: ask, criteria: { fine: () => true } }).run('tea', { runId: 'r' }),
    );
    expect(outcome.requests[0]).toMatchObject({ approved: true, gaps: [] });
  });

  it('does not offer a revision that nobody can make', async () => {
    const outcome = suspended(
      await pipeline({ policy: ask, reviewers: failing }).run('tea', { runId: 'r' }),
    );
    expect(outcome.requests[0].allowed).toEqual(['approve', 'override', 'reject', 'skip']);
  });

  it('offers it all the same where it would have no answer at all', async () => {
    const only: Policy = (evidence) => ({ ...ask(evidence), allowed: ['revise'] }) as never;
    const outcome = suspended(
      await pipeline({ policy: only, reviewers: failing }).run('tea', { runId: 'r' }),
    );
    expect(outcome.requests[0].allowed).toEqual(['revise']);
  });

  it('has the same id in another process, and another one for another version or run', async () => {
    const idOf = async (runId: string, output: string) =>
      suspended(
        await pipeline({ produce: async () => output, policy: ask, reviewers: failing }).run(
          'tea',
          {
            runId,
          },
        ),
      ).requests[0].id;
    const first = await idOf('r', 'draft');
    expect(await idOf('r', 'draft')).toBe(first);
    expect(new Set([first, await idOf('s', 'draft'), await idOf('r', 'other')]).size).toBe(3);
  });
});

describe('the question what no judge could tell', () => {
  it('names each open criterion with its question and why it is open', async () => {
    const open = criterion<string>(
      'tone',
      () => ({ passed: false, score: 0, details: '', undecided: 'needs eyes' }),
      { version: '1', description: 'Is the tone met?' },
    );
    const outcome = suspended(
      await pipeline({
        reviewers: [open, reviewer('a', async () => [passed('a')])],
        human: { policy: 'require' },
      }).run('tea', { runId: 'r' }),
    );
    expect(outcome.requests).toMatchObject([
      {
        from: 'policy',
        approved: false,
        undecided: [
          {
            criterion: 'tone',
            question: 'Is the tone met?',
            reason: expect.stringContaining('needs eyes'),
          },
        ],
      },
    ]);
    expect(outcome.requests[0].allowed).toContain('decide');
  });
});

describe('the note of a person who asks for a revision', () => {
  it('is a major gap, which stands among those that address can fix, worst first', async () => {
    let given: readonly Gap[] = [];
    const made = pipeline({
      policy: (evidence) => (evidence.review.gaps.length === 0 ? approve : ask)(evidence),
      reviewers: [
        reviewer<string>('a', async ({ output }) => [
          output === 'short' ? passed('a') : failed('a', 'too long'),
        ]),
        reviewer<string>('b', async ({ output }) => [
          output === 'short' ? passed('b') : failed('b', 'too dark', { autoFixable: false }),
        ]),
        reviewer<string>('c', async ({ output }) => [
          output === 'short' ? passed('c') : failed('c', 'unsafe', { severity: 'critical' }),
        ]),
      ],
      address: async (_, gaps) => {
        given = gaps;
        return 'short';
      },
    });
    const waiting = suspended(await made.run('tea', { runId: 'r' }));
    const answer = { kind: 'revise', by: 'Ann', note: 'say it politely' } as const;
    expect(await made.answer(waiting.requests[0], answer)).toMatchObject({ status: 'approved' });
    expect(given.map(({ description }) => description)).toEqual([
      'unsafe',
      'say it politely',
      'too long',
    ]);
    expect(given[1]).toEqual({
      id: `note:${waiting.version?.slice(0, 16)}`,
      severity: 'major',
      category: 'incomplete',
      description: 'say it politely',
      suggestedFix: 'say it politely',
      estimatedEffort: 'medium',
      autoFixable: true,
      raisedBy: 'person',
      lifecycle: 'new',
    });
  });
});

describe('the answer to a question after an approval', () => {
  const human = { policy: 'prompt' } as const;
  const asked = async (more: Partial<PipelineOptions<string, string>> = {}) => {
    const made = pipeline({ criteria: { fine: () => true }, human, ...more });
    const waiting = suspended(await made.run('tea', { runId: 'r' }));
    return { made, request: waiting.requests[0] };
  };

  it('says who decided, what follows, and why', async () => {
    for (const [answer, result] of [
      [
        { kind: 'approve', by: 'Ann' },
        { status: 'approved', code: 'person_approved', decidedBy: 'Ann', output: 'draft' },
      ],
      [
        { kind: 'reject', by: 'Ann', reason: 'too long' },
        { status: 'rejected', code: 'person_rejected', reason: 'too long', decidedBy: 'Ann' },
      ],
      [
        { kind: 'skip', by: 'Ann' },
        {
          status: 'accepted',
          code: 'person_skipped',
          acceptance: { kind: 'skip', by: 'Ann', reason: expect.any(String) },
        },
      ],
      [
        { kind: 'skip', by: 'Ann', reason: 'no time' },
        { code: 'person_skipped', acceptance: { kind: 'skip', by: 'Ann', reason: 'no time' } },
      ],
    ] as const) {
      const { made, request } = await asked();
      expect(await made.answer(request, answer)).toMatchObject(result);
    }
  });

  it('that rejects is a note for address, while reviews are left', async () => {
    for (const [reviews, result] of [
      [2, { status: 'suspended', output: 'too long' }],
      [1, { status: 'rejected', output: 'draft' }],
    ] as const) {
      const { made, request } = await asked({
        human: { ...human, onReject: 'revise' },
        address: async (_output, _gaps, { note }) => note ?? '',
        budget: { reviews },
      });
      const answer = { kind: 'reject', by: 'Ann', reason: 'too long' } as const;
      expect(await made.answer(request, answer)).toMatchObject(result);
    }
  });
});
