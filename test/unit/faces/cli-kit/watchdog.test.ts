import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { definePipeline } from '@/blocks/pipeline/define-pipeline.js';
import type { FileReviewer } from '@/faces/cli-kit/inputs/read-inputs.js';
import { watchedReviewer } from '@/faces/cli-kit/watchdog/watchdog.js';
import { blockedMessage, WatchdogState } from '@/faces/cli-kit/watchdog/watchdog-worker.js';
import {
  type AgentOutput,
  type AgentRequest,
  agentRequest,
  textOutput,
} from '@/products/self-review/agent.js';
import { reviewerOf } from '../../../support/reviewer.js';

const call = (id: string) => ({ of: 'criterion', id }) as const;
const scores = {
  quality: 1,
  completeness: null,
  correctness: null,
  overall: 1,
  judged: 1,
  total: 1,
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

test('a watched reviewer has everything that a reviewer has, and its calls are told', async () => {
  const calls: string[] = [];
  const reviewer: FileReviewer = reviewerOf('careful', async (_, context) => {
    const [looked, checked] = [
      await context.step(
        'look',
        { input: 1, schema: z.string() },
        async ({ attempt }) => `try ${attempt}`,
      ),
      await context.check(z.boolean(), ({ signal }) => !signal.aborted),
    ];
    context.reportUsage({ inputTokens: 3 });
    const { runId, iteration, previous, signal } = context;
    return [
      {
        verdict: 'pass',
        criterion: 'careful',
        score: 1,
        explanation: JSON.stringify({
          looked,
          checked,
          iteration,
          known: runId !== '',
          previous: previous.length,
          aborted: signal.aborted,
          budget: 'reserve' in context.budget,
          ask: typeof context.ask,
        }),
        gaps: [],
      },
    ];
  });
  const watched = watchedReviewer(reviewer, {
    begin: (id) => void calls.push(`begin ${id}`),
    end: (id) => void calls.push(`end ${id}`),
  });
  const outcome = await definePipeline<AgentRequest, AgentOutput>({
    produce: async () => textOutput('x'),
    reviewers: [watched],
  }).run(agentRequest('task'));
  const [assessment] = outcome.reviews[0]?.assessments ?? [];
  expect(assessment).toMatchObject({ verdict: 'pass' });
  expect(JSON.parse(assessment?.verdict === 'pass' ? assessment.explanation : '{}')).toEqual({
    looked: 'try 1',
    checked: true,
    iteration: 1,
    known: true,
    previous: 0,
    aborted: false,
    budget: true,
    ask: 'function',
  });
  expect(calls).toEqual(['begin careful', 'begin careful', 'end careful']);
});
