import { describe, expect, it } from 'vitest';
import { definePipeline, thresholds } from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { failed, never, passed, reviewer, suspended } from './support.js';

describe('nothing hangs a run for good (law 15)', () => {
  it('a reviewer that never settles and calls nothing is given up, and the others are kept', async () => {
    const clock = fakeClock();
    const pending = definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [reviewer('mute', () => never()), reviewer('good', async () => [passed('good')])],
      clock,
      timeouts: { checkMs: 1000 },
    }).run('task');
    await clock.advanceAsync(3000);
    const outcome = await pending;
    expect(outcome).toMatchObject({ status: 'inconclusive', output: 'x' });
    expect(outcome.reviews[0]?.assessments).toMatchObject([
      { verdict: 'errored', error: { code: 'timeout' } },
      { verdict: 'pass' },
    ]);
    expect(clock.pending).toBe(0);
  });

  it('a reviewer that waits for a person is not given up', async () => {
    const clock = fakeClock();
    const pending = definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        reviewer('person', async (_, context) => {
          await context.ask('q', { question: '?', allowed: ['approve'], gaps: [] });
          return [passed('person')];
        }),
        reviewer('slow', async (_, context) => {
          await context.check(
            (await import('zod')).boolean(),
            () => new Promise<boolean>((resolve) => void clock.after(900, () => resolve(true))),
          );
          return [passed('slow')];
        }),
      ],
      clock,
      timeouts: { checkMs: 1000 },
    }).run('task');
    await clock.advanceAsync(950);
    suspended(await pending);
  });

  it('neither does the signal wait for it, nor the deadline of the run', async () => {
    const controller = new AbortController();
    const pipeline = definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [reviewer('mute', () => never())],
    });
    const pending = pipeline.run('task', { signal: controller.signal });
    await Promise.resolve();
    controller.abort();
    expect(await pending).toMatchObject({ status: 'cancelled' });
  });

  it('hooks that never settle are given up: telling a person, and capturing lessons', async () => {
    // loading a module takes real time, which a fake clock does not wait for
    await import('../../../src/engine/human-questions.js');
    await import('../../../src/engine/suspend-run.js');
    await import('../../../src/engine/run-lessons.js');
    const clock = fakeClock();
    const asked = definePipeline<string, string>({
      produce: async () => 'x',
      criteria: { a: () => true },
      human: { policy: 'require', notify: () => never() },
      clock,
      timeouts: { checkMs: 1000 },
    }).run('task');
    await clock.advanceAsync(1000);
    suspended(await asked);
    const learned = definePipeline<string, string>({
      produce: async () => 'x',
      criteria: { a: () => true },
      learn: { relevantTo: async () => '', capture: () => never() },
      clock,
      timeouts: { checkMs: 1000 },
    }).run('task');
    await clock.advanceAsync(1000);
    expect(await learned).toMatchObject({ approved: true });
  });
});

describe('what was produced is not lost', () => {
  it('when the first review never came to its end', async () => {
    const clock = fakeClock();
    const pending = definePipeline<string, string>({
      produce: async () => 'paid for',
      criteria: { a: () => never<boolean>() },
      clock,
      budget: { timeoutMs: 1000 },
    }).run('task');
    await clock.advanceAsync(1000);
    expect(await pending).toMatchObject({ status: 'timed_out', output: 'paid for', reviews: [] });
    const spent = await definePipeline<string, string>({
      produce: async (_, context) => {
        context.reportUsage({ totalTokens: 9 });
        return 'paid for';
      },
      criteria: { a: () => true },
      budget: { tokens: 5 },
    }).run('task');
    expect(spent).toMatchObject({
      status: 'exhausted',
      approved: false,
      output: 'paid for',
      reviews: [],
    });
  });
});

describe('a person who agrees with the reviewers approves', () => {
  it('also where minor gaps are open, and without a reason', async () => {
    const pipeline = definePipeline<string, string>({
      produce: async () => 'x',
      criteria: {
        a: () => true,
        b: () => true,
        style: { severity: 'minor', check: () => 'could be nicer' },
      },
      policy: thresholds({ quality: 0.5 }),
      human: { policy: 'require' },
    });
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    expect(requests[0]).toMatchObject({ approved: true, gaps: [{ severity: 'minor' }] });
    expect(await pipeline.answer(requests[0], { kind: 'approve', by: 'ann' })).toMatchObject({
      status: 'approved',
      code: 'person_approved',
    });
  });
});

describe('law 5: one dissent of a confirming judge blocks', () => {
  const confirmed = (fixable: boolean) =>
    definePipeline<string, string>({
      produce: async () => 'x',
      address: async (text) => `${text}!`,
      criteria: { a: () => true },
      reviewers: [
        reviewer<string>(
          'confirm',
          async ({ output }) => [
            output.includes('!')
              ? passed('confirm')
              : failed('confirm', 'a small doubt', { severity: 'minor', autoFixable: fixable }),
          ],
          {
            tier: 'confirm',
          },
        ),
      ],
      policy: thresholds({ quality: 0.1 }),
    }).run('task');

  it('however minor it is, and its gaps reopen the loop', async () => {
    const outcome = await confirmed(true);
    expect(outcome.reviews.map(({ decision }) => decision.kind)).toEqual(['revise', 'approve']);
    expect(outcome).toMatchObject({ approved: true, output: 'x!' });
  });

  it('and it escalates where the producer cannot fix it', async () => {
    expect(await confirmed(false)).toMatchObject({ status: 'escalated', output: 'x' });
  });
});
