import { describe, expect, it } from 'vitest';
import {
  definePipeline,
  type Gap,
  type LessonStore,
  memoryStore,
  type PipelineOptions,
  type Ranking,
  ReviewLoopError,
} from '../../../src/index.js';
import type { Journal } from '../../../src/ports/store.js';
import { fakeClock, settle } from '../../../src/testing/index.js';
import { deferred, failed, passed, reviewer, suspended } from './support.js';

const keeping = (more: Partial<PipelineOptions<string, string>> = {}) => ({
  produce: async () => 'x',
  criteria: { a: () => true },
  store: memoryStore(),
  ...more,
});

describe('the record of a run', () => {
  it('has its beginning once, however often it is continued', async () => {
    const options = keeping({ name: 'essay' });
    const pipeline = definePipeline<string, string>(options);
    for (let time = 0; time < 3; time += 1) await pipeline.run('task', { runId: 'r' });
    const records = (await options.store.read('r')) ?? [];
    expect(records.filter(({ type }) => type === 'run')).toMatchObject([
      { schema: 1, runId: 'r', pipeline: 'essay', task: 'task' },
    ]);
  });

  it('holds the nonce of the run: reviewers see the same one when it is continued, and no other run has it', async () => {
    const seen: string[] = [];
    const pipeline = (nonce: string) =>
      definePipeline<string, string>({
        ...keeping(),
        random: { id: () => 'id', nonce: () => nonce },
        reviewers: [
          reviewer('sees', async (_, context) => {
            seen.push(context.nonce);
            return [passed('sees')];
          }),
        ],
      });
    const first = pipeline('one');
    await first.run('task', { runId: 'r' });
    await first.run('task', { runId: 'r' });
    await pipeline('two').run('task', { runId: 'r' });
    expect(seen[1]).toBe(seen[0]);
    expect(seen[2]).not.toBe(seen[0]);
  });

  it('needs an id of letters, digits and few signs', async () => {
    const pipeline = definePipeline<string, string>(keeping());
    for (const runId of [7, '', 'a b', 'a/b', 'ä', 'x'.repeat(201), null])
      await expect(pipeline.run('task', { runId: runId as never })).rejects.toMatchObject({
        code: 'invalid_options',
        value: runId,
      });
    const runId = `aZ_9.:@-${'x'.repeat(192)}`;
    expect(await pipeline.run('task', { runId })).toMatchObject({ runId });
  });
});

describe('what others see before a run ends', () => {
  it('is frozen for a ranking of the user', async () => {
    const frozen: boolean[] = [];
    const ranking: Ranking = (one, other) => {
      frozen.push(Object.isFrozen(one), Object.isFrozen(other.gaps));
      return true;
    };
    await definePipeline<string, string>({
      produce: async () => 'x',
      address: async (output) => `${output}!`,
      criteria: { a: (output) => output.endsWith('!') || 'no' },
      ranking,
    }).run('task');
    expect(frozen).toEqual([true, true]);
  });

  it('is frozen for a lesson store, as is the outcome', async () => {
    const frozen: boolean[] = [];
    const learn: LessonStore = {
      relevantTo: async () => '',
      capture: async ({ outcome }) => {
        frozen.push(Object.isFrozen(outcome), Object.isFrozen(outcome.reviews[0]?.assessments));
      },
    };
    await definePipeline<string, string>({
      produce: async () => 'x',
      criteria: { a: () => true },
      learn,
    }).run('task');
    expect(frozen).toEqual([true, true]);
  });
});

describe('what cannot be used', () => {
  it('is told with its cause: a policy that throws', async () => {
    const error = new Error('broken');
    const outcome = await definePipeline<string, string>({
      ...keeping(),
      policy: () => {
        throw error;
      },
    }).run('task');
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'policy_failed', cause: error },
    });
  });

  it('is logged with its code: a verdict store', async () => {
    const warned: unknown[] = [];
    const logger = {
      ...{ debug() {}, info() {}, error() {} },
      warn: (data: { readonly code?: string }) => warned.push(data.code),
    };
    const run = (error: Error) =>
      definePipeline<string, string>({
        ...keeping(),
        reviewers: [reviewer('r', async () => [passed('r')])],
        verdicts: { get: () => Promise.reject(error), put: async () => {} },
        logger,
      }).run('task');
    expect(await run(new Error('disk'))).toMatchObject({ approved: true });
    expect(await run(new ReviewLoopError('timeout', 'slow'))).toMatchObject({ approved: true });
    expect(warned).toEqual(['verdict_unavailable', 'timeout']);
  });

  it('is closed: a journal that opens when the run has ended', async () => {
    const opened = deferred<Journal>();
    const begun = deferred<void>();
    const controller = new AbortController();
    let closed = 0;
    const pending = definePipeline<string, string>({
      ...keeping(),
      store: {
        ...memoryStore(),
        open: () => {
          begun.resolve();
          return opened.promise;
        },
      },
    }).run('task', { runId: 'r', signal: controller.signal });
    await begun.promise;
    await settle();
    controller.abort();
    expect(await pending).toMatchObject({ status: 'cancelled' });
    const close = () => {
      closed += 1;
    };
    opened.resolve({ records: [], append: () => undefined, close });
    await settle();
    expect(closed).toBe(1);
  });
});

