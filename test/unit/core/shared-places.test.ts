import { describe, expect, it } from 'vitest';
import type { Assessment } from '../../../src/core/assessment.js';
import type { RequirementCoverage } from '../../../src/core/coverage.js';
import type { Gap } from '../../../src/core/gap.js';
import { sharedGaps } from '../../../src/core/shared-gaps.js';

const asked = 'The page must state its language';
const base: Gap = {
  id: '',
  severity: 'minor',
  category: 'quality',
  description: 'no lang',
  suggestedFix: 'add it',
  estimatedEffort: 'small',
  autoFixable: true,
  criterionId: 'lang',
  location: { file: 'a.html', line: 2 },
};
const quote = { file: 'a.html', line: 2, quote: '<html>', share: 1 };

/** Returns the gaps of the check, then those of the requirement. */
function shared(
  { gap = {}, ...coverage }: Partial<RequirementCoverage> & { readonly gap?: Partial<Gap> } = {},
  severity: Gap['severity'] = 'major',
): readonly (readonly Gap[])[] {
  const about: RequirementCoverage = {
    requirement: asked,
    source: 'explicit',
    covered: false,
    coverageDetails: 'no lang',
    confidence: 1,
    decidedBy: 'lang',
    reportedBy: 'lang',
    evidence: [quote],
    ...coverage,
  };
  const criterion = `requirement:${asked}`;
  const { location: _, ...own } = base;
  const violated: Gap = { ...own, criterionId: criterion, affectedRequirement: asked, severity };
  const found: Gap = { ...base, ...gap };
  const failed = (id: string, more: Partial<Assessment> = {}): Assessment =>
    ({
      verdict: 'fail',
      criterion: id,
      score: 0,
      explanation: '',
      gaps: [],
      ...more,
    }) as Assessment;
  return sharedGaps([
    { assessment: failed('lang'), gaps: [found] },
    { assessment: failed(criterion, { coverage: about }), gaps: [violated] },
  ]).map(({ gaps }) => gaps);
}

describe('the gap of a requirement that a check decided', () => {
  it('is left out if the check reports its place', () => {
    const [check, requirement] = shared();
    expect(check).toMatchObject([{ affectedRequirement: asked, severity: 'major' }]);
    expect(requirement).toEqual([]);
  });

  it('is left out if its line lies within the place of the gap', () => {
    const within = { location: { file: 'a.html', line: 1, endLine: 3 } };
    expect(shared({ gap: within })[1]).toEqual([]);
  });

  it.each([
    ['a model decided it', { decidedBy: 'model' }],
    ['a person decided it', { decidedBy: 'person' }],
    ['nobody is named who decided it', { decidedBy: undefined }],
    ['the gap is in another file', { gap: { location: { file: 'b.html', line: 2 } } }],
    ['the gap is below', { gap: { location: { file: 'a.html', line: 3 } } }],
    ['the gap ends above', { gap: { location: { file: 'a.html', line: 1 } } }],
    ['the gap has no place', { gap: { location: undefined } }],
    [
      'the gap has no place, but its file is known',
      { files: ['a.html'], gap: { location: undefined } },
    ],
    ['the gap is about another requirement', { gap: { affectedRequirement: 'It has a title' } }],
    ['nobody may fix the gap', { gap: { autoFixable: false } }],
  ])('stays if %s', (_, given) => {
    const [check, requirement] = shared(given);
    expect(check?.[0]?.severity).toBe('minor');
    expect(requirement).toMatchObject([{ affectedRequirement: asked, severity: 'major' }]);
  });

  it.each([
    ['minor', 'critical', 'critical'],
    ['critical', 'minor', 'critical'],
    ['major', 'major', 'major'],
  ] as const)('leaves the worse severity: of %s and %s %s', (own, asking, severity) => {
    expect(shared({ gap: { severity: own } }, asking)[0]).toMatchObject([{ severity }]);
  });
});
