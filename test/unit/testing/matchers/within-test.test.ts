import { describe, expect, it } from 'vitest';
import { fakeClock, settle } from '@/testing/index.js';
import { withinTest } from '@/testing/matchers/to-pass.js';
import { errorWith } from '../../../support/matchers.js';

/** A judge that answers after a time of the clock, and notes whether it was aborted. */
function slowJudge(clock: ReturnType<typeof fakeClock>, ms: number) {
  const seen = { asked: 0, aborted: false };
  const ask = (signal: AbortSignal): Promise<string> => {
    seen.asked += 1;
    signal.addEventListener('abort', () => {
      seen.aborted = true;
    });
    return new Promise((resolve) => void clock.after(ms, () => resolve('yes')));
  };
  return { seen, ask };
}

const test = { signal: undefined, timeoutMs: 120_000 };

describe('a judge within a test', () => {
  it('may take more than a minute if the test has the time', async () => {
    const clock = fakeClock();
    const { seen, ask } = slowJudge(clock, 90_000);
    const answer = withinTest({ judge: 'clear', test, timeoutMs: 100_000, clock }, ask);
    await clock.advanceAsync(90_000);
    expect(await answer).toBe('yes');
    await clock.advanceAsync(60_000);
    expect(seen).toEqual({ asked: 1, aborted: false });
  });

  it('is aborted after its own timeout, which the error names', async () => {
    const clock = fakeClock();
    const { seen, ask } = slowJudge(clock, 90_000);
    const answer = withinTest({ judge: 'clear', test, timeoutMs: 70_000, clock }, ask);
    const refused = expect(answer).rejects.toMatchObject(
      errorWith('timeout', 'clear did not answer within 70000 ms (timeoutMs)'),
    );
    await clock.advanceAsync(70_000);
    await refused;
    expect(seen.aborted).toBe(true);
  });

  it('is aborted when vitest ends the test, and the error of vitest names it', async () => {
    const clock = fakeClock();
    const { seen, ask } = slowJudge(clock, 90_000);
    const ended = new AbortController();
    const limits = { judge: 'clear', test: { signal: ended.signal, timeoutMs: 5000 }, clock };
    const answer = withinTest(limits, ask);
    const error = new Error('Test timed out in 5000ms.');
    const refused = expect(answer).rejects.toBe(error);
    await clock.advanceAsync(5000);
    ended.abort(error);
    await refused;
    expect(seen.aborted).toBe(true);
    expect(error.message).toBe(
      'Test timed out in 5000ms.\nclear had not answered after 5000 ms and was aborted. A judge ' +
        'that asks a model takes longer: pass a timeout to the test, as in ' +
        'test(name, run, 120_000), or set testTimeout in the configuration of vitest.',
    );
  });

  it('leaves the error alone after its answer, and for another end than a timeout', async () => {
    const ended = new AbortController();
    const limits = { judge: 'clear', test: { signal: ended.signal, timeoutMs: 5000 } };
    await withinTest(limits, async () => 'yes');
    const late = new Error('Test timed out in 5000ms.');
    ended.abort(late);
    expect(late.message).toBe('Test timed out in 5000ms.');

    const stopped = new AbortController();
    const cancelled = new Error('cancelled');
    const judge = { judge: 'clear', test: { signal: stopped.signal, timeoutMs: 5000 } };
    const answer = withinTest(judge, () => new Promise(() => {}));
    stopped.abort(cancelled);
    await expect(answer).rejects.toBe(cancelled);
    expect(cancelled.message).toBe('cancelled');
  });

  it.each([[120_000], [200_000]])(
    'is not asked if the test ends before its timeout of %d ms',
    async (timeoutMs) => {
      const clock = fakeClock();
      const { seen, ask } = slowJudge(clock, 1);
      await expect(withinTest({ judge: 'clear', test, timeoutMs, clock }, ask)).rejects.toThrow(
        `the test ends after 120000 ms, before \`timeoutMs\` of ${timeoutMs} ms: pass a timeout`,
      );
      await settle();
      expect(seen.asked).toBe(0);
    },
  );

  it.each([[0], [-1], [Number.NaN]])('refuses a timeout of %d ms', async (timeoutMs) => {
    await expect(
      withinTest({ judge: 'clear', test, timeoutMs }, async () => 'yes'),
    ).rejects.toMatchObject({ code: 'invalid_options' });
  });
});
