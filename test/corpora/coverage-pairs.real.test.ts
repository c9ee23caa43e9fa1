import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  assumedHard,
  coverageProbability,
  evidenceFinder,
} from '@/blocks/requirements/evidence.js';
import type { CoverageState } from '@/core/coverage.js';

const Pairs = z.array(
  z.strictObject({
    requirement: z.string(),
    text: z.string(),
    covered: z.boolean(),
    kind: z.string(),
    split: z.enum(['dev', 'held']),
    set: z.enum(['hard', 'ordinary']),
  }),
);
const pairs = Pairs.parse(
  JSON.parse(readFileSync(new URL('coverage-pairs.json', import.meta.url), 'utf8')),
);

interface Scored {
  readonly covered: boolean;
  readonly confidence: number;
  readonly state: CoverageState;
}

function grouped<T>(
  items: readonly T[],
  keyOf: (item: T) => string | number,
): Map<string | number, T[]> {
  const groups = new Map<string | number, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** How often a covered pair has more confidence than one that is not; a tie counts half. */
function auc(scored: readonly Scored[]): number {
  const [yes, no] = [
    scored.filter(({ covered }) => covered),
    scored.filter(({ covered }) => !covered),
  ];
  const wins = yes.flatMap((a) =>
    no.map((b) => (a.confidence > b.confidence ? 1 : a.confidence === b.confidence ? 0.5 : 0)),
  );
  return wins.reduce<number>((sum, win) => sum + win, 0) / wins.length;
}

/** How far confidence is from the share of covered pairs, in ten bins, weighted by their sizes. */
function calibrationError(scored: readonly Scored[]): number {
  const bins = grouped(scored, ({ confidence }) => Math.min(9, Math.floor(confidence * 10 + 1e-9)));
  const gaps = Array.from(bins.values(), (bin) =>
    Math.abs(bin.reduce((sum, { confidence, covered }) => sum + confidence - Number(covered), 0)),
  );
  return gaps.reduce((sum, gap) => sum + gap, 0) / scored.length;
}

function measured(scored: readonly Scored[]) {
  const [yes, no] = [
    scored.filter(({ state }) => state === 'covered'),
    scored.filter(({ state }) => state === 'uncovered'),
  ];
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
    const dev = new Set(
      pairs.filter(({ split }) => split === 'dev').map(({ requirement }) => requirement),
    );
    expect(
      pairs.filter(({ split, requirement }) => split === 'held' && dev.has(requirement)),
    ).toEqual([]);
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

interface Weighed {
  readonly covered: boolean;
  readonly state: CoverageState;
  readonly confidence: number;
  readonly probability: number;
  /** The best share of a sound passage, and of any. */
  readonly shares: readonly [sound: number, most: number];
  readonly weight: number;
}

/** A half of the pairs, with weights by which hard pairs are this share of all. */
async function weighed(split: 'dev' | 'held', hard: number): Promise<Weighed[]> {
  const own = pairs.filter((pair) => pair.split === split);
  return Promise.all(
    own.map(async ({ requirement, text, covered, set }): Promise<Weighed> => {
      const { state, confidence, probability, evidence } = (
        await evidenceFinder([{ text, file: 'output' }])
      )(requirement);
      const sound = evidence.filter(({ doubt }) => doubt === undefined);
      const [best, most] = [sound, evidence].map((found) =>
        Math.max(0, ...found.map(({ share }) => share)),
      );
      return {
        covered,
        state,
        confidence,
        probability,
        shares: [best ?? 0, most ?? 0],
        weight: set === 'hard' ? hard / (1 - hard) : 1,
      };
    }),
  );
}

function weighedError(scored: readonly Weighed[], chosen: (entry: Weighed) => number): number {
  const bins = grouped(scored, (entry) => Math.min(9, Math.floor(chosen(entry) * 10 + 1e-9)));
  const gaps = Array.from(bins.values(), (bin) =>
    Math.abs(
      bin.reduce((sum, entry) => sum + entry.weight * (chosen(entry) - Number(entry.covered)), 0),
    ),
  );
  return (
    gaps.reduce((sum, gap) => sum + gap, 0) / scored.reduce((sum, { weight }) => sum + weight, 0)
  );
}

/** Neighbours are pooled until what is covered never falls with the share of words. */
function isotonic(
  scored: readonly Weighed[],
): { readonly from: number; readonly to: number; readonly mean: number }[] {
  const blocks: { from: number; to: number; weight: number; sum: number }[] = [];
  for (const [share, entries] of [...grouped(scored, ({ shares }) => shares[0])].sort(
    ([a], [b]) => Number(a) - Number(b),
  )) {
    const weight = entries.reduce((sum, entry) => sum + entry.weight, 0);
    blocks.push({
      from: Number(share),
      to: Number(share),
      weight,
      sum: entries.reduce((sum, entry) => sum + entry.weight * Number(entry.covered), 0),
    });
    for (
      let [before, last] = blocks.slice(-2);
      before !== undefined &&
      last !== undefined &&
      before.sum / before.weight >= last.sum / last.weight;
      [before, last] = blocks.slice(-2)
    ) {
      blocks.splice(-2, 2, {
        from: before.from,
        to: last.to,
        weight: before.weight + last.weight,
        sum: before.sum + last.sum,
      });
    }
  }
  return blocks.map(({ from, to, weight, sum }) => ({ from, to, mean: sum / weight }));
}

describe('the probability of coverage', () => {
  it('is calibrated on the held-out half where a quarter of the pairs is hard, and too sure or too careful elsewhere', async () => {
    const shares = [0, assumedHard, 0.5];
    const rows = await Promise.all(
      shares.map(async (hard) => {
        const held = await weighed('held', hard);
        return {
          hard,
          'error of probability': weighedError(held, ({ probability }) => probability),
          'error of confidence': weighedError(held, ({ confidence }) => confidence),
        };
      }),
    );
    console.table(rows);
    expect(rows[1]?.['error of probability']).toBeLessThanOrEqual(0.08);
    expect(rows[1]?.['error of confidence']).toBeGreaterThan(0.15);
  });

  it('is what was fitted on the development half', async () => {
    const sound = (await weighed('dev', assumedHard)).filter(
      ({ shares: [best, most] }) => best === most,
    );
    const blocks = isotonic(sound);
    console.table(blocks);
    expect(blocks.length).toBeGreaterThan(2);
    for (const { from, to, mean } of blocks)
      expect(
        Math.abs((coverageProbability(from) + coverageProbability(to)) / 2 - mean),
        `${from} to ${to}`,
      ).toBeLessThan(0.06);
  });

  it('decides nothing: states follow the shares of words as they did', async () => {
    for (const { state, shares } of [
      ...(await weighed('dev', 0.5)),
      ...(await weighed('held', 0.5)),
    ]) {
      const [best, most] = shares;
      expect(state).toBe(
        best >= 0.5 ? 'covered' : best >= 0.3 || most >= 0.5 ? 'unsure' : 'uncovered',
      );
    }
  });
});
