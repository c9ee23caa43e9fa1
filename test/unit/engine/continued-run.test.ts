import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  definePipeline,
  type HumanRequest,
  memoryStore,
  type PipelineOptions,
  ReviewLoopError,
  type Store,
} from '../../../src/index.js';
import type { JournalRecord } from '../../../src/ports/store.js';
import { settle } from '../../../src/testing/index.js';
import { deferred, never, passed, reviewer, suspended } from './support.js';

const text = z.string();

/** A pipeline whose second reviewer asks a person, and then makes a step. */
function asking(more: Partial<PipelineOptions<string, string>> = {}) {
  const made: string[] = [];
  const pipeline = definePipeline<string, string>({
    produce: async () => 'v1',
    store: memoryStore(),
    reviewers: [
      reviewer('asks', async (_, context) => {
        await context.ask('go', { question: 'go?', allowed: ['approve', 'reject'], gaps: [] });
        await context.step('call', { input: 0, schema: text }, async () => {
          made.push('call');
          return 'x';
        });
        return [passed('asks')];
      }),
    ],
    ...more,
  });
  return { made, pipeline };
}

const yes = { kind: 'approve', by: 'ann' } as const;

describe('a run that a person continues', () => {
  it('records the steps after the answer, and does not make them again', async () => {
    const { made, pipeline } = asking();
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    expect(await pipeline.answer(requests[0], yes)).toMatchObject({ status: 'approved' });
    expect(await pipeline.run('task', { runId: 'r' })).toMatchObject({ status: 'approved' });
    expect(made).toEqual(['call']);
  });

  it('shows its policy and its caller what they cannot change', async () => {
    const frozen: boolean[] = [];
    const { pipeline } = asking({
      policy: (evidence) => {
        frozen.push(Object.isFrozen(evidence), Object.isFrozen(evidence.spent));
        return { kind: 'approve', reason: 'fine' };
      },
    });
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    const outcome = await pipeline.answer(requests[0], yes);
    expect(frozen).toEqual([true, true]);
    expect([outcome, outcome.reviews, outcome.reviews[0]].map(Object.isFrozen)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('marks events as replayed up to the answer, which is news', async () => {
    const { pipeline } = asking();
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    const heard: string[] = [];
    const hear =
      (name: string) =>
      ({ replayed }: { readonly replayed?: true }): void => {
        heard.push(replayed ? `${name} (replayed)` : name);
      };
    const on = { 'reviewer-start': hear('start'), 'reviewer-end': hear('end') };
    await pipeline.answer(requests[0], yes, { on });
    expect(heard).toEqual(['start (replayed)', 'end']);
  });

  it('marks a question that still waits as replayed, and no answer as news twice', async () => {
    const pipeline = definePipeline<string, string>({
      produce: async () => 'v1',
      store: memoryStore(),
      reviewers: [
        reviewer('two', async (_, context) => {
          const ask = { question: '?', allowed: ['approve', 'reject'] as const, gaps: [] };
          await context.ask('one', { ...ask, allowed: [...ask.allowed] });
          await context.ask('two', { ...ask, allowed: [...ask.allowed] });
          return [passed('two')];
        }),
      ],
    });
    const first = suspended(await pipeline.run('task', { runId: 'r' }));
    suspended(await pipeline.answer(first.requests[0], yes));
    const replayed: (true | undefined)[] = [];
    const on = { 'human-request': (event: { replayed?: true }) => replayed.push(event.replayed) };
    suspended(await pipeline.run('task', { runId: 'r', on }));
    expect(replayed).toEqual([true]);
  });

  it('is unknown where the store has no run, which is not created', async () => {
    const opened: string[] = [];
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      open: (runId, keep) => {
        opened.push(runId);
        return inner.open(runId, keep);
      },
    };
    const { pipeline } = asking({ store });
    const reference = { runId: 'nowhere', id: 'a', digest: 'b' };
    for (const call of [
      pipeline.answer(reference, yes),
      pipeline.override(reference, { by: 'ann', reason: 'x' }),
    ])
      await expect(call).rejects.toMatchObject({ code: 'run_unknown' });
    expect(opened).toEqual([]);
  });

  it('is unknown where the record has lost its beginning', async () => {
    const lost: JournalRecord = { type: 'end', status: 'stalled', code: 'stalled', at: 0 };
    const store: Store = {
      ...memoryStore(),
      read: async () => [lost],
      open: async () => ({ records: [lost], append: () => undefined, close: () => undefined }),
    };
    const { pipeline } = asking({ store });
    await expect(pipeline.answer({ runId: 'r', id: 'a', digest: 'b' }, yes)).rejects.toMatchObject({
      code: 'run_unknown',
    });
  });
});

describe('a question', () => {
  it('has a short id, which another name, version or run changes', async () => {
    const ids: string[] = [];
    for (const [runId, output, name] of [
      ['r', 'v1', 'go'],
      ['r', 'v1', 'stop'],
      ['r', 'v2', 'go'],
      ['s', 'v1', 'go'],
    ] as const) {
      const pipeline = definePipeline<string, string>({
        produce: async () => output,
        reviewers: [
          reviewer('asks', async (_, context) => {
            await context.ask(name, { question: '?', allowed: ['approve'], gaps: [] });
            return [passed('asks')];
          }),
        ],
      });
      ids.push(suspended(await pipeline.run('task', { runId })).requests[0].id);
    }
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{16}$/);
  });

  it('is shown to whoever is notified, who cannot change it', async () => {
    const shown: HumanRequest[] = [];
    const { pipeline } = asking({
      human: {
        policy: 'require',
        notify: async (request) => {
          shown.push(request);
        },
      },
    });
    await pipeline.run('task', { runId: 'r' });
    expect(shown.map((request) => [request, request.allowed].map(Object.isFrozen))).toEqual([
      [true, true],
    ]);
  });

  it('names what is open where an approval would be an override', async () => {
    const approveFor = async (gaps: number): Promise<unknown> => {
      const pipeline = definePipeline<string, string>({
        produce: async () => 'v1',
        criteria: Object.fromEntries(
          Array.from({ length: gaps }, (_, index) => [`c${index}`, () => 'no']),
        ),
        reviewers: [reviewer('errs', async () => Promise.reject(new Error('down')))],
        policy: () => ({ kind: 'ask', reason: 'r', question: '?', allowed: ['approve'] }),
        retries: 0,
      });
      const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
      return pipeline.answer(requests[0], yes).catch(({ what }: ReviewLoopError) => what);
    };
    expect(await approveFor(2)).toContain('has 2 open gaps');
    expect(await approveFor(1)).toContain('has 1 open gap');
    expect(await approveFor(0)).toMatch(/^reviewers did not approve version/);
  });

  it('that a person skips or overrides ends the run with a code of its own', async () => {
    const end = async (answer: { kind: 'skip' | 'override'; by: string; reason: string }) => {
      const pipeline = definePipeline<string, string>({
        produce: async () => 'v1',
        criteria: { a: () => 'no' },
        policy: () => ({ kind: 'ask', reason: 'r', question: '?', allowed: ['skip', 'override'] }),
      });
      const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
      return pipeline.answer(requests[0], answer);
    };
    expect(await end({ kind: 'skip', by: 'ann', reason: 'later' })).toMatchObject({
      code: 'person_skipped',
      reason: 'skip by ann: later',
    });
    expect(await end({ kind: 'override', by: 'ann', reason: 'demo' })).toMatchObject({
      code: 'person_overrode',
      reason: 'override by ann: demo',
    });
  });

  it('that is answered wrongly hands back the answer and what is wrong with it', async () => {
    const { pipeline } = asking();
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    const given = { kind: 'approve', by: '' } as const;
    await expect(pipeline.answer(requests[0], given)).rejects.toMatchObject({
      code: 'answer_invalid',
      value: given,
      cause: expect.objectContaining({ issues: expect.any(Array) }),
    });
  });
});

describe('the signal of a reviewer', () => {
  it('is aborted when the run ends, also where it is read later', async () => {
    const controller = new AbortController();
    const free = deferred<void>();
    const seen: AbortSignal[] = [];
    const early = deferred<void>();
    const pending = definePipeline<string, string>({
      produce: async () => 'v1',
      reviewers: [
        reviewer('reads', (_, { signal }) => {
          seen.push(signal);
          early.resolve();
          return never();
        }),
        reviewer('reads late', async (_, context) => {
          await free.promise;
          seen.push(context.signal);
          return [passed('reads late')];
        }),
      ],
    }).run('task', { signal: controller.signal });
    await early.promise;
    expect(seen[0]?.aborted).toBe(false);
    controller.abort();
    expect(await pending).toMatchObject({ status: 'cancelled' });
    free.resolve();
    await settle();
    expect(seen[0]).toMatchObject({ aborted: true, reason: { code: 'cancelled' } });
    expect(seen[1]).toBe(seen[0]);
  });

  it('is aborted from the start where nobody read it before the end', async () => {
    const controller = new AbortController();
    const free = deferred<void>();
    const begun = deferred<void>();
    const seen: AbortSignal[] = [];
    const pending = definePipeline<string, string>({
      produce: async () => 'v1',
      reviewers: [
        reviewer('late', async (_, context) => {
          begun.resolve();
          await free.promise;
          seen.push(context.signal);
          return [passed('late')];
        }),
      ],
    }).run('task', { signal: controller.signal });
    await begun.promise;
    controller.abort();
    await pending;
    free.resolve();
    await settle();
    expect(seen[0]).toMatchObject({ aborted: true, reason: { code: 'cancelled' } });
  });
});

describe('a store that loses its lock while a call is out', () => {
  it('ends the run with its error, and aborts the call', async () => {
    let lose: (error: ReviewLoopError) => void = () => {};
    const out = deferred<void>();
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      open: async () => ({
        records: [],
        append: () => undefined,
        close: () => undefined,
        onLost: (callback) => {
          lose = callback;
        },
      }),
    };
    let told: unknown;
    const pending = definePipeline<string, string>({
      store,
      produce: (_, { signal }) => {
        signal.addEventListener('abort', () => {
          told = signal.reason;
        });
        out.resolve();
        return never<string>();
      },
      criteria: { a: () => true },
    }).run('task', { runId: 'r' });
    await out.promise;
    lose(new ReviewLoopError('journal_write_failed', 'lost'));
    expect(await pending).toMatchObject({ status: 'failed', code: 'journal_write_failed' });
    expect(told).toMatchObject({ code: 'journal_write_failed' });
  });
});