describe('lessons', () => {
  it('are captured when a run has ended, not while it waits for a person', async () => {
    const captured: string[] = [];
    const pipeline = definePipeline<string, string>({
      ...keeping(),
      human: { policy: 'require' },
      learn: {
        relevantTo: async () => '',
        capture: async ({ outcome, agentId }) => {
          captured.push(`${agentId}: ${outcome.status}`);
        },
      },
      name: 'essay',
    });
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    expect(captured).toEqual([]);
    await pipeline.answer(requests[0], { kind: 'approve', by: 'ann' });
    expect(captured).toEqual(['essay: approved']);
  });

  it('need not be captured, and a failure names the run', async () => {
    const errors: unknown[] = [];
    const logger = {
      ...{ debug() {}, info() {}, warn() {} },
      error: (data: unknown) => errors.push(data),
    };
    const run = (learn: LessonStore) =>
      definePipeline<string, string>({ ...keeping(), learn, logger }).run('task', { runId: 'r' });
    const relevantTo = async () => '';
    expect(await run({ relevantTo })).toMatchObject({ approved: true });
    expect(errors).toEqual([]);
    const capture = () => Promise.reject(new Error('disk full'));
    expect(await run({ relevantTo, capture })).toMatchObject({ approved: true });
    expect(errors).toEqual([{ run: 'r', error: 'disk full' }]);
  });
});

describe('address', () => {
  const severities = ['minor', 'critical', 'major'] as const;

  /** Returns the severities of the gaps that `address` gets, in order, if some of them block. */
  async function givenIf(blocking: (gaps: readonly Gap[]) => readonly Gap[]) {
    let given: readonly Gap[] = [];
    await definePipeline<string, string>({
      produce: async () => 'x',
      address: async (output, gaps) => {
        given = gaps;
        return output;
      },
      reviewers: severities.map((severity) =>
        reviewer<string>(severity, async () => [failed(severity, severity, { severity })]),
      ),
      policy: ({ review: { gaps } }) => {
        const [first, ...others] = blocking(gaps);
        if (first === undefined) throw new Error('no gap');
        return { kind: 'revise', reason: 'x', from: 'latest', blocking: [first, ...others] };
      },
    }).run('task');
    return given.map(({ severity }) => severity);
  }

  it('gets the gaps that block first, each kind with the worst first, and no gap twice', async () => {
    const blocking = (gaps: readonly Gap[]) =>
      gaps.filter(({ severity }) => severity !== 'minor').toReversed();
    expect(await givenIf(blocking)).toEqual(['critical', 'major', 'minor']);
  });

  it('gets other gaps with the worst first', async () => {
    const blocking = (gaps: readonly Gap[]) => gaps.filter(({ severity }) => severity === 'minor');
    expect(await givenIf(blocking)).toEqual(['minor', 'critical', 'major']);
  });
});

describe('an override of a run that nobody can override', () => {
  it('changes nothing, whatever version it names', async () => {
    const given = { by: 'ann', reason: 'x' };
    const failing = definePipeline<string, string>({
      ...keeping({ criteria: { a: () => 'no' } }),
      address: () => Promise.reject(new Error('broken')),
    });
    const { version = '' } = await failing.run('task', { runId: 'r' });
    for (const digest of [version, 'another'])
      expect(await failing.override({ runId: 'r', digest }, given)).toMatchObject({
        status: 'failed',
        code: 'address_failed',
      });
    const nothing = definePipeline<string, string>({
      ...keeping(),
      produce: () => Promise.reject(new Error('broken')),
    });
    await nothing.run('task', { runId: 'r' });
    expect(await nothing.override({ runId: 'r', digest: 'a' }, given)).toMatchObject({
      status: 'failed',
      code: 'produce_failed',
    });
    const clock = fakeClock();
    const late = definePipeline<string, string>({
      ...keeping(),
      produce: () => {
        clock.advance(1001);
        return new Promise<string>(() => {});
      },
      budget: { timeoutMs: 1000 },
      clock,
    });
    await late.run('task', { runId: 'r' });
    expect(await late.override({ runId: 'r', digest: 'a' }, given)).toMatchObject({
      status: 'timed_out',
      output: undefined,
    });
    const controller = new AbortController();
    const cancelled = definePipeline<string, string>({
      ...keeping({ criteria: { a: () => 'no' } }),
      address: () => {
        controller.abort();
        return new Promise<string>(() => {});
      },
    });
    const { signal } = controller;
    await cancelled.run('task', { runId: 'r', signal });
    expect(
      await cancelled.override({ runId: 'r', digest: 'another' }, given, { signal }),
    ).toMatchObject({ status: 'cancelled' });
  });

  it('is refused with what was given, and why', async () => {
    const pipeline = definePipeline<string, string>(keeping({ criteria: { a: () => 'no' } }));
    const { version = '' } = await pipeline.run('task', { runId: 'r' });
    await expect(
      pipeline.override({ runId: 'r', digest: version }, { by: 'ann', reason: '' }),
    ).rejects.toMatchObject({
      code: 'reason_required',
      value: { by: 'ann', reason: '' },
      cause: { issues: [{ path: ['reason'] }] },
    });
    await expect(
      pipeline.override({ runId: 'r', digest: 'other' }, { by: 'ann', reason: 'x' }),
    ).rejects.toMatchObject({ code: 'override_stale', value: 'other' });
    const decisions = { by: '', decisions: { a: 'yes' } } as const;
    await expect(pipeline.decide({ runId: 'r', digest: version }, decisions)).rejects.toMatchObject(
      {
        code: 'answer_invalid',
        what: expect.stringMatching(/^the decisions were refused: .*\bby\b/s),
        value: decisions,
      },
    );
  });
});
