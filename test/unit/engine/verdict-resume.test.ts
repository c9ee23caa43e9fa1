import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type Assessment,
  definePipeline,
  memoryStore,
  memoryVerdicts,
  type PipelineOptions,
  type VerdictStore,
} from '../../../src/index.js';
import type { StoredVerdict } from '../../../src/ports/index.js';
import { failed, passed, reviewer, suspended } from './support.js';

/** A judge that keeps what it answers in a step, and counts how often it really does. */
function paid(answers: readonly boolean[], version = '1') {
  const asked: string[] = [];
  const judge = reviewer<string>(
    'judge',
    async ({ output }, context) => {
      const found = await context.check(schema, async () => {
        asked.push(output);
        const answer = answers[Math.min(asked.length, answers.length) - 1];
        if (answer === undefined) throw new Error('down');
        return { passed: answer };
      });
      return [found.passed ? passed('judge') : failed('judge')];
    },
    { version },
  );
  return { judge, asked };
}
const schema = z.object({ passed: z.boolean() });

/** A store of verdicts whose content the test decides. */
function open() {
  const held = new Map<string, StoredVerdict>();
  const store: VerdictStore = {
    get: async (key) => held.get(key),
    put: async (key, verdict) => void held.set(key, verdict),
  };
  return { held, store };
}

const pipeline = (more: Partial<PipelineOptions<string, string>>) =>
  definePipeline<string, string>({
    produce: async () => 'x',
    human: { policy: 'require' },
    retries: 0,
    ...more,
  });

describe('a run that is resumed', () => {
  it('takes the verdict again that it took from the store, also when the store has lost it', async () => {
    const { held, store: verdicts } = open();
    const store = memoryStore();
    const { judge, asked } = paid([true]);
    await pipeline({ reviewers: [judge], verdicts }).run('task');
    const before = suspended(
      await pipeline({ reviewers: [judge], verdicts, store }).run('task', { runId: 'r' }),
    );
    expect(before.reviews[0]?.reused?.verdicts).toBe(1);
    held.clear();
    const after = await pipeline({ reviewers: [judge], verdicts, store }).answer(
      before.requests[0],
      { kind: 'approve', by: 'ann' },
    );
    expect(after).toMatchObject({ status: 'approved', code: 'person_approved' });
    expect(after.reviews[0]).toEqual({
      ...before.reviews[0],
      at: expect.any(String),
      durationMs: expect.any(Number),
    });
    expect(asked).toEqual(['x']);
    const steps = (await store.read('r'))?.flatMap((record) =>
      record.type === 'step' ? [record.name] : [],
    );
    expect(steps).toEqual(['produce', 'iter:1/verdict:judge']);
  });

  it('takes it again also when the store meanwhile says something else', async () => {
    const { held, store: verdicts } = open();
    const store = memoryStore();
    const { judge } = paid([true]);
    await pipeline({ reviewers: [judge], verdicts }).run('task');
    const before = suspended(
      await pipeline({ reviewers: [judge], verdicts, store }).run('task', { runId: 'r' }),
    );
    for (const [key, verdict] of held)
      held.set(key, {
        ...verdict,
        assessments: [failed('judge') as Extract<Assessment, { verdict: 'fail' }>],
      });
    expect(
      await pipeline({ reviewers: [judge], verdicts, store }).answer(before.requests[0], {
        kind: 'approve',
        by: 'ann',
      }),
    ).toMatchObject({ status: 'approved' });
  });

  it('replays the answer that it paid for itself, whatever other runs have been told since', async () => {
    const { held, store: verdicts } = open();
    const store = memoryStore();
    const { judge, asked } = paid([true]);
    const before = suspended(
      await pipeline({ reviewers: [judge], verdicts, store }).run('task', { runId: 'r' }),
    );
    expect(held.size).toBe(1);
    for (const [key, verdict] of held)
      held.set(key, {
        ...verdict,
        assessments: [failed('judge') as Extract<Assessment, { verdict: 'fail' }>],
      });
    const after = await pipeline({ reviewers: [judge], verdicts, store }).answer(
      before.requests[0],
      { kind: 'approve', by: 'ann' },
    );
    expect(after).toMatchObject({ status: 'approved' });
    expect(after.reviews[0]?.reused).toBeUndefined();
    expect(asked).toEqual(['x']);
  });

  it.each([
    ['with a store of verdicts', true],
    ['without one', false],
  ])(
    '%s: a changed prompt, model or rule is judged again, an unchanged one is replayed, a failure is not',
    async (_, kept) => {
      const verdicts = kept ? { verdicts: memoryVerdicts() } : {};
      const store = memoryStore();
      const same = paid([true]);
      const changing = paid([false], 'prompt 1');
      const flaky = paid([]);
      const named = (id: string, { judge }: ReturnType<typeof paid>) => ({
        ...judge,
        id,
        review: async (...given: Parameters<typeof judge.review>) =>
          ((await judge.review(...given)) as readonly Assessment[]).map((each) => ({
            ...each,
            criterion: id,
          })),
      });
      const reviewers = (changed: ReturnType<typeof paid>, down: ReturnType<typeof paid>) => [
        named('same', same),
        named('changing', changed),
        named('flaky', down),
      ];
      expect(
        (
          await pipeline({ reviewers: reviewers(changing, flaky), store, ...verdicts }).run(
            'task',
            { runId: 'r' },
          )
        ).status,
      ).toBe('inconclusive');
      const changed = paid([true], 'prompt 2');
      const up = paid([true]);
      expect(
        (
          await pipeline({ reviewers: reviewers(changed, up), store, ...verdicts }).run('task', {
            runId: 'r',
          })
        ).status,
      ).toBe('suspended');
      expect([same, changing, flaky, changed, up].map(({ asked }) => asked.length)).toEqual([
        1, 1, 1, 1, 1,
      ]);
    },
  );
});
