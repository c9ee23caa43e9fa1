import { describe, expect, it } from 'vitest';
import {
  type AgentOutput,
  agentRequest,
  criterion,
  llmCriterion,
  SelfReviewLoop,
  textOutput,
} from '../../../src/index.js';
import { guarded } from '../../../src/pipeline/trust-presets.js';
import type { LearnableRun } from '../../../src/ports/lesson-store.js';
import { scriptedJudge } from '../../../src/testing/index.js';

const request = agentRequest('Write about tea');
const tea = criterion<AgentOutput>(
  'tea',
  ({ artifacts: [file] }) => file?.content?.includes('tea') || 'no tea',
);
const produce = async (): Promise<AgentOutput> => textOutput('tea');
const clear = llmCriterion<AgentOutput>({ id: 'clear', question: 'Is it clear?' });
const own = { config: { completenessThreshold: 0.5 } };

describe('a setting for one request', () => {
  it('keeps the model and the criteria of the loop', async () => {
    const provider = scriptedJudge({ clear: 'yes' });
    const loop = new SelfReviewLoop([tea, clear], {}, { provider });
    const { outcome } = await loop.execute(request, produce, undefined, own);
    expect(outcome.approved).toBe(true);
    const criteria = outcome.reviews[0]?.assessments.map(({ criterion: id }) => id);
    expect(criteria).toEqual(['tea', 'clear']);
    expect(provider.requests).toHaveLength(1);
  });

  it('keeps the trust of the loop', async () => {
    const provider = scriptedJudge({ clear: 'yes' }, { id: 'one' });
    const confirmWith = scriptedJudge({ clear: 'yes' }, { id: 'two' });
    const loop = new SelfReviewLoop([clear], {}, { provider, confirmWith, trust: guarded });
    await loop.run(request, produce, undefined, own);
    expect(confirmWith.requests.length).toBeGreaterThan(0);
  });

  it('bounds the reviews in place of the loop', async () => {
    const run = async (maxIterations: number | undefined) => {
      const loop = new SelfReviewLoop([tea], { maxIterations: 2 });
      let draft = 0;
      const address = async (): Promise<AgentOutput> => {
        draft += 1;
        return textOutput(`draft ${draft}`);
      };
      const write = async (): Promise<AgentOutput> => textOutput('coffee');
      const options = { config: { maxIterations } };
      return (await loop.run(request, write, address, options)).reviews.length;
    };
    expect([await run(1), await run(undefined)]).toEqual([1, 2]);
  });
});

describe('a loop', () => {
  it('tells its listeners what every run does', async () => {
    const heard: number[] = [];
    const loop = new SelfReviewLoop([tea]);
    loop.on('review-end', ({ review }) => void heard.push(review.gaps.length));
    await loop.run(request, produce);
    await loop.run(request, async () => textOutput('coffee'));
    expect(heard).toEqual([0, 1]);
  });

  it('passes lessons on, and captures runs with enough different gaps', async () => {
    const captured: LearnableRun[] = [];
    const prompts: string[] = [];
    const learn = {
      relevantTo: async () => 'Tea is a drink.',
      capture: async (run: LearnableRun) => void captured.push(run),
    };
    const milk = criterion<AgentOutput>('milk', () => 'no milk');
    const run = (learningThresholdGaps: number) =>
      new SelfReviewLoop([tea, milk], { learningThresholdGaps, maxIterations: 2 }, { learn }).run(
        request,
        async ({ lessons }) => {
          prompts.push(lessons);
          return textOutput('coffee');
        },
        async () => textOutput('water'),
      );
    await run(3);
    expect(captured).toHaveLength(0);
    await run(2);
    expect(captured).toHaveLength(1);
    expect(prompts).toEqual(['Tea is a drink.', 'Tea is a drink.']);
  });

  it('takes lessons from a store that captures none', async () => {
    const learn = { relevantTo: async () => '' };
    const loop = new SelfReviewLoop([tea], { learningThresholdGaps: 0 }, { learn });
    expect(await loop.execute(request, produce)).toMatchObject({ outcome: { approved: true } });
  });
});

describe('the routing hints of an output that was approved or accepted', () => {
  const hinted =
    (notes: string, more: object = {}) =>
    async (): Promise<AgentOutput> => ({
      ...textOutput('tea'),
      routingHints: { needsApproval: true, notes, ...more },
    });

  it.each([true, false])('lose a note of an earlier self-review, enabled: %s', async (enabled) => {
    const loop = new SelfReviewLoop([tea], { enabled });
    for (const notes of ['Self-review escalation: x', 'Max review iterations (3) reached.']) {
      const { output } = await loop.execute(request, hinted(notes));
      expect(output).not.toHaveProperty('routingHints');
    }
  });

  it.each([true, false])('keep the notes of the agent, enabled: %s', async (enabled) => {
    const loop = new SelfReviewLoop([tea], { enabled });
    const notes = 'After the Self-review a person signs';
    const { output } = await loop.execute(request, hinted(notes));
    expect(output.routingHints).toEqual({ needsApproval: true, notes });
    const plain = await loop.execute(request, produce);
    expect(plain.output).not.toHaveProperty('routingHints');
  });

  it('an output whose best version is not the last carries the review of that version', async () => {
    const loop = new SelfReviewLoop(
      [
        criterion<AgentOutput>('length', ({ artifacts: [file] }) => {
          const score = Math.min((file?.content?.length ?? 0) / 10, 0.7);
          return { passed: false, score, details: 'too short' };
        }),
      ],
      { maxIterations: 2 },
    );
    const { output, reviews } = await loop.execute(
      request,
      async () => textOutput('long!!'),
      async () => textOutput('s'),
    );
    expect(output.artifacts[0]?.content).toBe('long!!');
    expect(output.selfReviewResult?.iteration).toBe(1);
    expect(output.qualityScore).toBe(reviews[0]?.overallScore);
  });
});
