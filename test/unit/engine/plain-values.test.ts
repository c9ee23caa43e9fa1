import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  definePipeline,
  memoryVerdicts,
  type ReviewerContext,
  type VerdictStore,
} from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { passed, reviewer } from './support.js';

describe('what is returned at once', () => {
  it('is the output though it has a member `then` that is no function', async () => {
    const output: { readonly then: string } = JSON.parse('{ "then": "drink it" }');
    const outcome = await definePipeline<string, { readonly then: string }>({
      produce: () => output as never,
      criteria: { fine: (made) => made.then === 'drink it' },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'approved', output });
  });

  it.each([
    [null, z.null()],
    ['words', z.string()],
    [JSON.parse('{ "then": 5 }'), z.record(z.string(), z.number())],
  ] as const)('is the value of a check: %j', async (value, schema) => {
    const got: unknown[] = [];
    const check = async (context: ReviewerContext) =>
      got.push(await context.check(schema as z.ZodType<unknown>, () => value));
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        reviewer('r', async (_, context) => {
          await check(context);
          return [passed('r')];
        }),
      ],
    }).run('task');
    expect(outcome.status).toBe('approved');
    expect(got).toEqual([value]);
  });
});

describe('the verdict that is kept for later runs', () => {
  it('has what it depends on, what was said, its usage and its time, and cannot be changed', async () => {
    const kept: Parameters<VerdictStore['put']>[] = [];
    const inner = memoryVerdicts();
    const verdicts: VerdictStore = {
      ...inner,
      put: async (key, verdict) => {
        kept.push([key, verdict]);
        await inner.put(key, verdict);
      },
    };
    const ask = () =>
      definePipeline<string, string>({
        produce: async () => 'x',
        reviewers: [
          reviewer<string>(
            'r',
            async (_, context) => {
              await context.step('ask', { input: 0, schema: z.string() }, async () => {
                context.reportUsage({ totalTokens: 7 });
                return 'yes';
              });
              return [passed('r')];
            },
            { version: '4' },
          ),
        ],
        verdicts,
        clock: fakeClock(5000),
      }).run('task');
    const first = await ask();
    expect(kept).toHaveLength(1);
    const [[key, verdict] = []] = kept;
    expect(verdict).toEqual({
      schema: 1,
      about: {
        reviewer: 'r',
        version: '4',
        task: expect.stringMatching(/^[0-9a-f]{64}$/),
        view: first.version,
      },
      assessments: [passed('r')],
      usage: { totalTokens: 7 },
      at: 5000,
    });
    expect(Object.isFrozen(verdict?.assessments)).toBe(true);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    const second = await ask();
    expect(second.review).toMatchObject({
      assessments: [passed('r')],
      reused: { verdicts: 1, saved: { totalTokens: 7 } },
    });
    expect(second.usage.review).toEqual({});
    expect(kept).toHaveLength(1);
  });

  it('is none of a reviewer that judged nothing, which is no reason for a warning', async () => {
    const warned: unknown[] = [];
    const kept: string[] = [];
    await definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        reviewer('r', async (_, context) => {
          await context.step('ask', { input: 0, schema: z.string() }, async () => 'no');
          return [{ verdict: 'skipped', criterion: 'r', reason: 'does not apply' }];
        }),
      ],
      verdicts: { ...memoryVerdicts(), put: async (key) => void kept.push(key) },
      logger: { debug() {}, info() {}, error() {}, warn: (fields) => warned.push(fields) },
    }).run('task');
    expect([kept, warned]).toEqual([[], []]);
  });
});
