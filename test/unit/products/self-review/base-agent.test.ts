import { describe, expect, it } from 'vitest';
import { fast } from '@/blocks/pipeline/trust-presets.js';
import {
  type AddressContext,
  type AgentOutput,
  type AgentRequest,
  type AgentReviewCriteria,
  agentRequest,
  BaseAgent,
  criterion,
  type Gap,
  memoryStore,
  type Outcome,
  type ReviewCriterion,
  type SelfReviewResult,
  textOutput,
} from '@/index.js';
import { silentLogger } from '@/ports/logger.js';
import type { PartialSelfReviewConfig } from '@/products/self-review/config.js';
import { annotated } from '@/products/self-review/self-review-loop.js';
import { AgentOutputSchema } from '@/schemas.js';
import { fakeWorkspace, scriptedProvider } from '@/testing/index.js';
import { agentCriteria, explained, judgeOf } from './support.js';

const request = agentRequest({ id: 'task-7', description: 'Two pages' });
const complete = criterion<AgentOutput, AgentRequest>(
  'complete',
  (output) => output.artifacts.length > 1 || 'a page is missing',
);

class Designer extends BaseAgent {
  override metadata = { id: 'designer-1' };
  prompts: string[] = [];
  logged: object[] = [];
  protected override readonly logger = {
    ...silentLogger,
    error: (fields: object) => void this.logged.push(fields),
    info: (fields: object, message: string) => {
      if (message === 'Self-review learning capture') this.logged.push(fields);
    },
  };
  protected getReviewCriteria() {
    return agentCriteria([complete]);
  }
  protected async produce(): Promise<AgentOutput> {
    return textOutput('one', 'one.html');
  }
  protected override async callLLMForImprovements(prompt: string): Promise<AgentOutput> {
    this.prompts.push(prompt);
    return textOutput('two', 'two.html');
  }
}

