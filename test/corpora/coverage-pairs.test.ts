import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { CoverageState } from '../../src/kernel/coverage.js';
import { evidenceFinder } from '../../src/requirements/evidence.js';

const Pairs = z.array(z.strictObject({ requirement: z.string(), text: z.string(), covered: z.boolean(), kind: z.string(), split: z.enum(['dev', 'held']), set: z.enum(['hard', 'ordinary']) }));
const pairs = Pairs.parse(JSON.parse(readFileSync(new URL('coverage-pairs.json', import.meta.url), 'utf8')));

interface Scored {
  readonly covered: boolean;
  readonly confidence: number;
  readonly state: CoverageState;
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string | number): Map<string | number, T[]> {
  const groups = new Map<string | number, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** How often a covered pair has more confidence than one that is not; a tie counts half. */
function auc(scored: readonly Scored[]): number {
  const [yes, no] = [scored.filter(({ covered }) => covered), scored.filter(({ covered }) => !covered)];
  const wins = yes.flatMap((a) => no.map((b) => (a.confidence > b.confidence ? 1 : a.confidence === b.confidence ? 0.5 : 0)));
  return wins.reduce<number>((sum, win) => sum + win, 0) / wins.length;
}

/** How far confidence is from the share of covered pairs, in ten bins, weighted by their sizes. */
function calibrationError(scored: readonly Scored[]): number {
  const bins = grouped(scored, ({ confidence }) => Math.min(9, Math.floor(confidence * 10 + 1e-9)));
  const gaps = Array.from(bins.values(), (bin) => Math.abs(bin.reduce((sum, { confidence, covered }) => sum + confidence - Number(covered), 0)));
  return gaps.reduce((sum, gap) => sum + gap, 0) / scored.length;
}

function measured(scored: readonly Scored[]) {
  const [yes, no] = [scored.filter(({ state }) => state === 'covered'), scored.filter(({ state }) => state === 'uncovered')];
  return {
    pairs: scored.length,
    auc: auc(scored),
    calibrationError: calibrationError(scored),
    precision: yes.filter(({ covered }) => covered).length / yes.length,
    negativeValue: no.filter(({ covered }) => !covered).length / no.length,
    unsure: 1 - (yes.length + no.length) / scored.length,
  };
}

async function measure(split: 'dev' | 'held', set: 'hard' | 'ordinary') {
  const own = pairs.filter((pair) => pair.split === split && pair.set === set);
  const scored = own.map(async ({ requirement, text, covered }): Promise<Scored> => {
    const { confidence, state } = (await evidenceFinder([{ text, file: 'output' }]))(requirement);
    return { covered, confidence, state };
  });
  return measured(await Promise.all(scored));
}

describe('what the words of an output show, over pairs of our own', () => {
  it('is balanced in each part, and no requirement stands in both', () => {
    const counts = grouped(pairs, ({ split, set, covered }) => `${split} ${set} ${covered}`);
    expect(Array.from(counts.values(), (part) => part.length)).toEqual(Array(8).fill(40));
    const dev = new Set(pairs.filter(({ split }) => split === 'dev').map(({ requirement }) => requirement));
    expect(pairs.filter(({ split, requirement }) => split === 'held' && dev.has(requirement))).toEqual([]);
  });

  it('tells what is done in ordinary words from what is absent; what is hard is measured and has no floor', async () => {
    const table = {
      'dev, ordinary': await measure('dev', 'ordinary'),
      'held, ordinary': await measure('held', 'ordinary'),
      'dev, hard': await measure('dev', 'hard'),
      'held, hard': await measure('held', 'hard'),
    };
    console.table(table);
    const held = table['held, ordinary'];
    expect(held.auc).toBeGreaterThan(0.95);
    expect(held.precision).toBeGreaterThan(0.9);
    expect(held.negativeValue).toBeGreaterThan(0.85);
    expect(held.unsure).toBeLessThan(0.2);
  });
});
