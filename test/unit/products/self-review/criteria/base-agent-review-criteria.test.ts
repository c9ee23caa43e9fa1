import { describe, expect, it } from 'vitest';
import type { RequirementCoverage } from '@/core/coverage.js';
import type { CriterionResult } from '@/core/criterion.js';
import {
  type AgentOutput,
  type AgentRequest,
  agentRequest,
  textOutput,
} from '@/products/self-review/agent.js';
import { BaseAgentReviewCriteria } from '@/products/self-review/criteria/base-agent-review-criteria.js';
import type { ReviewContext, ReviewCriterion } from '@/products/self-review/review-criterion.js';
import { context, coverageOf } from '../support.js';

/** Written as seed 004 writes its classes. */
class Docs extends BaseAgentReviewCriteria {
  agentId = 'docs';

  criteria: ReviewCriterion[] = [
    {
      id: 'has_title',
      name: 'Has title',
      description: 'The text has a title',
      severity: 'major',
      category: 'missing',
      async validate(output, request, _context): Promise<CriterionResult> {
        const passed = output.artifacts.some((artifact) => artifact.content?.startsWith('# '));
        return {
          passed,
          score: passed ? 1 : 0,
          details: request.context.task.id,
          suggestedFix: passed ? undefined : 'Add one',
          estimatedEffort: 'small',
        };
      },
    },
  ];

  protected override inferImplicitRequirements(request: AgentRequest): string[] {
    return request.context.task.description?.includes('guide') ? ['Table of contents'] : [];
  }
}

class Overriding extends Docs {
  override async checkRequirementCovered(
    requirement: string,
    _output: AgentOutput,
    _context: ReviewContext,
  ): Promise<RequirementCoverage> {
    return { ...coverageOf(requirement, true), coverageDetails: 'always' };
  }
}

class Bare extends BaseAgentReviewCriteria<{ body: string }, { ask: string }> {
  agentId = 'bare';
  criteria: ReviewCriterion<{ body: string }, { ask: string }>[] = [];
  protected override textOf(output: { body: string }): string {
    return output.body;
  }
  protected override taskText(request: { ask: string }): string {
    return request.ask;
  }
}

describe('BaseAgentReviewCriteria', () => {
  it('a subclass of the seed works, with its id, criteria and own coverage check [SR-55, SR-137]', async () => {
    const docs = new Docs();
    expect(docs.agentId).toBe('docs');
    expect(
      await docs.criteria[0]?.validate(textOutput('# A'), agentRequest('x'), context),
    ).toMatchObject({ passed: true });
    expect(
      await new Overriding().checkRequirementCovered('a', textOutput(''), context),
    ).toMatchObject({ covered: true, coverageDetails: 'always' });
  });

  it('requirements are the union of explicit, implicit and acceptance criteria, each once [SR-56, SR-61]', async () => {
    const request = agentRequest({
      description: 'Write the guide.\n- Explain the setup\n- Explain the setup',
      acceptanceCriteria: ['Explain the setup', 'Is short', 'Is short'],
    });
    expect(await new Docs().extractRequirements(request)).toEqual([
      'Table of contents',
      'Explain the setup',
      'Is short',
    ]);
    expect(await new Bare().extractRequirements({ ask: '- one thing' })).toEqual(['one thing']);
  });

  it('the description is read, else the prompt [SR-60]', async () => {
    const request: AgentRequest = {
      context: { task: { id: 't', prompt: '- from the prompt' }, items: [] },
    };
    expect(await new Docs().extractRequirements(request)).toEqual(['from the prompt']);
  });

  it('coverage carries the source, the place and a quote; an empty requirement is not covered [D004-25]', async () => {
    const docs = new Docs();
    await docs.extractRequirements(agentRequest('Write the guide.'));
    const check = (requirement: string, output: AgentOutput) =>
      docs.checkRequirementCovered(requirement, output, context);
    const artifacts = [
      ...textOutput('Some words', 'b.md').artifacts,
      ...textOutput('\nTable of contents', 'a.md').artifacts,
    ];
    expect(await check('Table of contents', { artifacts })).toMatchObject({
      source: 'implicit',
      covered: true,
      confidence: 1,
      evidenceLocation: 'a.md:2',
      evidence: [{ file: 'a.md', line: 2, quote: expect.stringContaining('Table of contents') }],
    });
    const none = { source: 'explicit', covered: false, confidence: 0 };
    expect(await check('Explain the setup', textOutput('nothing'))).toMatchObject(none);
    expect(await check(' ', textOutput('nothing'))).toMatchObject({
      covered: false,
      confidence: 0,
      coverageDetails: 'The requirement is empty',
    });
  });

  it('the default check reads what textOf gives, and the result [SR-141]', async () => {
    const bare = new Bare();
    const bodies = [
      ['about the setup', true],
      ['nothing', false],
      ['about the setup', true],
    ] as const;
    for (const [body, covered] of bodies)
      expect(await bare.checkRequirementCovered('the setup', { body }, context)).toMatchObject({
        covered,
      });
    const output = { artifacts: [], result: { note: 'setup' } };
    expect(await new Docs().checkRequirementCovered('the setup', output, context)).toMatchObject({
      covered: true,
    });
  });
});

