import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline, type Policy, type ReviewerContext } from '@/index.js';
import { fakeClock, fakeWorkspace } from '@/testing/index.js';
import {
  deferred,
  failed,
  failing,
  listenersOf,
  never,
  passed,
  pipelineOf,
  reviewer,
} from './support.js';

const judged = [
  reviewer<string>('a', async ({ output }) => [output === 'good' ? passed('a') : failed('a')]),
];

describe('one review without a run', () => {
  it('has the decision of the policy, is frozen, and is told as the best first review', async () => {
    const told: unknown[] = [];
    const pipeline = definePipeline<string, string>({ reviewers: judged });
    pipeline.on('review-end', ({ iteration, review, best }) =>
      told.push([iteration, review, best]),
    );
    const review = await pipeline.review('task', 'good');
    expect(review).toMatchObject({ iteration: 1, complete: true, decision: { kind: 'approve' } });
    expect(Object.isFrozen(review)).toBe(true);
    expect(told).toEqual([[1, review, true]]);
  });

  it('is shown to the policy as the only one and the best one', async () => {
    const seen: Parameters<Policy>[0][] = [];
    await pipelineOf({
      reviewers: judged,
      policy: (evidence) => {
        seen.push(evidence);
        return { kind: 'stop', status: 'escalated', code: 'mine', reason: 'enough' };
      },
    }).review('task', 'bad');
    expect(seen.at(-1)?.review.gaps).toMatchObject([{ lifecycle: 'new' }]);
  });

  it('approves nothing that has a dissenting judge', async () => {
    const review = await pipelineOf({
      reviewers: [...judged, failing('confirm:a', { tier: 'confirm' })],
      policy: () => ({ kind: 'approve', reason: 'fine' }),
    }).review('task', 'good');
    expect(review.decision.kind).not.toBe('approve');
  });

  it('begins nothing where its signal was aborted before, and names the cause', async () => {
    let asked = 0;
    const cause = new Error('closed');
    await expect(
      pipelineOf({
        judge: async () => {
          asked += 1;
          return [passed('a')];
        },
      }).review('task', 'x', { signal: AbortSignal.abort(cause) }),
    ).rejects.toMatchObject({ code: 'cancelled', cause });
    expect(asked).toBe(0);
  });

  it('ends with its signal while a judge works, and leaves neither timer nor listener', async () => {
    const begun = deferred<void>();
    const stop = new AbortController();
    const clock = fakeClock();
    const cause = new Error('closed');
    const signals: AbortSignal[] = [];
    const reviewing = pipelineOf({
      work: async (context) => {
        await context.check(z.boolean(), ({ signal }) => {
          signals.push(signal);
          begun.resolve();
          return never<boolean>();
        });
      },
      clock,
    }).review('task', 'x', { signal: stop.signal });
    const refused = expect(reviewing).rejects.toMatchObject({ code: 'cancelled', cause });
    await begun.promise;
    expect(clock.pending).toBeGreaterThan(0);
    stop.abort(cause);
    await refused;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(clock.pending).toBe(0);
  });

  it('leaves no timer and no listener when it is over', async () => {
    const clock = fakeClock();
    const { signal } = new AbortController();
    const listeners = listenersOf(signal);
    const during: number[] = [];
    await pipelineOf({
      work: async (context) => {
        await context.check(z.boolean(), async () => {
          during.push(listeners(), clock.pending);
          return true;
        });
      },
      timeouts: { reviewMs: 5000 },
      clock,
    }).review('task', 'x', { signal });
    expect(during.every((count) => count > 0)).toBe(true);
    expect([listeners(), clock.pending]).toEqual([0, 0]);
  });

  it('restores the files that its judges changed, also where one fails', async () => {
    for (const fails of [false, true]) {
      const workspace = fakeWorkspace({ 'a.txt': 'mine' });
      const review = await pipelineOf({
        judge: async () => {
          workspace.files.set('a.txt', 'theirs');
          if (fails) throw new Error('down');
          return [passed('a')];
        },
        workspace,
        retries: 0,
      }).review('task', 'x');
      expect(review.complete).toBe(!fails);
      expect([...workspace.files]).toEqual([['a.txt', 'mine']]);
    }
  });
});

