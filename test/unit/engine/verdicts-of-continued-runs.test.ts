import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline, memoryStore, memoryVerdicts } from '../../../src/index.js';
import { passed, reviewer, suspended } from './support.js';

describe('the verdict of a judge whose call of a model was replayed', () => {
  it('is kept for later runs, also where the judge computes something beside', async () => {
    const verdicts = memoryVerdicts();
    const store = memoryStore();
    let calls = 0;
    const judge = reviewer<string>('judge', async (_, context) => {
      await context.check(
        z.boolean(),
        async () => {
          calls += 1;
          return true;
        },
        'model',
      );
      await context.check(z.boolean(), () => true, 'rule');
      return [passed('judge')];
    });
    const base = { produce: async () => 'x', reviewers: [judge], store };
    const human = { policy: 'require' } as const;
    const first = definePipeline<string, string>({ ...base, human });
    const [request] = suspended(await first.run('task', { runId: 'r' })).requests;
    const answer = { kind: 'approve', by: 'Ann' } as const;
    await definePipeline<string, string>({ ...base, human, verdicts }).answer(request, answer);
    const later = await definePipeline<string, string>({ ...base, verdicts }).run('task');
    expect(later.review?.reused).toMatchObject({ verdicts: 1 });
    expect(calls).toBe(1);
  });
});
