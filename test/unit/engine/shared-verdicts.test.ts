import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  definePipeline,
  type Logger,
  memoryVerdicts,
  type PipelineOptions,
  type Policy,
  type Reviewer,
  type VerdictStore,
} from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { failed, never, passed, reviewer } from './support.js';

/** Revises the latest version as long as there is a gap. */
const untilNoGap: Policy = ({ review: { gaps } }) =>
  gaps[0] === undefined
    ? { kind: 'approve', reason: 'no gap' }
    : { kind: 'revise', reason: 'on', from: 'latest', blocking: [gaps[0]] };

/** A pipeline that adds an x to its output until it has three. */
const growing = (
  start: string,
  reviewers: readonly Reviewer<unknown, string>[],
  more: Partial<PipelineOptions<string, string>> = {},
) =>
  definePipeline<string, string>({
    produce: async () => start,
    address: async (output) => `${output}x`,
    reviewers,
    policy: untilNoGap,
    retries: 0,
    ...more,
  });

const long = reviewer<string>('long', async ({ output }) => [
  output.endsWith('xxx') ? passed('long') : failed('long'),
]);

/** A reviewer that works, and then says what a test decides. */
function judging(
  asked: string[],
  says: (output: string) => boolean,
  more: Partial<Reviewer<unknown, string>> = {},
) {
  return reviewer<string>(
    'judge',
    async ({ output }) => {
      asked.push(output);
      return [says(output) ? passed('judge') : failed('judge')];
    },
    more,
  );
}

describe('the verdict of a reviewer with a scope', () => {
  const scoped = (asked: string[]) =>
    judging(asked, () => true, { scope: ({ output }) => output[0] });

  it('is taken from another run, whatever was reviewed before it there and here', async () => {
    const verdicts = memoryVerdicts();
    const asked: string[] = [];
    await growing('ax', [long, scoped(asked)], { verdicts }).run('task');
    expect(asked).toEqual(['a']);
    const other = growing('b', [long, scoped(asked)], {
      verdicts,
      address: async (output) => (output === 'b' ? 'axx' : `${output}x`),
    });
    expect(await other.run('task')).toMatchObject({ status: 'approved', output: 'axxx' });
    expect(asked).toEqual(['a', 'b']);
  });

  it('is not kept for the next version if the judge failed', async () => {
    let asked = 0;
    const flaky = reviewer<string>(
      'flaky',
      async () => {
        asked += 1;
        if (asked === 1) throw new Error('down');
        return [passed('flaky')];
      },
      { scope: () => 'the same' },
    );
    const outcome = await growing('xx', [long, flaky]).run('task');
    expect(outcome).toMatchObject({ status: 'approved', output: 'xxx' });
    expect(asked).toBe(2);
    expect(outcome.reviews[1]?.reused).toBeUndefined();
  });
});

describe('the verdict of a reviewer that reads earlier reviews', () => {
  it('is asked for again as long as one of these has a judge that failed', async () => {
    const verdicts = memoryVerdicts();
    const asked: string[] = [];
    // an error of another copy of this package is data
    const error = {
      ...{ name: 'Error', message: 'down', what: 'down', code: 'x', kind: 'judge', fix: 'Wait.' },
      retryable: false,
      [Symbol.for('reviewloop.error')]: true,
    } as never;
    const failsOnce = () => {
      let times = 0;
      return reviewer<string>(
        'fails-once',
        async () => {
          times += 1;
          return [
            times === 1
              ? { verdict: 'errored', criterion: 'fails-once', error }
              : passed('fails-once'),
            passed('other'),
          ];
        },
        { reuse: 'run' },
      );
    };
    const once = () =>
      growing('x', [long, failsOnce(), judging(asked, () => true)], { verdicts }).run('task');
    expect(await once()).toMatchObject({ status: 'approved' });
    expect(asked).toEqual(['x', 'xx', 'xxx']);
    asked.length = 0;
    expect(await once()).toMatchObject({ status: 'approved' });
    expect(asked).toEqual(['xx', 'xxx']);
  });

  it('does not depend on when the earlier reviews were made, and at what cost', async () => {
    const verdicts = memoryVerdicts();
    const asked: string[] = [];
    const costly = (costUsd: number) =>
      reviewer<string>(
        'costly',
        async (_, context) => {
          context.reportUsage({ costUsd });
          return [passed('costly')];
        },
        { reuse: 'run' },
      );
    const once = (at: number) =>
      growing('x', [long, costly(at), judging(asked, () => true)], {
        verdicts,
        clock: fakeClock(at),
      }).run('task');
    await once(1000);
    await once(2000);
    expect(asked).toEqual(['x', 'xx', 'xxx']);
  });
});

describe('a run that needs a verdict which another run is asking for', () => {
  it('waits no longer than a check may take, and then asks itself', async () => {
    const clock = fakeClock();
    const verdicts = memoryVerdicts();
    let asked = 0;
    const judge = reviewer<string>('judge', async (_, context) => {
      asked += 1;
      return asked === 1
        ? context.step('model', { input: 0, schema: z.never() }, () => never())
        : [passed('judge')];
    });
    const slow = growing('xxx', [judge], { verdicts, clock, timeouts: { checkMs: 60_000 } });
    const quick = growing('xxx', [judge], { verdicts, clock, timeouts: { checkMs: 1_000 } });
    const first = slow.run('task');
    await clock.advanceAsync(1);
    const second = quick.run('task');
    await clock.advanceAsync(998);
    expect(asked).toBe(1);
    await clock.advanceAsync(10);
    expect(await second).toMatchObject({ status: 'approved' });
    expect(asked).toBe(2);
    await clock.advanceAsync(60_000);
    expect((await first).status).not.toBe('approved');
  });
});

describe('a store of verdicts that does not answer', () => {
  it.each([
    ['for a run whose checks may take minutes', 300_000, 10_000],
    ['for a run whose checks take a second', 1_000, 1_000],
  ])('costs seconds, %s', async (_, checkMs, waited) => {
    const clock = fakeClock();
    const asked: number[] = [];
    const codes: unknown[] = [];
    const quiet = (): void => {};
    const logger: Logger = {
      ...{ debug: quiet, info: quiet, error: quiet },
      warn: (fields) => void codes.push('code' in fields ? fields.code : undefined),
    };
    const store: VerdictStore = { get: () => never(), put: () => never() };
    const judge = reviewer<string>('judge', async () => {
      asked.push(clock.now());
      return [passed('judge')];
    });
    const options = { verdicts: store, clock, logger, timeouts: { checkMs } };
    const running = growing('xxx', [judge], options).run('task');
    await clock.advanceAsync(waited);
    await clock.advanceAsync(waited);
    expect(await running).toMatchObject({ status: 'approved' });
    expect(asked).toEqual([waited]);
    expect(codes).toEqual(['timeout', 'timeout']);
  });

  it('or refuses is named in the log as unavailable', async () => {
    const codes: unknown[] = [];
    const quiet = (): void => {};
    const logger: Logger = {
      ...{ debug: quiet, info: quiet, error: quiet },
      warn: (fields) => void codes.push('code' in fields ? fields.code : undefined),
    };
    const gone = (): Promise<never> => Promise.reject(new Error('disk gone'));
    const judge = judging([], () => true);
    await growing('xxx', [judge], { verdicts: { get: gone, put: gone }, logger }).run('task');
    expect(codes).toEqual(['verdict_unavailable', 'verdict_unavailable']);
  });
});
