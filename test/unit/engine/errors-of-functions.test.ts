import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline, type PipelineOptions, ReviewLoopError } from '../../../src/index.js';

const options: Partial<PipelineOptions<string, string>> = {
  produce: async () => 'draft',
  criteria: { a: (text) => text === 'better' || 'no' },
  output: z.string(),
};

const thrown = new Error('no ink');
const refused = new ReviewLoopError('budget_exceeded', 'a limit of the caller');

describe.each(['produce', 'address'] as const)('%s', (what) => {
  const run = (work: () => unknown) =>
    definePipeline<string, string>({
      ...options,
      [what]: async () => work(),
    }).run('task');
  const throws = (error: unknown) =>
    run(() => {
      throw error;
    });

  it('that throws makes the run fail, with what it threw as the cause', async () => {
    expect(await throws(thrown)).toMatchObject({
      status: 'failed',
      code: `${what}_failed`,
      error: { cause: thrown, message: expect.stringMatching(`^${what} .*no ink`) },
    });
    expect(await throws('just words')).toMatchObject({
      code: `${what}_failed`,
      error: { cause: 'just words', message: expect.stringContaining('just words') },
    });
  });

  it('that throws an error of this library keeps its code', async () => {
    expect(await throws(refused)).toMatchObject({
      status: 'failed',
      code: 'budget_exceeded',
      error: refused,
    });
  });

  it('that returns what the schema refuses is told apart, with the value', async () => {
    expect(await run(() => 5)).toMatchObject({
      status: 'failed',
      code: `${what}_invalid`,
      error: { value: 5, cause: { code: 'step_invalid' } },
    });
  });

  it('that returns what is not JSON is told apart too', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const outcome = await definePipeline<string, unknown>({
      produce: async (_, _context) => 'draft',
      criteria: { a: () => 'no' },
      [what]: async (..._given: readonly unknown[]) => circular,
      human: { policy: 'require' },
    }).run('task', { runId: 'r' });
    expect(outcome).toMatchObject({
      status: 'failed',
      code: `${what}_invalid`,
      error: { cause: { code: 'not_json' } },
    });
  });
});