class Reading extends BaseAgentReviewCriteria<unknown, string> {
  agentId = 'reading';
  criteria: ReviewCriterion<unknown, string>[] = [];
  read(output: unknown): string {
    return this.textOf(output);
  }
}

describe('the text that criteria read', () => {
  const file = (path: string, content?: string) => ({ type: 'text', path, content });

  it.each<[string, unknown, string]>([
    ['a text is read as it is', 'tea', 'tea'],
    ['nothing has no text', null, ''],
    ['undefined has no text', undefined, ''],
    ['files begin on lines of their own', { artifacts: [file('a', 'x'), file('b', 'y')] }, 'x\ny'],
    ['a file without content is empty', { artifacts: [file('a')] }, ''],
    ['a result that is a text has no quotes', { result: 'tea' }, 'tea'],
    ['another result is JSON', { result: { cups: 2 } }, '{"cups":2}'],
    ['a result that has no JSON is empty', { result: () => 1 }, ''],
    [
      'a result that is left out adds no line',
      { artifacts: [file('a', 'x')], result: undefined },
      'x',
    ],
    ['the result follows the files', { artifacts: [file('a', 'x')], result: 'y' }, 'x\ny'],
  ])('%s', (_, output, text) => {
    expect(new Reading().read(output)).toBe(text);
  });
});

class Plain<Output = AgentOutput> extends BaseAgentReviewCriteria<Output> {
  agentId = 'plain';
  criteria = [];
}

const asked = 'Password visibility toggle';
const text = 'The form has a password visibility toggle.';
const covered = <Output>(output: Output, criteria = new Plain<Output>()) =>
  criteria.checkRequirementCovered(asked, output, context);

describe('a requirement is looked for', () => {
  it.each<[string, unknown, boolean]>([
    ['a file', { artifacts: [{ type: 'document', path: 'a.md', content: text }] }, true],
    ['a result that is a text', { artifacts: [], result: text }, true],
    ['a result that is data', { artifacts: [], result: { notes: [text] } }, true],
    ['no files and no result', { artifacts: [] }, false],
    ['a result that is undefined', { artifacts: [], result: undefined }, false],
    ['nothing', null, false],
    ['a number', 7, false],
  ])('in %s, and found or not', async (_, output, found) => {
    expect(await covered(output)).toMatchObject({ covered: found });
  });

  it('in the output at hand, also after another one with the same files or texts', async () => {
    const file = (path: string, content: string): AgentOutput => ({
      artifacts: [{ type: 'document', path, content }],
    });
    const criteria = new Plain<AgentOutput>();
    const places: [boolean, string | undefined][] = [];
    for (const output of [
      file('a.md', text),
      file('a.md', 'nothing of it'),
      file('b.md', text),
      file('a.md', text),
    ]) {
      const { covered: is, evidenceLocation } = await covered(output, criteria);
      places.push([is, evidenceLocation]);
    }
    expect(places).toEqual([
      [true, 'a.md:1'],
      [false, undefined],
      [true, 'b.md:1'],
      [true, 'a.md:1'],
    ]);
  });

  it('with its place only where that is a file', async () => {
    const found: RequirementCoverage = await covered({ artifacts: [], result: text });
    expect(found).not.toHaveProperty('evidenceLocation');
    expect(found.evidence).toMatchObject([{ line: 1 }]);
  });
});

class Implying extends BaseAgentReviewCriteria {
  agentId = 'implying';
  criteria: ReviewCriterion[] = [];
  implied: string[] = [];
  protected override inferImplicitRequirements(): string[] {
    return this.implied;
  }
  async source(requirement: string) {
    return (await this.checkRequirementCovered(requirement, textOutput('tea'), context)).source;
  }
}

describe('the source of a requirement', () => {
  it('is explicit if the task states it, also after a task that only implied it', async () => {
    const criteria = new Implying();
    criteria.implied = ['Loading states', 'Error message'];
    await criteria.extractRequirements(agentRequest('Design it.'));
    expect(await criteria.source('Loading states')).toBe('implicit');
    criteria.implied = [];
    await criteria.extractRequirements(
      agentRequest({ description: '- Loading states', acceptanceCriteria: ['Error message'] }),
    );
    expect(await criteria.source('Loading states')).toBe('explicit');
    expect(await criteria.source('Error message')).toBe('explicit');
  });

  it('is remembered for 10,000 requirements, the newest', async () => {
    const criteria = new Implying();
    const count = 10_001;
    criteria.implied = Array.from({ length: count }, (_, index) => `Screen ${index}`);
    await criteria.extractRequirements(agentRequest('Design it.'));
    expect(await criteria.source('Screen 0')).toBe('explicit');
    expect(await criteria.source('Screen 1')).toBe('implicit');
    expect(await criteria.source(`Screen ${count - 1}`)).toBe('implicit');
  });

  it('needs a text: blank requirements are left out', async () => {
    const criteria = new Implying();
    criteria.implied = [' ', 'Loading states', ''];
    expect(
      await criteria.extractRequirements(
        agentRequest({ description: '', acceptanceCriteria: [' ', ' Is short '] }),
      ),
    ).toEqual(['Loading states', 'Is short']);
  });
});
