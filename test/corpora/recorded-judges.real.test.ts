import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { autonomous, fast, guarded, type Trust } from '@/blocks/pipeline/trust-presets.js';
import { definePipeline, llmCriterion } from '@/index.js';
import { scriptedJudge } from '@/testing/index.js';
import {
  gateOf,
  type RecordedItem,
  staleTables,
  usableItems,
} from '../../bench/recorded/recorded.mjs';
import { describeCorpora } from '../support/corpora.js';

/** The judges, in the order of their turns. */
const judges = [
  ['openai', 'gpt-5.4'],
  ['anthropic', 'sonnet-4.6'],
  ['anthropic', 'haiku-4.5'],
] as const;

const bar = 6;
const graded = { id: 'right', question: 'How good is the answer?', scale: 10 } as const;

/** What a review approves, and whom it asked. */
interface Gate {
  readonly rightApproved: number;
  readonly wrongApproved: number;
  readonly calls: number;
}

/** How judges are asked: under a preset, or the first one alone. */
interface Arrangement {
  readonly trust?: Trust;
  /** How many of the judges take part. */
  readonly of: number;
  readonly bar: number;
  readonly found: Gate;
}

const arrangements: Readonly<Record<string, Arrangement>> = {
  'one judge': { of: 1, bar, found: { rightApproved: 86, wrongApproved: 17, calls: 400 } },
  fast: { trust: fast, of: 2, bar, found: { rightApproved: 79, wrongApproved: 9, calls: 503 } },
  guarded: {
    trust: guarded,
    of: 3,
    bar,
    found: { rightApproved: 75, wrongApproved: 3, calls: 591 },
  },
  autonomous: {
    trust: autonomous,
    of: 3,
    bar: 7,
    found: { rightApproved: 59, wrongApproved: 2, calls: 555 },
  },
};

const gradeOf = (item: RecordedItem, model: string, text: number): number =>
  item.grades[`criteria/${model}`]?.[text]?.[0] ?? Number.NaN;

/** Drives the engine: each judge answers a text with its first recorded grade. */
async function byEngine(items: readonly RecordedItem[], { trust, of }: Arrangement): Promise<Gate> {
  const byId = new Map(items.map((item) => [item.id, item]));
  const providers = judges.slice(0, of).map(([id, model]) => ({
    ...scriptedJudge(
      {
        right: (material) => {
          const [item = '', text = ''] = material.trim().split(' ');
          const found = byId.get(item);
          return found === undefined
            ? new Error(`no ${item}`)
            : gradeOf(found, model, Number(text));
        },
      },
      { id },
    ),
    model,
  }));
  const [provider, ...confirmWith] = providers;
  if (provider === undefined) throw new Error('no judge');
  const pipeline = definePipeline<null, string>({
    reviewers: [llmCriterion<string, null>({ ...graded, withTask: false })],
    provider,
    ...(trust !== undefined && confirmWith.length > 0 && { trust, confirmWith }),
  });
  const gate = { rightApproved: 0, wrongApproved: 0 };
  for (const { id } of items)
    for (const text of [0, 1, 2, 3]) {
      const { decision } = await pipeline.review(null, `${id} ${text}`);
      if (decision.kind === 'approve') gate[text === 0 ? 'rightApproved' : 'wrongApproved'] += 1;
    }
  return { ...gate, calls: providers.reduce((sum, { requests }) => sum + requests.length, 0) };
}

/** The same by plain arithmetic. */
function byArithmetic(items: readonly RecordedItem[], { of, bar: least }: Arrangement): Gate {
  const gate = { rightApproved: 0, wrongApproved: 0, calls: 0 };
  for (const item of items)
    for (const text of [0, 1, 2, 3]) {
      const grades = judges.slice(0, of).map(([, model]) => gradeOf(item, model, text));
      const failed = grades.findIndex((grade) => grade < least);
      gate.calls += failed < 0 ? of : failed + 1;
      if (failed < 0) gate[text === 0 ? 'rightApproved' : 'wrongApproved'] += 1;
    }
  return gate;
}

describeCorpora('recorded judges', (folder) => {
  const items = usableItems(join(folder, 'judge-verdicts/verdicts.json'));
  const whole = items.filter(({ grades }) =>
    Object.values(grades).every((rows) => rows.every((row) => row.length === 8)),
  );
  const some = whole.slice(0, 100);
  const names = Object.keys(arrangements);

  it.each(names)('%s: the engine approves and asks what the record says', async (name) => {
    const arrangement = arrangements[name];
    if (arrangement === undefined) throw new Error(name);
    const found = await byEngine(some, arrangement);
    expect(found).toEqual(byArithmetic(some, arrangement));
    expect(found).toEqual(arrangement.found);
  });

  it('approve less that is wrong from preset to preset; another judge tells more than the same again [R3-011]', () => {
    const wrong = (gate: string, least: number): number =>
      gateOf(items, gate, { bar: least }).wrong;
    const falling = [wrong('a', 6), wrong('ab', 6), wrong('abc', 6), wrong('abc', 7)];
    expect(falling).toEqual([...new Set(falling)].sort((a, b) => b - a));
    expect(wrong('ab', 6)).toBeLessThan(wrong('aa', 6));
    expect(wrong('ab', 6)).toBeLessThan(wrong('aaaa', 6));
  });

  it('are what the pages show; else run `node bench/recorded/run.mjs --write`', () => {
    expect(
      staleTables('.', items, readFileSync).map(({ page, tables }) => [page, ...tables]),
    ).toEqual([]);
  });
});
