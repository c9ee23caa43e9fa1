import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline, type Policy, type Review } from '../../../src/index.js';
import { fakeClock, fakeWorkspace } from '../../../src/testing/index.js';
import { deferred, failed, never, passed, reviewer } from './support.js';

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
    await definePipeline<string, string>({
      reviewers: judged,
      policy: (evidence) => {
        seen.push(evidence);
        return { kind: 'stop', status: 'escalated', code: 'mine', reason: 'enough' };
      },
    }).review('task', 'bad');
    expect(seen.at(-1)?.review.gaps).toMatchObject([{ lifecycle: 'new' }]);
  });

  it('approves nothing that has a dissenting judge', async () => {
    const review = await definePipeline<string, string>({
      reviewers: [
        ...judged,
        reviewer('confirm:a', async () => [failed('confirm:a')], { tier: 'confirm' }),
      ],
      policy: () => ({ kind: 'approve', reason: 'fine' }),
    }).review('task', 'good');
    expect(review.decision.kind).not.toBe('approve');
  });

  it('begins nothing where its signal was aborted before, and names the cause', async () => {
    let asked = 0;
    const cause = new Error('closed');
    await expect(
      definePipeline<string, string>({
        reviewers: [
          reviewer('a', async () => {
            asked += 1;
            return [passed('a')];
          }),
        ],
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
    const reviewing = definePipeline<string, string>({
      reviewers: [
        reviewer('a', async (_, context) => {
          await context.check(z.boolean(), ({ signal }) => {
            signals.push(signal);
            begun.resolve();
            return never<boolean>();
          });
          return [passed('a')];
        }),
      ],
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
    let listeners = 0;
    const stop = new AbortController();
    const { signal } = stop;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners += 1;
      add(...given);
    };
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...given);
    };
    const during: number[] = [];
    await definePipeline<string, string>({
      reviewers: [
        reviewer('a', async (_, context) => {
          await context.check(z.boolean(), async () => {
            during.push(listeners, clock.pending);
            return true;
          });
          return [passed('a')];
        }),
      ],
      timeouts: { reviewMs: 5000 },
      clock,
    }).review('task', 'x', { signal });
    expect(during.every((count) => count > 0)).toBe(true);
    expect([listeners, clock.pending]).toEqual([0, 0]);
  });

  it('restores the files that its judges changed, also where one fails', async () => {
    for (const fails of [false, true]) {
      const workspace = fakeWorkspace({ 'a.txt': 'mine' });
      const review = await definePipeline<string, string>({
        reviewers: [
          reviewer('a', async () => {
            workspace.files.set('a.txt', 'theirs');
            if (fails) throw new Error('down');
            return [passed('a')];
          }),
        ],
        workspace,
        retries: 0,
      }).review('task', 'x');
      expect(review.complete).toBe(!fails);
      expect([...workspace.files]).toEqual([['a.txt', 'mine']]);
    }
  });
});

describe('the output that is reviewed', () => {
  const pipeline = () => {
    const seen: unknown[] = [];
    const made = definePipeline<string, { readonly text: string; readonly size?: number }>({
      output: z.object({ text: z.string(), size: z.number().default(3) }),
      reviewers: [
        reviewer('a', async ({ output }) => {
          seen.push(output);
          return [passed('a')];
        }),
      ],
    });
    return { seen, made };
  };

  it('is parsed by the schema of the pipeline, as an output that is produced', async () => {
    const { seen, made } = pipeline();
    const given = { text: 'x' };
    const review: Review = await made.review('task', given);
    expect(review.decision.kind).toBe('approve');
    expect(seen).toEqual([{ text: 'x', size: 3 }]);
    expect(given).toEqual({ text: 'x' });
  });

  it('is refused where the schema or JSON does', async () => {
    const { seen, made } = pipeline();
    await expect(made.review('task', { text: 5 } as never)).rejects.toMatchObject({
      code: 'output_invalid',
    });
    await expect(made.review('task', { text: 'x', size: 1n } as never)).rejects.toMatchObject({
      code: 'not_json',
    });
    expect(seen).toEqual([]);
  });
});
