import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Report } from '../../bench/lib/report.mjs';
import { readSource, root } from '../architecture/repository.js';

const cases = readdirSync(`${root}bench/cases`).map((name) => readSource(`bench/cases/${name}`));
const rows = cases.flatMap((text) =>
  [...text.matchAll(/\.page\('([^']+)', \[/g)].map(([, row = '']) => row),
);

/** What the page tells in a row, found by a figure that is nowhere. */
function toldIn(row: string): readonly number[] {
  const report = new Report();
  report.page(row, [-1]);
  return report.targets[0]?.['told'] as readonly number[];
}

/** Whether the page agrees with figures that are these times what it tells. */
function agrees(row: string, factor: number): unknown {
  const report = new Report();
  report.page(
    row,
    toldIn(row).map((told) => told * factor),
  );
  return report.targets[0]?.['agrees'];
}

describe('a bench', () => {
  it('compares rows that the page of performance has', () => {
    expect(rows.length).toBeGreaterThan(6);
    expect(rows.filter((row) => toldIn(row).length === 0)).toEqual([]);
  });

  it.each(rows)('says where the page differs by more than a quarter: %s [R3-041]', (row) => {
    const factors = [1, 0.8, 1.2, 0.7, 1.3];
    expect(factors.map((factor) => agrees(row, factor))).toEqual([true, true, true, false, false]);
    const report = new Report();
    report.page(row, [...toldIn(row), 1]);
    expect(report.targets[0]?.['agrees']).toBe(false);
  });
});
