import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type AddressContext,
  definePipeline,
  type FixContext,
  type ProduceContext,
} from '../../../src/index.js';
import type { StepAttempt } from '../../../src/ports/index.js';
import { criterion } from '../../../src/reviewers/criterion.js';

/** Two revisions by `address`, with every context that a function of a user was given. */
async function contextsOf() {
  const seen = {
    produce: [] as ProduceContext[],
    step: [] as StepAttempt[],
    fix: [] as FixContext[],
    address: [] as AddressContext<string>[],
  };
  const outcome = await definePipeline<string, string>({
    produce: async (_, context) => {
      seen.produce.push(context);
      return '0';
    },
    address: async (output, _, context) => {
      seen.address.push(context);
      return `${Number(output) + 1}`;
    },
    reviewers: [
      criterion(
        'high',
        (output: string) => ({
          passed: output === '2',
          score: Number(output) / 2,
          details: 'too low',
        }),
        {
          fix: (output, _, context) => {
            seen.fix.push(context);
            return output;
          },
        },
      ),
      {
        ...{ id: 'stepping', version: '1', tier: 'code' },
        review: async (_, context) => {
          await context.step('s', { input: 1, schema: z.number() }, async (attempt) => {
            seen.step.push(attempt);
            return 1;
          });
          return [{ verdict: 'pass', criterion: 'stepping', score: 1, explanation: '', gaps: [] }];
        },
      },
    ],
  }).run('task');
  expect(outcome.approved).toBe(true);
  return seen;
}

describe('what functions of users are given', () => {
  it('has the signal as a member of its own, so that a copy has it, and it is always the same', async () => {
    const { produce, step, fix, address } = await contextsOf();
    const given = [...produce, ...step, ...fix, ...address];
    expect([produce, step, fix, address].map(({ length }) => length)).toEqual([1, 3, 2, 2]);
    for (const context of given) {
      const copy = { ...context };
      expect(copy.signal).toBeInstanceOf(AbortSignal);
      expect(copy.signal).toBe(context.signal);
    }
    expect(new Set(given.map(({ signal }) => signal)).size).toBe(given.length);
  });

  it('shares one getter: one for each object would keep alive, as its hidden class, all that it can see', async () => {
    const { produce, step, fix, address } = await contextsOf();
    const getters = (member: 'signal' | 'prompt', contexts: readonly object[]) =>
      new Set(contexts.map((context) => Object.getOwnPropertyDescriptor(context, member)?.get));
    expect(getters('signal', [...produce, ...step, ...fix, ...address]).size).toBe(1);
    expect(getters('prompt', address).size).toBe(1);
  });

  it('has a prompt to ask a model for the improvements, which a copy has too', async () => {
    const [context] = (await contextsOf()).address;
    const { prompt } = { ...context };
    expect(prompt).toContain('too low');
    expect(context?.prompt).toBe(prompt);
  });
});
