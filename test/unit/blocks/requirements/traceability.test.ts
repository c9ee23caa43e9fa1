import { describe, expect, it } from 'vitest';
import { traceabilityMatrix } from '@/blocks/requirements/traceability.js';
import { coverageState } from '@/core/coverage.js';

const base = { source: 'explicit', coverageDetails: 'why', confidence: 0.5 } as const;

describe('traceabilityMatrix', () => {
  it('sets requirements against artifacts, with state and evidence [SR-05]', () => {
    const place = { file: 'a.md', line: 3, quote: 'q', share: 1 };
    const { artifacts, rows, counts } = traceabilityMatrix(
      [
        { ...base, requirement: 'one', covered: true, state: 'covered', evidence: [place] },
        { ...base, requirement: 'two', covered: false, state: 'unsure' },
        { ...base, requirement: 'three', covered: false, evidenceLocation: 'task-7' },
      ],
      ['b.md'],
    );
    expect(artifacts).toEqual(['b.md', 'a.md']);
    expect(counts).toEqual({ covered: 1, uncovered: 1, unsure: 1 });
    expect(rows.map(({ state, location }) => [state, location])).toEqual([
      ['covered', 'a.md:3'],
      ['unsure', undefined],
      ['uncovered', 'task-7'],
    ]);
    expect(rows[0]?.cells).toEqual({ 'a.md': place });
  });

  it('what contradicts itself is not covered', () => {
    expect(coverageState({ covered: true, state: 'unsure' })).toBe('unsure');
    expect(coverageState({ covered: true, state: 'uncovered' })).toBe('uncovered');
    expect(coverageState({ covered: false, state: 'covered' })).toBe('uncovered');
  });
});
