import { describe, expect, it } from 'vitest';
import {
  type AgentOutput,
  type AgentRequest,
  type AgentReviewCriteria,
  agentRequest,
  BaseAgent,
  criterion,
  type Logger,
  textOutput,
} from '../../../src/index.js';
import type { PartialSelfReviewConfig } from '../../../src/self-review/config.js';

const request = agentRequest({ id: 'task-7', description: 'tea' });
const says = (word: string) =>
  criterion<AgentOutput, AgentRequest>(
    word,
    (output) => output.artifacts[0]?.content?.includes(word) || `${word} is missing`,
    { severity: 'minor' },
  );

/** Improves from one word to three, one at a time, as often as it may. */
class Growing extends BaseAgent {
  summaries: object[] = [];
  protected override readonly logger: Logger = {
    debug: () => {},
    warn: () => {},
    error: () => {},
    info: (fields) => void ('initialScore' in fields && this.summaries.push(fields)),
  };
  readonly #config: PartialSelfReviewConfig;
  #words = 1;

  constructor(config: PartialSelfReviewConfig) {
    super();
    this.#config = config;
  }
  protected override getSelfReviewConfig() {
    return this.#config;
  }
  protected getReviewCriteria(): AgentReviewCriteria {
    return {
      agentId: 'growing',
      criteria: ['one', 'two', 'three'].map(says),
      extractRequirements: async () => [],
      checkRequirementCovered: async () => {
        throw new Error('there are no requirements');
      },
    };
  }
  protected async produce() {
    return textOutput('one');
  }
  protected override async callLLMForImprovements() {
    this.#words += 1;
    return textOutput(['one', 'two', 'three'].slice(0, this.#words).join(' '));
  }
  captureNothing() {
    return this.captureReviewLearning(request, textOutput(''), []);
  }
}

describe('what an agent learns from a run', () => {
  it('compares the first review with the last', async () => {
    const agent = new Growing({ qualityThreshold: 0.95, maxIterations: 2 });
    await agent.run(request);
    const [summary] = agent.summaries as [Record<string, number>];
    expect(summary).toMatchObject({ taskId: 'task-7', iterations: 2, gapsAddressed: 1 });
    expect(summary['initialScore']).toBeCloseTo(0.4 / 3 + 0.6);
    expect(summary['finalScore']).toBeCloseTo(0.8 / 3 + 0.6);
    expect(summary['improvement']).toBeCloseTo(0.4 / 3);
  });

  it('is nothing where nothing was reviewed', async () => {
    const agent = new Growing({ enabled: false });
    expect((await agent.run(request)).status).toBe('accepted');
    await agent.captureNothing();
    expect(agent.summaries).toEqual([]);
  });

  it('does not hear of a run without reviews', async () => {
    let heard = 0;
    class Hearing extends Growing {
      protected override async captureReviewLearning() {
        heard += 1;
      }
    }
    await new Hearing({ enabled: false }).run(request);
    expect(heard).toBe(0);
    await new Hearing({ maxIterations: 1 }).run(request);
    expect(heard).toBe(1);
  });
});
