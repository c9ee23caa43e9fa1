import { describe, expect, it } from 'vitest';
import { bySeverity, GapSeveritySchema, type Severity, severityAtLeast } from '@/core/gap.js';
import {
  levelOfScore,
  levelRank,
  QualityLevelSchema,
} from '@/products/reviewer-stage/quality-level.js';

describe('severity', () => {
  it('is critical, major or minor [SR-17]', () => {
    expect(GapSeveritySchema.options).toEqual(['critical', 'major', 'minor']);
    expect(GapSeveritySchema.safeParse('blocker').success).toBe(false);
  });

  it('sorts the worst first', () => {
    const gaps = (['minor', 'critical', 'major', 'critical'] as const).map((severity) => ({
      severity,
    }));
    expect(gaps.sort(bySeverity).map(({ severity }) => severity)).toEqual([
      'critical',
      'critical',
      'major',
      'minor',
    ]);
  });

  it.each<[Severity, Severity, boolean]>([
    ['critical', 'minor', true],
    ['major', 'major', true],
    ['minor', 'minor', true],
    ['major', 'critical', false],
    ['minor', 'major', false],
  ])('%s reaches the floor %s: %s', (severity, floor, reaches) => {
    expect(severityAtLeast(severity, floor)).toBe(reaches);
  });
});

describe('quality levels', () => {
  it('have explicit ranks, and no alphabetical order [D003-16]', () => {
    expect(QualityLevelSchema.options.map((level) => [level, levelRank(level)])).toEqual([
      ['poor', 0],
      ['needs_work', 1],
      ['acceptable', 2],
      ['good', 3],
      ['excellent', 4],
    ]);
  });

  it.each([
    [0, 'poor'],
    [0.19, 'poor'],
    [0.2, 'needs_work'],
    [0.39, 'needs_work'],
    [0.4, 'acceptable'],
    [0.6, 'good'],
    [0.79, 'good'],
    [0.8, 'excellent'],
    [1, 'excellent'],
  ] as const)('a score of %s is %s', (score, level) => {
    expect(levelOfScore(score)).toBe(level);
  });

  it('takes nothing that is no score for a good level', () => {
    expect([Number.NaN, -1].map(levelOfScore)).toEqual(['poor', 'poor']);
  });
});
