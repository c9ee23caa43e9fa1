import { describe, expect, test } from 'vitest';
import { blockedMessage, WatchdogState } from '../../../src/cli-kit/watchdog/watchdog-state.js';

const call = (id: string) => ({ of: 'criterion', id }) as const;
const scores = {
  ...{ quality: 1, completeness: 1, correctness: 1, overall: 1, judged: 1, total: 1 },
  criteria: { met: 1, judged: 1, total: 1 },
  requirements: { met: 0, judged: 0, total: 0 },
};
const review = {
  iteration: 1,
  version: 'v',
  at: '',
  durationMs: 1,
  complete: true,
  best: true,
  scores,
  decision: { kind: 'revise', reason: '' },
  gaps: [],
  fixed: [],
  assessments: [],
};

describe('what the watchdog knows', () => {
  test('names the call that was begun last and has not ended', () => {
    const state = new WatchdogState();
    expect(state.blocking).toBeUndefined();
    for (const id of ['a', 'b', 'c', 'a']) state.take({ kind: 'begin', call: call(id) });
    expect(state.blocking).toEqual(call('a'));
    state.take({ kind: 'end', call: call('a') });
    expect(state.blocking).toEqual(call('c'));
  });

  test('every message is a sign of life', () => {
    const state = new WatchdogState();
    expect([state.wait(10), state.wait(10)]).toEqual([10, 20]);
    state.take({ kind: 'alive' });
    expect(state.wait(10)).toBe(10);
  });

  test('reports finished reviews, and what was assessed of the one that was cut off', () => {
    const state = new WatchdogState();
    expect([state.report('why'), state.file]).toEqual([undefined, undefined]);
    state.take({
      kind: 'run',
      file: 'runs/r/review.json',
      report: { schemaVersion: 1, runId: 'r' },
    });
    state.take({
      kind: 'answer',
      assessments: [{ criterion: 'x', verdict: 'pass', text: '' }],
      gaps: [],
    });
    state.take({ kind: 'review', review });
    state.take({
      kind: 'answer',
      assessments: [{ criterion: 'y', verdict: 'errored', text: 'broke', code: 'criterion_threw' }],
      gaps: [],
    });
    state.take({ kind: 'begin', call: call('z') });
    expect(state.file).toBe('runs/r/review.json');
    expect(state.report('why')).toMatchObject({
      ...{
        runId: 'r',
        status: 'failed',
        approved: false,
        code: 'event_loop_blocked',
        reason: 'why',
        exitCode: 1,
        scores,
        reviews: [review],
      },
      partial: [{ criterion: 'y' }],
      failures: [
        { criterion: 'y' },
        { criterion: 'z', verdict: 'errored', code: 'event_loop_blocked' },
      ],
    });
  });

  test('messages', () => {
    expect(
      [call('a'), { of: 'configuration' } as const, undefined].map(
        (blocking) => blockedMessage(blocking, 5).split(' blocked ')[0],
      ),
    ).toEqual(['the criterion a', 'the configuration', 'something']);
  });
});
