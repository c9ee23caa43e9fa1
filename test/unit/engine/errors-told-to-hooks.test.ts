import { describe, expect, it } from 'vitest';
import { definePipeline } from '../../../src/index.js';
import { passed, reviewer } from './support.js';

describe('the hook `around`', () => {
  it('is told what its work threw', async () => {
    const told: unknown[] = [];
    const thrown = new Error('no ink');
    await definePipeline<string, string>({
      produce: () => Promise.reject(thrown),
      reviewers: [reviewer('judge', async () => [passed('judge')])],
      around: async (span, next) => {
        await next().catch((error: unknown) => {
          if (span.kind === 'produce') told.push(error);
        });
      },
    }).run('task');
    expect(told).toEqual([thrown]);
  });
});
