import { expect, test } from 'vitest';
import * as z from 'zod';
import type { FileReviewer } from '../../../src/cli-kit/inputs/file-reviewer.js';
import { watchedReviewer } from '../../../src/cli-kit/watchdog/watched-reviewer.js';
import { definePipeline } from '../../../src/pipeline/define-pipeline.js';
import {
  type AgentOutput,
  type AgentRequest,
  agentRequest,
  textOutput,
} from '../../../src/self-review/agent.js';

test('a watched reviewer has everything that a reviewer has, and its calls are told', async () => {
  const calls: string[] = [];
  const reviewer: FileReviewer = {
    id: 'careful',
    version: '1',
    tier: 'code',
    review: async (_, context) => {
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
    },
  };
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
