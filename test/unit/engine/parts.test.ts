import { describe, expect, it } from 'vitest';
import { approvable } from '../../../src/engine/approvable.js';
import { boundedJournal } from '../../../src/engine/bounded-journal.js';
import { engineErrors } from '../../../src/engine/errors.js';
import { approvalQuestion } from '../../../src/engine/human-questions.js';
import { checkRunOptions } from '../../../src/engine/run-options.js';
import { definePipeline } from '../../../src/index.js';
import { err, fail, pass } from '../policies/fixtures.js';

describe('errors of the engine', () => {
  it('have the kind of who can remove the cause', () => {
    const codes = (kind: string) =>
      Object.values(engineErrors)
        .filter((entry) => entry.kind === kind)
        .map(({ code }) => code)
        .sort();
    expect(codes('usage')).toEqual([
      'answer_invalid',
      'answer_not_allowed',
      'decision_stale',
      'decision_unknown',
      'no_version',
      'override_stale',
      'reason_required',
      'request_answered',
      'request_expired',
      'request_stale',
      'request_unknown',
      'run_unknown',
    ]);
    expect(codes('environment')).toEqual(['released', 'suspended']);
    expect(codes('bug')).toEqual([
      'address_failed',
      'address_invalid',
      'agent_interrupted',
      'ask_needs_run',
      'fix_failed',
      'produce_failed',
      'produce_invalid',
    ]);
    expect(codes('input')).toEqual(['output_invalid']);
  });
});

describe('a review that allows no approval', () => {
  const finding = (complete: boolean, ...assessments: readonly object[]) =>
    approvable({ complete, assessments, gaps: [] } as never);

  it('has a judge that failed, one that was not asked, or no verdict at all', () => {
    expect(finding(true, pass('a'), err('b'))).toMatchObject({ code: 'judge_failed' });
    const skipped = { verdict: 'skipped', criterion: 'b', reason: 'r' };
    expect(finding(false, pass('a'), skipped)).toMatchObject({
      kind: 'stop',
      status: 'inconclusive',
      code: 'incomplete',
      reason: 'review incomplete: 1 of 2 reviewers not asked',
    });
    expect(finding(true)).toMatchObject({ code: 'nothing_judged' });
    expect(finding(true, pass('a'))).toBeUndefined();
    expect(finding(true, pass('a'), fail('b'))).toBeUndefined();
  });
});

describe('options of a run', () => {
  it('may name a listener without a value, and no other', () => {
    expect(() => checkRunOptions({ on: { 'run-end': undefined } })).not.toThrow();
    expect(() => checkRunOptions({ on: { 'run-end': 'x' } as never })).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    );
    expect(() => checkRunOptions({ on: { 'run-ends': () => {} } as never })).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    );
  });

  it('are a run id, a store and a signal', () => {
    expect(() => checkRunOptions({ id: 'r' } as never)).toThrow(
      'run has no option `id`; it has runId, store, signal',
    );
    for (const signal of [null, {}, 'stop'])
      expect(() => checkRunOptions({ signal: signal as never })).toThrow(
        expect.objectContaining({
          code: 'invalid_options',
          message: expect.stringContaining('`signal`'),
        }),
      );
    expect(() => checkRunOptions({ signal: new AbortController().signal })).not.toThrow();
    expect(() => checkRunOptions({ signal: undefined })).not.toThrow();
  });

  it('without a producer there is nothing to run, only to review', async () => {
    const pipeline = definePipeline<string, string>({ criteria: { a: () => true } });
    await expect(pipeline.run('task')).rejects.toMatchObject({ code: 'no_produce' });
    expect((await pipeline.review('task', 'text')).decision).toMatchObject({ kind: 'approve' });
  });
});

describe('the question after an approval', () => {
  it('is asked where a person decides, who may skip it unless it is required', () => {
    expect(approvalQuestion({}, { reason: 'r' })).toBeUndefined();
    expect(approvalQuestion({ policy: 'auto' }, { reason: 'r' })).toBeUndefined();
    expect(approvalQuestion({ policy: 'require' }, { reason: 'r' })).toMatchObject({
      kind: 'ask',
      reason: 'r',
      question: expect.stringContaining('r'),
      allowed: ['approve', 'reject', 'revise'],
    });
    expect(approvalQuestion({ policy: 'offer' as never }, { reason: 'r' })).toMatchObject({
      allowed: ['approve', 'reject', 'revise', 'skip'],
    });
  });
});

describe('a bounded journal', () => {
  const over = { ended: false, late: [] as unknown[] };
  const end = {
    error: undefined,
    over: async (_: string, waiting: Promise<unknown>, ms?: number) => {
      if (ms !== undefined) over.late.push(waiting);
      return over.ended ? Promise.reject(new Error('the run ended')) : waiting;
    },
  } as never;
  const journal = (more: object = {}) => {
    const calls: string[] = [];
    const inner = {
      records: ['record'],
      append: async () => void calls.push('append'),
      review: async (review: string) => void calls.push(`review ${review}`),
      onLost: (callback: () => void) => {
        calls.push('onLost');
        callback();
      },
      close: async () => void calls.push('close'),
      ...more,
    } as never;
    return { bounded: boundedJournal(inner, end), calls };
  };

  it('passes every call on while the run goes on', async () => {
    over.ended = false;
    const { bounded, calls } = journal();
    expect(bounded.records).toEqual(['record']);
    await bounded.append({} as never);
    await bounded.review?.('r' as never);
    let lost = 0;
    bounded.onLost?.(() => {
      lost += 1;
    });
    await bounded.close();
    expect(calls).toEqual(['append', 'review r', 'onLost', 'close']);
    expect(lost).toBe(1);
  });

  it('has no reviews where the store stores none, and waits for no call that is done', () => {
    over.ended = false;
    const { bounded } = journal({ review: undefined, append: () => undefined });
    expect(bounded.review).toBeUndefined();
    expect(bounded.append({} as never)).toBeUndefined();
  });

  it('makes no other call while one is open after the end, and closes without waiting', async () => {
    over.ended = true;
    let free = () => {};
    const open = new Promise<void>((resolve) => {
      free = resolve;
    });
    const calls: string[] = [];
    const { bounded } = journal({
      append: () => {
        calls.push('append');
        return open;
      },
      close: async () => void calls.push('close'),
    });
    await expect(bounded.append({} as never)).rejects.toThrow('the run ended');
    await expect(bounded.append({} as never)).rejects.toThrow('the run ended');
    await expect(bounded.append({} as never)).rejects.toThrow('does not answer');
    expect(calls).toEqual(['append']);
    await bounded.close();
    expect(calls).toEqual(['append', 'close']);
    free();
  });

  it('goes on once the open call has ended', async () => {
    over.ended = true;
    const { bounded, calls } = journal({
      append: async () => {
        calls.push('append');
        await Promise.resolve();
      },
    });
    await expect(bounded.append({} as never)).rejects.toThrow('the run ended');
    over.ended = false;
    await bounded.append({} as never);
    expect(calls).toEqual(['append', 'append']);
  });
});
