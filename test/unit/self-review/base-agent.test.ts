import { describe, expect, it } from 'vitest';
import {
  type AddressContext,
  type AgentOutput,
  type AgentRequest,
  type AgentReviewCriteria,
  agentRequest,
  BaseAgent,
  criterion,
  type Gap,
  type Logger,
  memoryStore,
  type SelfReviewResult,
  textOutput,
} from '../../../src/index.js';
import { AgentOutputSchema } from '../../../src/schemas.js';
import { scriptedProvider } from '../../../src/testing/index.js';

const request = agentRequest({ id: 'task-7', description: 'Two pages' });

function criteria(check: (output: AgentOutput) => boolean | string): AgentReviewCriteria {
  return {
    agentId: 'designer',
    criteria: [criterion<AgentOutput, AgentRequest>('complete', check)],
    extractRequirements: async () => [],
    checkRequirementCovered: async (requirement) => ({
      requirement,
      source: 'explicit',
      covered: true,
      coverageDetails: '',
      confidence: 1,
    }),
  };
}

class Designer extends BaseAgent {
  override metadata = { id: 'designer-1' };
  prompts: string[] = [];
  captured: SelfReviewResult[][] = [];
  logged: object[] = [];
  protected override readonly logger: Logger = {
    debug: () => {},
    warn: () => {},
    error: (fields) => void this.logged.push(fields),
    info: (fields, message) => {
      if (message === 'Self-review learning capture') this.logged.push(fields);
    },
  };
  protected getReviewCriteria() {
    return criteria((output) => output.artifacts.length > 1 || 'a page is missing');
  }
  protected async produce(): Promise<AgentOutput> {
    return textOutput('one', 'one.html');
  }
  protected override async callLLMForImprovements(prompt: string): Promise<AgentOutput> {
    this.prompts.push(prompt);
    return textOutput('two', 'two.html');
  }
}