/** An agent whose output is a query, which needs a limit. */
class Sql extends BaseAgent<{ sql: string }, string> {
  protected getReviewCriteria() {
    return agentCriteria<{ sql: string }, string>([
      criterion('limit', ({ sql }: { sql: string }) => sql.includes('LIMIT') || 'no LIMIT'),
    ]);
  }
  protected async produce(task: string) {
    return { sql: task };
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
    const agent = new Sql();
    expect(agent.metadata.id).toBe('Sql');
    expect(await agent.run('SELECT 1 LIMIT 1')).toMatchObject({
      approved: true,
      output: { sql: 'SELECT 1 LIMIT 1' },
    });
    expect(await agent.run('SELECT 1')).toMatchObject({ status: 'exhausted', code: 'no_address' });
  });

  it('an output of another type is replaced by what addressGaps returns', async () => {
    class Improving extends Sql {
      protected override async callLLMForImprovements(prompt: string) {
        return { sql: prompt.includes('no LIMIT') ? 'SELECT 1 LIMIT 1' : '' };
      }
    }
    expect(await new Improving().execute('SELECT 1')).toEqual({ sql: 'SELECT 1 LIMIT 1' });
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

abstract class Writer extends BaseAgent {
  protected given: ReviewCriterion[] = [explained];
  protected getReviewCriteria(): AgentReviewCriteria {
    return { ...agentCriteria(this.given), version: '1' };
  }
  protected async produce(): Promise<AgentOutput> {
    return textOutput('tea');
  }
}

describe('the members of an agent', () => {
  it('`provider` is the model of its criteria', async () => {
    const judge = judgeOf('judge');
    class Judged extends Writer {
      protected override readonly provider = judge;
    }
    expect((await new Judged().run(request)).status).toBe('approved');
    expect(judge.requests).toHaveLength(1);
  });

  it('`trust` lets the models of `confirmWith` take turns', async () => {
    const [judge, other] = [judgeOf('judge'), judgeOf('other')];
    class Trusted extends Writer {
      protected override readonly provider = judge;
      protected override readonly trust = fast;
      protected override readonly confirmWith = other;
    }
    expect((await new Trusted().run(request)).status).toBe('approved');
    expect([judge.requests.length, other.requests.length]).toEqual([1, 1]);
  });

  it('`workspace` is a part of each version', async () => {
    const files = fakeWorkspace({ 'a.txt': 'old' });
    class Filing extends Writer {
      protected override readonly workspace = files;
      protected override given = [criterion<AgentOutput, AgentRequest>('any', () => true)];
    }
    expect((await new Filing().run(request)).status).toBe('approved');
    expect(files.calls.some((call) => call.startsWith('snapshot'))).toBe(true);
  });
});

describe('how an agent improves', () => {
  class Incomplete extends Writer {
    protected override given = [complete];
  }

  it('its provider returns edits where nothing is overridden', async () => {
    const edit = { artifacts: [{ type: 'text', path: 'b.md', content: 'two' }] };
    const model = scriptedProvider([JSON.stringify(edit)]);
    class Edited extends Incomplete {
      protected override readonly provider = model;
    }
    const output = await new Edited().execute(request);
    expect(output.artifacts.map(({ path }) => path)).toEqual(['output.md', 'b.md']);
    expect(model.requests).toHaveLength(1);
  });

  it('a provider that returns no edit improves nothing', async () => {
    const model = scriptedProvider(['not an edit', 'not an edit', 'not an edit']);
    class Edited extends Incomplete {
      protected override readonly provider = model;
    }
    expect(await new Edited().run(request)).toMatchObject({ approved: false });
    expect(model.requests.length).toBeGreaterThan(0);
  });

  it('its own callLLMForImprovements comes before its provider', async () => {
    const model = scriptedProvider([]);
    class Asking extends Incomplete {
      protected override readonly provider = model;
      protected override async callLLMForImprovements() {
        return textOutput('two', 'b.md');
      }
    }
    expect((await new Asking().run(request)).status).toBe('approved');
    expect(model.requests).toEqual([]);
  });

  it('without any model, the default fails and is named as misuse', async () => {
    class Lost extends Incomplete {
      async ask() {
        return this.callLLMForImprovements('please');
      }
    }
    await expect(new Lost().ask()).rejects.toMatchObject({ code: 'invalid_options' });
    await expect(new Lost().ask()).rejects.toThrow('Lost');
  });
});

it('an output whose version was not reviewed gets the review of no other version', () => {
  const output = { result: 'tides', artifacts: [{ type: 'document', path: 'a.md', content: 'a' }] };
  const reviews = [{ overallScore: 1 }] as unknown as SelfReviewResult[];
  const outcome = {
    status: 'exhausted',
    approved: false,
    reason: 'the time is over',
    review: undefined,
    reviews: [{ version: 'another' }],
  } as unknown as Outcome<typeof output>;
  const copy = annotated(output, outcome, reviews, 3);
  expect(copy).not.toHaveProperty('selfReviewResult');
  expect(copy).not.toHaveProperty('qualityScore');
  expect(copy).toMatchObject({ ...output, routingHints: { needsApproval: true } });
});

describe('what an agent learns from a run', () => {
  const says = (word: string) =>
    criterion<AgentOutput, AgentRequest>(
      word,
      (output) => output.artifacts[0]?.content?.includes(word) || `${word} is missing`,
      { severity: 'minor' },
    );

  /** Improves from one word to three, one at a time, as often as it may. */
  class Growing extends BaseAgent {
    summaries: object[] = [];
    protected override readonly logger = {
      ...silentLogger,
      info: (fields: object) => void ('initialScore' in fields && this.summaries.push(fields)),
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
    protected getReviewCriteria() {
      return agentCriteria(['one', 'two', 'three'].map(says));
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

  it('compares the first review with the last', async () => {
    const agent = new Growing({ qualityThreshold: 0.95, maxIterations: 2 });
    await agent.run(request);
    const [summary] = agent.summaries as [Record<string, number>];
    expect(summary).toMatchObject({ taskId: 'task-7', iterations: 2, gapsAddressed: 1 });
    expect(summary['initialScore']).toBeCloseTo(0.4 / 3 + 0.6);
    expect(summary['finalScore']).toBeCloseTo(0.8 / 3 + 0.6);
    expect(summary['improvement']).toBeCloseTo(0.4 / 3);
  });

  it('is nothing, and nothing is heard, where nothing was reviewed, or produced', async () => {
    const agent = new Growing({ enabled: false });
    expect((await agent.run(request)).status).toBe('accepted');
    await agent.captureNothing();
    expect(agent.summaries).toEqual([]);
    class Failing extends Growing {
      protected override async produce(): Promise<never> {
        throw new Error('down');
      }
    }
    const failing = new Failing({});
    await failing.run(request);
    expect(failing.summaries).toEqual([]);
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
