import { createHook } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { criterion, definePipeline, limiter } from '@/index.js';
import { runChild } from '../../../bench/lib/child.mjs';

/** The digests that were made. The library takes the function when it is loaded. */
const digests = vi.hoisted(() => {
  const made = { count: 0 };
  const crypto = process.getBuiltinModule('crypto');
  const { hash } = crypto;
  Object.assign(crypto, {
    hash: (...given: Parameters<typeof hash>) => {
      made.count += 1;
      return hash(...given);
    },
  });
  return made;
});

interface Cost {
  promises: number;
  timers: number;
  digests: number;
}

/** Counts what one loop of three reviews makes, once every module is loaded. */
async function costOf(criteria: number): Promise<Cost> {
  let revision = 0;
  const pipeline = definePipeline<string, { readonly revision: number }>({
    produce: async () => {
      revision = 1;
      return { revision };
    },
    address: async () => {
      revision += 1;
      return { revision };
    },
    reviewers: Array.from({ length: criteria }, (_, index) =>
      criterion(`c${index}`, async (made: { readonly revision: number }) =>
        made.revision === 3 ? true : `wrong in ${made.revision}`,
      ),
    ),
    limiter: limiter({ concurrency: 16 }),
  });
  for (let loop = 0; loop < 5; loop += 1) await pipeline.run('task');
  const cost = { promises: 0, timers: 0, digests: 0 };
  const hook = createHook({
    init: (_, type) => {
      if (type === 'PROMISE') cost.promises += 1;
      if (type === 'Timeout') cost.timers += 1;
    },
  }).enable();
  onTestFinished(() => void hook.disable());
  const before = digests.count;
  const { approved, reviews } = await pipeline.run('task');
  cost.digests = digests.count - before;
  hook.disable();
  expect([approved, reviews.length]).toEqual([true, 3]);
  return cost;
}

it('a loop of three reviews that nobody follows makes few promises, timers and digests', async () => {
  const one = await costOf(1);
  const twenty = await costOf(20);
  for (const { promises, most } of [
    { ...one, most: 100 },
    { ...twenty, most: 280 },
  ])
    expect(promises).toBeLessThanOrEqual(most);
  expect([one.timers, twenty.timers, one.digests, twenty.digests]).toEqual([2, 2, 4, 4]);
});

it('allocates less than 2.2 times as much as a loop by hand, at twenty criteria', async ({
  skip,
}) => {
  if (!existsSync('dist/index.js')) skip('nothing built: npm run build first');
  const bytesOf = async (name: string) => {
    // a young space that ten loops do not fill, so that nothing is collected meanwhile
    const flags = ['--expose-gc', '--min-semi-space-size=16'];
    const { bytes } = (await runChild('bytes', { name, criteria: 20 }, flags)) as { bytes: number };
    return bytes;
  };
  expect((await bytesOf('reviewloop')) / (await bytesOf('plain'))).toBeLessThan(2.2);
});
