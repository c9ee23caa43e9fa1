import { describe, expect, it } from 'vitest';
import type { RequirementCoverage } from '../../../../src/core/coverage.js';
import type { AgentOutput } from '../../../../src/self-review/agent.js';
import { UIDesignerReviewCriteria } from '../../../../src/self-review/criteria/ui-designer.js';

const context = { previous: [], previousOutputs: [], previousReviews: [] };

function covered(requirement: string, ...files: (string | undefined)[]) {
  const artifacts: AgentOutput['artifacts'] = files.map((content, index) => ({
    type: 'mockup',
    path: `${index}.html`,
    content,
  }));
  return new UIDesignerReviewCriteria().checkRequirementCovered(
    requirement,
    { artifacts },
    context,
  );
}

async function detailsOf(found: Promise<RequirementCoverage>): Promise<string> {
  return (await found).coverageDetails;
}

describe('the coverage of mockups', () => {
  const requirement = 'Password visibility toggle';

  it('counts words of different files, and words that are far apart', async () => {
    expect(await covered(requirement, 'Password', 'toggle')).toMatchObject({
      covered: true,
      confidence: 2 / 3,
    });
    const far = `Password ${'lorem ipsum '.repeat(200)} visibility ${'dolor sit '.repeat(200)} toggle`;
    expect(await covered(requirement, far)).toMatchObject({ covered: true, confidence: 1 });
  });

  it('quotes what was found, with its share', async () => {
    const details = await detailsOf(covered(requirement, '<b>Password toggle</b>'));
    expect(details).toMatch(/^Found.*66%/);
    expect(details).toContain('"Password toggle"');
  });

  it('quotes the file that it names, where a requirement is spread over files', async () => {
    const spread = await covered(requirement, 'visibility', 'Password toggle');
    expect(spread).toMatchObject({ covered: true, evidenceLocation: '1.html:1' });
    expect(spread.coverageDetails).toContain('"Password toggle"');
  });

  it('tells apart a part, nothing, and a requirement without words', async () => {
    const part = await covered('Chart legend colours axes', 'a chart');
    expect(part).toMatchObject({ covered: false, confidence: 1 / 4 });
    expect(part.coverageDetails).toContain('25%');
    expect(part.coverageDetails).toContain('"chart"');
    const none = await covered('Chart legend colours axes', 'tea');
    expect(none).toMatchObject({ covered: false, confidence: 0 });
    expect(none.coverageDetails).not.toContain('%');
    expect(none).not.toHaveProperty('evidenceLocation');
    const empty = await detailsOf(covered('', 'tea'));
    expect(await detailsOf(covered(' ', 'tea'))).toBe(empty);
    expect(new Set([empty, none.coverageDetails, part.coverageDetails]).size).toBe(3);
    expect(none.coverageDetails).not.toBe('');
  });

  it('finds nothing in a mockup without content', async () => {
    expect(await covered('The stryker was here', undefined)).toMatchObject({
      covered: false,
      confidence: 0,
    });
  });
});
