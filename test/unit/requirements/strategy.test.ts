import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '@/requirements/explicit-requirements.js';
import type { Requirement } from '@/requirements/requirement.js';
import { RequirementExtractor } from '@/requirements/requirement-extractor.js';
import { combineStrategies } from '@/requirements/strategy.js';

const found = (text: string, line: number): Requirement => ({
  text,
  source: 'inferred',
  kind: 'own',
  strength: 'MAY',
  line,
  endLine: line,
  section: [],
});

describe('combineStrategies', () => {
  it('joins strategies, and says what two found once [D004-24]', async () => {
    const own = async (): Promise<Requirement[]> => [
      found('page loads fast', 1),
      found('Cookies are asked for', 1),
      found('Prints', 9),
    ];
    const extractor = new RequirementExtractor({ strategy: [explicitRequirements, own] });
    const texts = (await extractor.extract('The page must load fast')).map(({ text }) => text);
    expect(texts).toEqual(['The page must load fast', 'Cookies are asked for', 'Prints']);
  });

  it('a strategy that fails fails the extraction, and misuse is refused', async () => {
    const broken = combineStrategies(explicitRequirements, async () =>
      Promise.reject(new Error('no model')),
    );
    await expect(broken('- a')).rejects.toThrow('no model');
    expect(() => combineStrategies()).toThrow(/at least one function/);
    expect(() => new RequirementExtractor({ strategies: [] } as object)).toThrow(/strategies/);
  });
});
