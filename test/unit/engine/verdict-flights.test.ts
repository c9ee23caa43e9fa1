import { describe, expect, it } from 'vitest';
import { definePipeline, memoryVerdicts, type Reviewer } from '../../../src/index.js';
import { passed, reviewer } from './support.js';

/** Returns a function that runs with this judge, and with the verdicts of earlier runs. */
const verdictsOf = (judge: Reviewer<unknown, string>) => {
  const verdicts = memoryVerdicts();
  return () =>
    definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [judge],
      retries: 0,
      verdicts,
    }).run('task');
};

describe('runs that need the same verdict', () => {
  it('ask once at a time, also after a run whose judge failed', async () => {
    let asked = 0;
    const judge = reviewer<string>('judge', async () => {
      asked += 1;
      if (asked === 1) throw new Error('down');
      return [passed('judge')];
    });
    const run = verdictsOf(judge);
    expect((await run()).status).toBe('inconclusive');
    const both = await Promise.all([run(), run(), run()]);
    expect(both.map(({ status }) => status)).toEqual(['approved', 'approved', 'approved']);
    expect(asked).toBe(2);
  });
});
