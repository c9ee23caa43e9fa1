import { describe, expect, it } from 'vitest';
import {
  type AgentOutput,
  type AgentRequest,
  type AgentReviewCriteria,
  agentRequest,
  BaseAgent,
  criterion,
  llmCriterion,
  memoryVerdicts,
  type ReviewCriterion,
  textOutput,
} from '../../../src/index.js';
import { fast } from '../../../src/pipeline/trust.js';
import { fakeWorkspace, scriptedProvider } from '../../../src/testing/index.js';
import { checklistJudge } from '../../support/checklist-judge.js';

const request = agentRequest('tea');
const judgeOf = (id: string) =>
  checklistJudge([{ question: /explain/, found: /oolong/, reason: 'oolong is not explained' }], {
    id,
  });
const explained = llmCriterion<AgentOutput, AgentRequest>({
  id: 'clear',
  question: 'Does it explain every term?',
});

function criteriaOf(...criteria: ReviewCriterion[]): AgentReviewCriteria {
  return {
    agentId: 'writer',
    version: '1',
    criteria,
    extractRequirements: async () => [],
    checkRequirementCovered: async () => {
      throw new Error('there are no requirements');
    },
  };
}

abstract class Writer extends BaseAgent {
  protected async produce(): Promise<AgentOutput> {
    return textOutput('tea');
  }
}

describe('the members of an agent', () => {
  it('`provider` is the model of its criteria', async () => {
    const judge = judgeOf('judge');
    class Judged extends Writer {
      protected override readonly provider = judge;
      protected getReviewCriteria() {
        return criteriaOf(explained);
      }
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
      protected getReviewCriteria() {
        return criteriaOf(explained);
      }
    }
    expect((await new Trusted().run(request)).status).toBe('approved');
    expect([judge.requests.length, other.requests.length]).toEqual([1, 1]);
  });

  it('`verdicts` spares what another agent asked', async () => {
    const kept = memoryVerdicts();
    let asked = 0;
    const tone = criterion<AgentOutput, AgentRequest>(
      'tone',
      () => {
        asked += 1;
        return true;
      },
      { version: '1' },
    );
    class Saving extends Writer {
      protected override readonly verdicts = kept;
      protected getReviewCriteria() {
        return criteriaOf(tone);
      }
    }
    for (let times = 0; times < 2; times += 1)
      expect((await new Saving().run(request)).status).toBe('approved');
    expect(asked).toBe(1);
  });

  it('`workspace` is a part of each version', async () => {
    const files = fakeWorkspace({ 'a.txt': 'old' });
    class Filing extends Writer {
      protected override readonly workspace = files;
      protected getReviewCriteria() {
        return criteriaOf(criterion<AgentOutput, AgentRequest>('any', () => true));
      }
    }
    expect((await new Filing().run(request)).status).toBe('approved');
    expect(files.calls).not.toEqual([]);
  });
});

describe('how an agent improves', () => {
  const complete = criterion<AgentOutput, AgentRequest>(
    'complete',
    (output) => output.artifacts.length > 1 || 'a page is missing',
  );
  const answer = JSON.stringify({ artifacts: [{ type: 'text', path: 'b.md', content: 'two' }] });

  class Incomplete extends Writer {
    protected getReviewCriteria() {
      return criteriaOf(complete);
    }
  }

  it('its provider returns edits where nothing is overridden', async () => {
    const model = scriptedProvider([answer]);
    class Edited extends Incomplete {
      protected override readonly provider = model;
    }
    const output = await new Edited().execute(request);
    expect(output.artifacts.map(({ path }) => path)).toEqual(['output.md', 'b.md']);
    expect(model.requests).toHaveLength(1);
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

  it('its own addressGaps is enough', async () => {
    class Own extends Incomplete {
      protected override async addressGaps(_request: AgentRequest, output: AgentOutput) {
        return { ...output, artifacts: [...output.artifacts, ...textOutput('b', 'b').artifacts] };
      }
    }
    expect((await new Own().run(request)).status).toBe('approved');
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
