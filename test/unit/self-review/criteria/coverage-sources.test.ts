import { describe, expect, it } from 'vitest';
import type { RequirementCoverage } from '../../../../src/core/coverage.js';
import { type AgentOutput, agentRequest } from '../../../../src/self-review/agent.js';
import { BaseAgentReviewCriteria } from '../../../../src/self-review/criteria/base-agent-review-criteria.js';
import { UIDesignerReviewCriteria } from '../../../../src/self-review/criteria/ui-designer.js';

const context = { previous: [], previousOutputs: [], previousReviews: [] };

class Plain<Output = AgentOutput> extends BaseAgentReviewCriteria<Output> {
  agentId = 'plain';
  criteria = [];
}

const asked = 'Password visibility toggle';
const text = 'The form has a password visibility toggle.';
const covered = <Output>(output: Output, criteria = new Plain<Output>()) =>
  criteria.checkRequirementCovered(asked, output, context);

describe('a requirement is looked for', () => {
  it.each<[string, unknown]>([
    ['a file', { artifacts: [{ type: 'document', path: 'a.md', content: text }] }],
    ['a result that is a text', { artifacts: [], result: text }],
    ['a result that is data', { artifacts: [], result: { notes: [text] } }],
  ])('in %s', async (_, output) => {
    expect(await covered(output)).toMatchObject({ covered: true });
  });

  it.each<[string, unknown]>([
    ['no files and no result', { artifacts: [] }],
    ['a result that is undefined', { artifacts: [], result: undefined }],
    ['nothing', null],
    ['a number', 7],
  ])('and not found in %s', async (_, output) => {
    expect(await covered(output)).toMatchObject({ covered: false });
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

describe('the coverage by the pages of a designer', () => {
  const designer = new UIDesignerReviewCriteria();
  const page = (content: string): AgentOutput => ({
    artifacts: [{ type: 'mockup', path: 'a.html', content }],
  });

  it('counts words that stand far apart, and quotes what it found', async () => {
    const far = `<p>Password</p>${'\n<p>x</p>'.repeat(500)}\n<p>visibility</p>`;
    expect(await covered(page(far), designer as never)).toMatchObject({
      covered: true,
      coverageDetails: expect.stringContaining('% of its words: "'),
    });
  });

  it('says of each requirement why it is or is not covered', async () => {
    const details = async (requirement: string): Promise<string> =>
      (await designer.checkRequirementCovered(requirement, page('<p>Password</p>'), context))
        .coverageDetails;
    const told = [
      await details('Password'),
      await details(asked),
      await details(' '),
      await details('Chart legend'),
    ];
    expect(new Set(told).size).toBe(4);
    expect(told.map((one) => one.startsWith('Found'))).toEqual([true, false, false, false]);
    expect(told.map((one) => one.includes('"'))).toEqual([true, true, false, false]);
  });

  it('remembers which requirements were implied by the task', async () => {
    const request = agentRequest('The login page must show a logo');
    const [stated] = await designer.extractRequirements(request);
    const sources = [];
    for (const requirement of [stated ?? '', 'Forgot password link'])
      sources.push((await designer.checkRequirementCovered(requirement, page(''), context)).source);
    expect(sources).toEqual(['explicit', 'implicit']);
  });
});
