import { describe, expect, it } from 'vitest';
import type { CriterionResult } from '../../../../src/core/criterion.js';
import type { Gap } from '../../../../src/core/gap.js';
import { type AgentOutput, agentRequest } from '../../../../src/self-review/agent.js';
import { UIDesignerReviewCriteria } from '../../../../src/self-review/criteria/ui-designer.js';

const context = { previous: [], previousOutputs: [], previousReviews: [] };
const page = (content: string, path = 'a.html'): AgentOutput['artifacts'][number] => ({
  type: 'mockup',
  path,
  content,
});

function criterionOf(id: string) {
  const found = new UIDesignerReviewCriteria().criteria.find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
}

function judged(...artifacts: AgentOutput['artifacts']): Promise<CriterionResult> {
  return criterionOf('accessibility_attributes').validate(
    { artifacts },
    agentRequest('Design it'),
    context,
  );
}

describe('the criteria of a UI designer', () => {
  it('keep their ids, weights and kinds', () => {
    const { criteria } = new UIDesignerReviewCriteria();
    expect(criteria.map(({ id, severity, category }) => [id, severity, category])).toEqual([
      ['all_screens_created', 'critical', 'missing'],
      ['design_tokens_applied', 'major', 'quality'],
      ['accessibility_attributes', 'major', 'quality'],
      ['responsive_design', 'major', 'incomplete'],
    ]);
  });
});

describe('the names of interactive elements', () => {
  it('do not apply without a page, which is no pass', async () => {
    expect(await judged()).toMatchObject({ passed: false, score: 0, skipped: expect.any(String) });
    const other = { type: 'document', path: 'a.md', content: 'text' };
    expect(await judged(other)).toMatchObject({ passed: false, skipped: expect.any(String) });
  });

  it('pass without advice and without findings if each has one', async () => {
    const result = await judged(page('<button>Save</button>'));
    expect(result).toMatchObject({ passed: true, score: 1, estimatedEffort: 'small' });
    expect(result).not.toHaveProperty('suggestedFix');
    expect(result).not.toHaveProperty('findings');
  });

  it('fail with advice, and each element without one is a finding', async () => {
    const result = await judged(page('<p>x</p>\n<button></button>\n<a href="/"></a>'));
    expect(result).toMatchObject({
      passed: false,
      score: 0,
      suggestedFix: expect.any(String),
      findings: [
        { file: 'a.html', line: 2 },
        { file: 'a.html', line: 3 },
      ],
    });
  });

  it('are told as findings in a pass, too, without advice for the whole', async () => {
    const result = await judged(page(`${'<button>x</button>'.repeat(9)}<button></button>`));
    expect(result).toMatchObject({ passed: true, score: 0.9, findings: [{ file: 'a.html' }] });
    expect(result).not.toHaveProperty('suggestedFix');
  });

  it('are not placeholders, which vanish while a person types', async () => {
    expect(await judged(page('<input placeholder="Email">'))).toMatchObject({
      passed: false,
      score: 0,
    });
    expect(await judged(page('<label>Email <input></label>'))).toMatchObject({ passed: true });
  });

  it('do not pass if a page could not be read, whatever the others have', async () => {
    const deep = page('<div>'.repeat(2000), 'deep.html');
    const failed = { passed: false, score: 0, details: expect.stringContaining('deep.html') };
    const alone = await judged(deep);
    expect(alone).toMatchObject({ ...failed, suggestedFix: expect.any(String) });
    expect(alone).not.toHaveProperty('skipped');
    expect(await judged(page('<button>Save</button>'), deep)).toMatchObject(failed);
  });

  it('are mended where a label stands beside its field, with a placeholder or without', async () => {
    const output = { artifacts: [page('<label>Email</label>\n<input placeholder="a@b.c">')] };
    const { fix } = criterionOf('accessibility_attributes');
    const { findings = [] } = await judged(...output.artifacts);
    const [found] = findings;
    const gap: Gap = {
      id: 'g',
      severity: 'major',
      category: 'quality',
      description: found?.description ?? '',
      suggestedFix: '',
      estimatedEffort: 'small',
      autoFixable: true,
      evidence: found?.evidence,
      location: { file: 'a.html', line: 2 },
    };
    const fixed = (await fix?.(output, gap, { signal: new AbortController().signal } as never)) as
      | AgentOutput
      | undefined;
    expect(fixed?.artifacts[0]?.content).not.toBe(output.artifacts[0]?.content);
    expect(await judged(...(fixed?.artifacts ?? []))).toMatchObject({ passed: true, score: 1 });
  });
});

describe('the layout', () => {
  it('fails without a stylesheet, and says what to write', async () => {
    const result = await criterionOf('responsive_design').validate(
      { artifacts: [] },
      agentRequest('Design it'),
      context,
    );
    expect(result).toMatchObject({ passed: false, score: 0, suggestedFix: expect.any(String) });
    expect(result).not.toHaveProperty('skipped');
  });
});
