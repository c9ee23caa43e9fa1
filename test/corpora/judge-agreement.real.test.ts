import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { cohensKappa } from '@/products/calibration/confusion.js';
import { describeCorpora } from '../support/corpora.js';

const Winner = z.object({ winner: z.string().nullable() });
const Result = z.array(
  z.object({ label: z.union([z.number(), z.string()]), results: z.array(z.unknown()).min(1) }),
);
const Orders = z.object({ 'swap = False': Winner, 'swap = True': Winner });

/** Every folder below that holds recorded judgements and what was published about them. */
function sets(folder: string): string[] {
  if (existsSync(join(folder, 'result.json')) && existsSync(join(folder, 'statistics.json')))
    return [folder];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? sets(join(folder, entry.name)) : [],
  );
}

const json = (...path: string[]): unknown =>
  JSON.parse(readFileSync(join(...path), 'utf8').replace(/\bNaN\b/g, 'null'));

/** A number as the published files show it: the shortest digits, and never without a fraction. */
const shown = (value: number): string => (Number.isInteger(value) ? `${value}.0` : String(value));

interface Recorded {
  readonly label: string;
  readonly first: string | null;
  readonly swapped: string | null;
}

function recorded(folder: string): Recorded[] {
  return Result.parse(json(folder, 'result.json')).map(({ label, results }) => {
    const orders = Orders.parse(results.at(-1));
    return {
      label: String(label),
      first: orders['swap = False'].winner,
      swapped: orders['swap = True'].winner,
    };
  });
}

/** The published kappas count a winner as 1 only when it is the first, and everything else as 0, against labels of 1 and 2. */
const published = (winner: string | null): number => (winner === '1' ? 1 : 0);

function statisticsOf(rows: readonly Recorded[]): Record<string, unknown> {
  const share = (count: number): string =>
    `${count} / ${rows.length} = ${shown((count / rows.length) * 100)}%`;
  const right = (key: 'first' | 'swapped'): number =>
    rows.filter((row) => row[key] === row.label).length;
  const labels = rows.map(({ label }) => Number(label));
  const [first, swapped] = [
    rows.map((row) => published(row.first)),
    rows.map((row) => published(row.swapped)),
  ];
  const kappas = [cohensKappa(first, labels), cohensKappa(swapped, labels)] as const;
  return {
    correct_False: share(right('first')),
    correct_True: share(right('swapped')),
    correct_average: `${shown(((right('first') + right('swapped')) / 2 / rows.length) * 100)}%`,
    correct_both: share(
      rows.filter((row) => row.first === row.label && row.swapped === row.label).length,
    ),
    equal: share(rows.filter((row) => row.first === row.swapped).length),
    kappa_False: kappas[0] ?? null,
    kappa_True: kappas[1] ?? null,
    kappa_average:
      kappas[0] === undefined || kappas[1] === undefined ? null : (kappas[0] + kappas[1]) / 2,
    kappa_agreement: cohensKappa(first, swapped) ?? null,
  };
}

/** Figures to twelve digits: libraries add in other orders. */
const rounded = (figures: unknown): unknown =>
  JSON.parse(JSON.stringify(figures), (_, value: unknown) =>
    typeof value === 'number' ? Number(value.toFixed(12)) : value,
  );

describeCorpora('recorded judgements of pairs', (folder) => {
  const found = sets(join(folder, 'judge-agreement'));

  it('give every published figure, to the digit', () => {
    expect(found.length).toBeGreaterThan(0);
    const table = found.map((set) => {
      const rows = recorded(set);
      expect(rounded(statisticsOf(rows)), set).toEqual(rounded(json(set, 'statistics.json')));
      const labels = rows.map(({ label }) => label);
      const kappa = cohensKappa(
        rows.map(({ first }) => first ?? 'none'),
        labels,
      );
      return `${relative(folder, set).padEnd(52)} n ${String(rows.length).padStart(4)}  kappa with labels ${kappa?.toFixed(3)}`;
    });
    console.log(table.join('\n'));
  });
});
