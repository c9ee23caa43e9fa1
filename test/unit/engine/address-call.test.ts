import { describe, expect, it } from 'vitest';
import { definePipeline, memoryStore } from '../../../src/index.js';
import { failed, passed, reviewer, suspended } from './support.js';

/** A pipeline that waits for a person once a judge of this version finds nothing wrong. */
function mending(version: string, criteria: readonly string[], store = memoryStore()) {
  const addressed: string[] = [];
  const pipeline = definePipeline<string, string>({
    produce: async () => 'tea',
    address: async (output, gaps) => {
      const names = gaps.map(({ criterionId }) => criterionId).join(' ');
      addressed.push(names);
      return `${output} ${names}`;
    },
    reviewers: [
      reviewer<string>(
        'judge',
        async ({ output }) =>
          criteria.map((criterion) =>
            output.includes(criterion) ? passed(criterion) : failed(criterion, `no ${criterion}`),
          ),
        { version },
      ),
    ],
    human: { policy: 'require' },
    store,
  });
  const gaps: number[] = [];
  pipeline.on('address-start', (event) => void gaps.push(event.gaps));
  return { addressed, gaps, pipeline, store };
}

describe('the work of `address`', () => {
  it('is announced with the number of its gaps', async () => {
    const { gaps, pipeline } = mending('1', ['milk', 'sugar']);
    await pipeline.run('task');
    expect(gaps).toEqual([2]);
  });

  it('is done once in a run that is continued, and again for other gaps', async () => {
    const { addressed, pipeline, store } = mending('1', ['milk']);
    expect(suspended(await pipeline.run('task', { runId: 'r' })).output).toBe('tea milk');
    expect(suspended(await pipeline.run('task', { runId: 'r' })).output).toBe('tea milk');
    expect(addressed).toEqual(['milk']);
    const other = mending('2', ['sugar'], store);
    const changed = suspended(await other.pipeline.run('task', { runId: 'r' }));
    expect(changed).toMatchObject({ output: 'tea sugar', reviews: [{}, {}] });
    expect(other.addressed).toEqual(['sugar']);
  });
});
