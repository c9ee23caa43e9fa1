import { expect, it } from 'vitest';
import * as reviewers from '@/blocks/reviewers/index.js';
import * as core from '@/index.js';
import * as ports from '@/ports/index.js';
import { cell, type Figures, figures, regimes } from '../../bench/trust/simulation.mjs';

const library = { ...core, ...reviewers, ...ports };
const runs = 400;
const judges = ['mid', 'strong'] as const;

/** From the weakest to the strongest: judges, then the preset, count. */
const order = ['fast, 1 judge', 'fast, 2 judges', 'fast, 3 judges', 'guarded, 4 judges'];

it.each(judges)(
  'presets are in the order that their page claims, in each column, with the judge %s [R2-056]',
  async (judge) => {
    const found: Figures[] = [];
    for (const name of order)
      found.push(figures(await cell(library, name, { regime: regimes[judge], runs })));
    const column = (value: (one: Figures) => number): readonly number[] => found.map(value);
    const rising = (values: readonly number[]): void =>
      expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
    rising(column(({ clean }) => clean.value));
    rising(column(({ falseApprovals }) => -falseApprovals.value));
    rising(column(({ calls }) => calls));
    for (const { unreviewed } of found) expect(unreviewed.value).toBe(0);
  },
);
