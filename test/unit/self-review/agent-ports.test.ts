import { describe, expect, it } from 'vitest';
import {
  type AgentOutput,
  type AgentReviewCriteria,
  agentRequest,
  BaseAgent,
  criterion,
  type Logger,
  llmCriterion,
  memoryVerdicts,
  textOutput,
} from '../../../src/index.js';
import { guarded } from '../../../src/pipeline/trust-presets.js';
import type { PartialSelfReviewConfig } from '../../../src/self-review/config.js';
import { fakeWorkspace, scriptedJudge, scriptedProvider } from '../../../src/testing/index.js';

const request = agentRequest({ id: 'task-7', description: 'Write about tea' });
const noted = { id: 'clear', question: 'Is it clear?' };

abstract class Writer extends BaseAgent {
  checks = 0;
  protected given: AgentReviewCriteria['criteria'] = [
    criterion<AgentOutput>(
      'tea',
      (output) => {
        this.checks += 1;
        return output.artifacts.some(({ content }) => content?.includes('tea')) || 'no tea';
      },
      { version: '1' },
    ),
  ];
  protected getReviewCriteria(): AgentReviewCriteria {
    return {
      agentId: 'writer',
      criteria: this.given,
      extractRequirements: async () => [],
      checkRequirementCovered: async () => {
        throw new Error('there is no requirement');
      },
    };
  }
  protected async produce(): Promise<AgentOutput> {
    return textOutput('tea');
  }
}

describe('what an agent sets is used in its runs', () => {
  it('its model judges the criteria that need one', async () => {
    const judge = scriptedJudge({ clear: 'yes' });
    class Asking extends Writer {
      protected override readonly provider = judge;
      protected override given = [llmCriterion<AgentOutput>(noted)];
    }
    expect(await new Asking().run(request)).toMatchObject({ approved: true });
    expect(judge.requests).toHaveLength(1);
  });

  it('its model mends the output, unless the agent asks for improvements itself', async () => {
    const model = scriptedProvider(['not an edit', 'not an edit', 'not an edit']);
    class Mending extends Writer {
      protected override readonly provider = model;
      protected override async produce(): Promise<AgentOutput> {
        return textOutput('coffee');
      }
    }
    expect(await new Mending().run(request)).toMatchObject({ approved: false });
    const asked = model.requests.length;
    expect(asked).toBeGreaterThan(0);
    class AskingItself extends Mending {
      protected override async callLLMForImprovements(): Promise<AgentOutput> {
        return textOutput('tea');
      }
    }
    expect(await new AskingItself().run(request)).toMatchObject({ approved: true });
    expect(model.requests).toHaveLength(asked);
  });

  it('without a model and without an own way, it has one review', async () => {
    class Fixed extends Writer {
      protected override async produce(): Promise<AgentOutput> {
        return textOutput('coffee');
      }
    }
    const outcome = await new Fixed().run(request);
    expect(outcome.approved).toBe(false);
    expect(outcome.reviews).toHaveLength(1);
  });

  it('its verdicts are reused by the next agent', async () => {
    const kept = memoryVerdicts();
    class Keeping extends Writer {
      protected override readonly verdicts = kept;
    }
    const [one, other] = [new Keeping(), new Keeping()];
    await one.run(request);
    expect(await other.run(request)).toMatchObject({ approved: true });
    expect([one.checks, other.checks]).toEqual([1, 0]);
  });

  it('the files of its workspace are part of each version', async () => {
    const files = fakeWorkspace({ 'a.txt': 'tea' });
    class Working extends Writer {
      protected override readonly workspace = files;
    }
    await new Working().run(request);
    expect(files.calls.some((call) => call.startsWith('snapshot'))).toBe(true);
  });

  it('its trust asks the judges more than once, and its second model takes turns', async () => {
    const [judge, other] = [
      scriptedJudge({ clear: 'yes' }, { id: 'one' }),
      scriptedJudge({ clear: 'yes' }, { id: 'two' }),
    ];
    class Trusted extends Writer {
      protected override readonly trust = guarded;
      protected override readonly provider = judge;
      protected override readonly confirmWith = other;
      protected override given = [llmCriterion<AgentOutput>(noted)];
    }
    await new Trusted().run(request);
    expect(judge.requests.length + other.requests.length).toBeGreaterThan(1);
    expect(other.requests.length).toBeGreaterThan(0);
  });
});

describe('the summary that an agent logs', () => {
  class Logging extends Writer {
    readonly summaries: object[] = [];
    protected override readonly logger: Logger = {
      debug: () => {},
      warn: () => {},
      error: () => {},
      info: (fields, message) => {
        if (message === 'Self-review learning capture') this.summaries.push(fields);
      },
    };
    protected override getSelfReviewConfig(): PartialSelfReviewConfig {
      return { maxIterations: 2 };
    }
    protected override given = [
      criterion<AgentOutput>(
        'tea',
        (output) => output.artifacts.some(({ content }) => content?.includes('tea')) || 'no tea',
      ),
      criterion<AgentOutput>('milk', (output) => ({
        passed: output.artifacts.some(({ content }) => content?.includes('milk')),
        score: 0.25,
        details: 'no milk',
      })),
    ];
    protected override async produce(): Promise<AgentOutput> {
      return textOutput('coffee');
    }
    protected override async addressGaps(): Promise<AgentOutput> {
      return textOutput('tea');
    }
  }

  it('compares the first review with the last, and counts the gaps that are gone', async () => {
    const agent = new Logging();
    await agent.run(request);
    const [summary] = agent.summaries as { [name: string]: number }[];
    expect(summary).toMatchObject({ taskId: 'task-7', iterations: 2, gapsAddressed: 1 });
    const { initialScore = 0, finalScore = 0, improvement } = summary ?? {};
    expect(finalScore).toBeGreaterThan(initialScore);
    expect(initialScore).toBeGreaterThan(0);
    expect(improvement).toBe(finalScore - initialScore);
  });

  it('is not logged for a run without an output', async () => {
    class Failing extends Logging {
      protected override async produce(): Promise<AgentOutput> {
        throw new Error('down');
      }
    }
    const agent = new Failing();
    await agent.run(request);
    expect(agent.summaries).toEqual([]);
  });
});
