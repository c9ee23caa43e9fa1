import { beforeAll, describe, expect, it } from 'vitest';
import { definePipeline, memoryStore, type VerdictStore } from '../../../src/index.js';
import { settle } from '../../../src/testing/index.js';
import { deferred, loadEngine, passed, reviewer, suspended } from './support.js';

beforeAll(loadEngine);

describe('a judge that asks a person', () => {
  it('waits for the verdict of another judge that is still read', async () => {
    const asked = deferred<void>();
    const found = deferred<undefined>();
    const kept: string[] = [];
    const verdicts: VerdictStore = {
      get: async () => {
        await asked.promise;
        return found.promise;
      },
      put: async (_key, { about }) => void kept.push(about.reviewer),
    };
    const asking = reviewer<string>(
      'asking',
      async (_, context) => {
        const answer = context.ask('ok', { question: 'ok?', allowed: ['approve'], gaps: [] });
        setImmediate(asked.resolve);
        await answer;
        return [passed('asking')];
      },
      { reuse: 'run' },
    );
    const pipeline = definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [asking, reviewer('reading', async () => [passed('reading')])],
      verdicts,
      store: memoryStore(),
    });
    const running = pipeline.run('task', { runId: 'r' });
    let isOver = false;
    void running.then(() => {
      isOver = true;
    });
    await asked.promise;
    await settle();
    expect(isOver).toBe(false);
    found.resolve(undefined);
    expect(suspended(await running).requests).toMatchObject([{ question: 'ok?' }]);
    expect(kept).toEqual(['reading']);
  });
});
