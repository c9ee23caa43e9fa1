import { expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline } from '../../../src/index.js';
import { passed, reviewer } from './support.js';

const number = z.number();

/** Makes a step of each name in one reviewer, and returns the name at which it was refused. */
async function refused(names: readonly string[]): Promise<string | undefined> {
  let at: string | undefined;
  const outcome = await definePipeline<string, string>({
    produce: async () => 'x',
    reviewers: [
      reviewer('r', async (_, context) => {
        for (const name of names) {
          at = name;
          await context.step(name, { input: 0, schema: number }, async () => 1);
        }
        at = undefined;
        return [passed('r')];
      }),
    ],
    retries: 0,
  }).run('task');
  const [assessment] = outcome.reviews[0]?.assessments ?? [];
  expect(assessment).toMatchObject(
    at === undefined ? { verdict: 'pass' } : { error: { code: 'step_reused' } },
  );
  return at;
}

it('a reviewer uses each name of a step once, however many it has', async () => {
  expect(await refused(['a', 'b', 'c', 'a/b'])).toBeUndefined();
  expect(await refused(['a', 'a'])).toBe('a');
  expect(await refused(['a', 'b', 'b'])).toBe('b');
  expect(await refused(['a', 'b', 'c', 'b'])).toBe('b');
  expect(await refused(['a', 'b', 'c', 'c'])).toBe('c');
  expect(await refused(['a', 'b', 'a'])).toBe('a');
});

it('two reviewers may use the same names', async () => {
  const judge = (id: string) =>
    reviewer<string>(id, async (_, context) => {
      await context.step('a', { input: 0, schema: number }, async () => 1);
      return [passed(id)];
    });
  const pipeline = definePipeline<string, string>({
    produce: async () => 'x',
    reviewers: [judge('one'), judge('two')],
  });
  expect(await pipeline.run('task')).toMatchObject({ status: 'approved' });
});
