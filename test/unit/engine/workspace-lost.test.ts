import { describe, expect, it } from 'vitest';
import { definePipeline } from '../../../src/index.js';
import { fakeClock, fakeWorkspace } from '../../../src/testing/index.js';
import { deferred, never } from './support.js';

describe('a run that ended early, and whose workspace cannot be restored', () => {
  it('says why it ended: that it timed out, or was cancelled', async () => {
    for (const [timeoutMs, status] of [
      [1000, 'timed_out'],
      [undefined, 'cancelled'],
    ] as const) {
      const clock = fakeClock();
      const stop = new AbortController();
      const begun = deferred<void>();
      const inner = fakeWorkspace({ 'a.txt': 'mine' });
      const errors: object[] = [];
      const running = definePipeline<string, string>({
        produce: () => {
          inner.files.set('a.txt', 'changed');
          begun.resolve();
          return never();
        },
        criteria: { fine: () => true },
        workspace: { ...inner, restore: () => Promise.reject(new Error('no disk')) },
        logger: { debug() {}, info() {}, warn() {}, error: (fields) => errors.push(fields) },
        clock,
        ...(timeoutMs !== undefined && { budget: { timeoutMs } }),
      }).run('task', { signal: stop.signal });
      await begun.promise;
      if (timeoutMs === undefined) stop.abort();
      else await clock.advanceAsync(timeoutMs);
      expect(await running).toMatchObject({ status });
      expect(errors).toMatchObject([{ status }]);
    }
  });
});