describe('what a reviewer sees of its run', () => {
  it('is its id, the review, the earlier reviews and the best version, with a nonce for each', async () => {
    const seen: Pick<ReviewerContext, 'runId' | 'iteration' | 'previous' | 'best' | 'nonce'>[] = [];
    await pipelineOf({
      address: async (output) => `${output}!`,
      judge: async ({ output }, context) => {
        const { runId, iteration, previous, best, nonce } = context;
        seen.push({ runId, iteration, previous, best, nonce });
        return [output.endsWith('!') ? passed('sees') : failed('sees')];
      },
    }).run('task', { runId: 'r' });
    expect(seen).toMatchObject([
      { runId: 'r', iteration: 1, previous: [], best: undefined },
      {
        runId: 'r',
        iteration: 2,
        previous: [{ iteration: 1 }],
        best: { iteration: 1, output: 'x' },
      },
    ]);
    expect(seen[0]?.nonce).toMatch(/^[\da-f]{32}$/);
    expect(seen[1]?.nonce).not.toBe(seen[0]?.nonce);
  });

  it('is nothing of earlier reviews where its verdict may be reused', async () => {
    const seen: unknown[] = [];
    await pipelineOf({
      address: async (output) => `${output}!`,
      reviewers: [
        reviewer<string>(
          'scoped',
          async (subject, { previous, best }) => {
            seen.push([subject.output, subject.iteration, previous.length, best]);
            return [subject.output.endsWith('!') ? passed('scoped') : failed('scoped')];
          },
          { scope: ({ output }) => output },
        ),
      ],
    }).run('task');
    expect(seen).toEqual([
      ['x', 1, 0, undefined],
      ['x!', 1, 0, undefined],
    ]);
  });
});

it('what makes no sense is an error of the second reviewer that assesses a criterion', async () => {
  const review = await pipelineOf({
    reviewers: ['a', 'b'].map((id) => reviewer<string>(id, async () => [failed('same')])),
    retries: 0,
  }).review('task', 'x');
  expect(review.assessments).toMatchObject([
    { verdict: 'fail', criterion: 'same' },
    { verdict: 'errored', criterion: 'b/same', error: { code: 'duplicate_id' } },
  ]);
  expect(review.gaps).toHaveLength(1);
});

it('an output without content has one critical gap, and nobody is asked about it', async () => {
  const review = await pipelineOf({ criteria: { a: () => true } }).review('task', ' ');
  expect(review).toMatchObject({
    assessments: [{ verdict: 'fail', explanation: 'the output is empty' }, { verdict: 'skipped' }],
    gaps: [
      {
        severity: 'critical',
        category: 'incomplete',
        estimatedEffort: 'medium',
        autoFixable: true,
        id: expect.stringMatching(/./),
      },
    ],
  });
});

it('one review without a run cannot ask a person, and says so', async () => {
  const person = reviewer<string>('a', async (_subject, context) => {
    await context.ask('opinion', { question: 'good?', allowed: ['approve'], gaps: [] });
    return [passed('a')];
  });
  const review = await definePipeline<undefined, string>({
    reviewers: [person],
    retries: 0,
  }).review(undefined, 'x');
  expect(review).toMatchObject({
    decision: { kind: 'stop' },
    assessments: [{ verdict: 'errored', error: { code: 'ask_needs_run' } }],
  });
});

it('a review without a run makes the steps of its reviewers, each the first try', async () => {
  const attempts: number[] = [];
  const review = await pipelineOf({
    work: async (context) => {
      await context.step('one', { input: 0, schema: z.string() }, async ({ attempt }) => {
        attempts.push(attempt);
        return 'x';
      });
    },
  }).review('task', 'output');
  expect(review.decision).toMatchObject({ kind: 'approve' });
  expect(attempts).toEqual([1]);
});