describe('BaseAgent', () => {
  it('execute produces, asks for improvements with the prompt, and merges them [SR-15, SR-112, SR-113, SR-114, SR-142, SR-145]', async () => {
    const agent = new Designer();
    const output = await agent.execute(request);
    expect(output.artifacts.map(({ path }) => path)).toEqual(['one.html', 'two.html']);
    expect(output.selfReviewResult?.decision).toBe('approved');
    expect(agent.prompts).toHaveLength(1);
    expect(agent.prompts[0]).toContain('Two pages');
    expect(agent.prompts[0]).toContain('a page is missing');
  });

  it('run keeps the verdict, and continues a recorded run', async () => {
    const agent = new Designer();
    expect(await agent.run(request, { runId: 'r' })).toMatchObject({ status: 'approved' });
    expect(await agent.run(request, { runId: 'r' })).toMatchObject({ status: 'approved' });
    expect(agent.prompts).toHaveLength(1);
    const store = memoryStore();
    await agent.run(request, { runId: 'elsewhere', store });
    expect(await store.list()).toEqual([{ runId: 'elsewhere', status: 'approved' }]);
  });

  it('criteria and configuration are hooks; the configuration defaults to the seed’s [SR-110, SR-111, SR-143, SR-144]', async () => {
    class Strict extends Designer {
      protected override getSelfReviewConfig() {
        return { maxIterations: 1 };
      }
      settings() {
        return super.getSelfReviewConfig();
      }
    }
    expect(await new Strict().run(request)).toMatchObject({ status: 'exhausted' });
    expect(new Strict().settings()).toEqual({});
  });

  it('the capture hears of every run with reviews and logs scores and gaps [SR-07, SR-115, SR-116, SR-136, SR-146]', async () => {
    const agent = new Designer();
    await agent.execute(request);
    expect(agent.logged).toEqual([
      {
        agentId: 'designer-1',
        taskId: 'task-7',
        iterations: 2,
        initialScore: 0.6,
        finalScore: 1,
        improvement: 0.4,
        gapsAddressed: 1,
      },
    ]);
  });

  it('captureForLearning is read from the resolved configuration [D004-34]', async () => {
    class Quiet extends Designer {
      protected override getSelfReviewConfig() {
        return { captureForLearning: false };
      }
    }
    const quiet = new Quiet();
    await quiet.execute(request);
    expect(quiet.logged).toEqual([]);
  });

  it('a capture that throws loses nothing [D004-35]', async () => {
    class Broken extends Designer {
      protected override async captureReviewLearning(): Promise<void> {
        throw new Error('no disk');
      }
    }
    const agent = new Broken();
    expect(await agent.run(request)).toMatchObject({ status: 'approved' });
    expect(agent.logged).toEqual([{ agentId: 'designer-1', error: 'no disk' }]);
  });

  it('an agent that cannot improve has one round', async () => {
    class Fixed extends BaseAgent<{ sql: string }, string> {
      protected getReviewCriteria(): AgentReviewCriteria<{ sql: string }, string> {
        return {
          ...(criteria(() => true) as unknown as AgentReviewCriteria<{ sql: string }, string>),
          criteria: [
            criterion(
              'limit',
              (output: { sql: string }) => output.sql.includes('LIMIT') || 'no LIMIT',
            ),
          ],
        };
      }
      protected async produce(task: string) {
        return { sql: task };
      }
    }
    const agent = new Fixed();
    expect(agent.metadata.id).toBe('Fixed');
    expect(await agent.run('SELECT 1 LIMIT 1')).toMatchObject({
      approved: true,
      output: { sql: 'SELECT 1 LIMIT 1' },
    });
    expect(await agent.run('SELECT 1')).toMatchObject({ status: 'exhausted', code: 'no_address' });
  });

  it('an output of another type is replaced by what addressGaps returns', async () => {
    class Sql extends BaseAgent<{ sql: string }, string> {
      protected getReviewCriteria() {
        return {
          ...(criteria(() => true) as unknown as AgentReviewCriteria<{ sql: string }, string>),
          criteria: [
            criterion(
              'limit',
              (output: { sql: string }) => output.sql.includes('LIMIT') || 'no LIMIT',
            ),
          ],
        };
      }
      protected async produce(task: string) {
        return { sql: task };
      }
      protected override async callLLMForImprovements(prompt: string) {
        return { sql: prompt.includes('no LIMIT') ? 'SELECT 1 LIMIT 1' : '' };
      }
    }
    expect(await new Sql().execute('SELECT 1')).toEqual({ sql: 'SELECT 1 LIMIT 1' });
  });

  it('a subclass may address gaps itself', async () => {
    class Own extends Designer {
      protected override async addressGaps(
        _request: AgentRequest,
        output: AgentOutput,
        gaps: Gap[],
        context: AddressContext<AgentRequest>,
      ): Promise<AgentOutput> {
        expect(context.task).toEqual(request);
        return {
          ...output,
          artifacts: [
            ...output.artifacts,
            ...gaps.map((gap) => ({ type: 'note', path: gap.id, content: gap.description })),
          ],
        };
      }
    }
    expect(await new Own().run(request)).toMatchObject({ approved: true });
  });

  it('without any output, run tells the outcome and execute throws', async () => {
    class Down extends Designer {
      protected override async produce(): Promise<AgentOutput> {
        throw new Error('model down');
      }
    }
    expect(await new Down().run(request)).toMatchObject({ status: 'failed', output: undefined });
    await expect(new Down().execute(request)).rejects.toThrow('model down');
  });

  it('the prompt states the task also where the request has a prompt instead of a description [D004-44]', async () => {
    const agent = new Designer();
    await agent.execute({
      context: { task: { id: 't', prompt: 'Three pages, please' }, items: [] },
    });
    expect(agent.prompts[0]).toContain('Three pages, please');
  });

  it('improvements come from any LLMProvider [D004-24]', async () => {
    const provider = scriptedProvider([JSON.stringify(textOutput('two', 'two.html'))]);
    class Asking extends Designer {
      protected override async callLLMForImprovements(prompt: string): Promise<AgentOutput> {
        const { text } = await provider.generate({
          messages: [{ role: 'user', content: prompt }],
          signal: AbortSignal.timeout(60_000),
        });
        return AgentOutputSchema.parse(JSON.parse(text));
      }
    }
    expect(await new Asking().run(request)).toMatchObject({ approved: true });
    expect(provider.requests[0]?.messages[0]?.content).toContain('a page is missing');
  });
});
