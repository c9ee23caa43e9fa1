import { describe, expect, it } from 'vitest';
import { definePipeline, limiter, type Reviewer } from '../../../src/index.js';
import { passed } from './support.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Reviewers that note when they begin and end. */
function noting(log: string[]) {
  return (
    id: string,
    after?: readonly string[],
    more: Partial<Reviewer<string, string>> = {},
  ): Reviewer<string, string> => ({
    ...{ id, version: '1', tier: 'code', ...(after && { after }) },
    review: async () => {
      log.push(`${id}+`);
      for (let turns = 0; turns < 3; turns += 1) await turn();
      log.push(`${id}-`);
      return [passed(id)];
    },
    ...more,
  });
}

const run = (reviewers: readonly Reviewer<string, string>[]) =>
  definePipeline<string, string>({
    produce: async () => 'x',
    reviewers,
    retries: 0,
    limiter: limiter({ concurrency: 8 }),
  }).run('t');

describe('`after` of a reviewer', () => {
  it('begins once all that it names have answered; the others begin at once', async () => {
    const log: string[] = [];
    const reviewer = noting(log);
    expect(
      (await run([reviewer('a'), reviewer('b'), reviewer('c', ['a', 'b']), reviewer('d')]))
        .approved,
    ).toBe(true);
    expect(log.slice(0, 3)).toEqual(['a+', 'b+', 'd+']);
    expect(log.indexOf('c+')).toBeGreaterThan(Math.max(log.indexOf('a-'), log.indexOf('b-')));
  });

  it('a chain goes one by one, and the answers stand in their order', async () => {
    const log: string[] = [];
    const reviewer = noting(log);
    const { reviews } = await run([reviewer('a'), reviewer('b', ['a']), reviewer('c', ['b'])]);
    expect(log).toEqual(['a+', 'a-', 'b+', 'b-', 'c+', 'c-']);
    expect(reviews[0]?.assessments.map(({ criterion }) => criterion)).toEqual(['a', 'b', 'c']);
  });

  it('one that fails has answered too: nobody waits for it for ever', async () => {
    const log: string[] = [];
    const reviewer = noting(log);
    const { status } = await run([
      reviewer('a', undefined, { review: () => Promise.reject(new Error('down')) }),
      reviewer('b', ['a']),
    ]);
    expect({ status, log }).toEqual({ status: 'inconclusive', log: ['b+', 'b-'] });
  });

  it('costs those nothing that wait for nobody: what is read of each does not grow with their number', async () => {
    const readsOfEach = async (count: number): Promise<number> => {
      let reads = 0;
      const counted = (id: string): Reviewer<string, string> =>
        Object.defineProperty(noting([])(id), 'id', {
          get: () => {
            reads += 1;
            return id;
          },
        });
      const pipeline = definePipeline<string, string>({
        produce: async () => 'x',
        reviewers: Array.from({ length: count }, (_, index) => counted(`r${index}`)),
      });
      reads = 0;
      expect((await pipeline.run('t')).approved).toBe(true);
      return reads / count;
    };
    expect(await readsOfEach(40)).toBe(await readsOfEach(10));
  });

  it('names reviewers that come earlier and are of the same stage', () => {
    const reviewer = noting([]);
    const build =
      (...reviewers: Reviewer<string, string>[]) =>
      () =>
        definePipeline<string, string>({ produce: async () => 'x', reviewers });
    const refused = expect.objectContaining({
      code: 'invalid_options',
      message: expect.stringContaining('after of b'),
    });
    expect(build(reviewer('a'), reviewer('b', ['nobody']))).toThrow(refused);
    expect(build(reviewer('a'), reviewer('b', ['b']))).toThrow(refused);
    expect(build(reviewer('b', ['a']), reviewer('a'))).toThrow(refused);
    expect(build(reviewer('a', undefined, { tier: 'model' }), reviewer('b', ['a']))).toThrow(
      refused,
    );
    expect(build(reviewer('a'), reviewer('b', ['a']))).not.toThrow();
  });
});
