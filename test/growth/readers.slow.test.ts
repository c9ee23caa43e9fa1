import { describe, expect, it } from 'vitest';
import { cssCriteria } from '@/blocks/criteria/css/css-criteria.js';
import { loadCssParser } from '@/blocks/criteria/css-parser.js';
import { explicitRequirements } from '@/blocks/requirements/explicit-requirements.js';
import { gap } from '@/core/gap.js';
import { namedGaps } from '@/core/named-gaps.js';
import { sortTasks } from '@/products/task-review/parse-tasks.js';
import { fakeReviewerContext } from '@/testing/index.js';
import { growth, linear, unit } from '../support/growth.js';
import { repeated } from './pieces.js';
import { readers } from './readers.js';

describe('linear time', () => {
  it.each(readers)(
    'is all that a reader takes: $name [R3-123]',
    async ({ length, pieces, read }) => {
      const slow: string[] = [];
      for (const piece of pieces) {
        const grown = await growth((size) => read(repeated(piece, size)), length);
        if (grown > linear) slow.push(`${JSON.stringify(piece)}: ${grown.toFixed(1)} times`);
      }
      expect(slow).toEqual([]);
    },
  );

  it('is told from square time by what the work costs', async () => {
    const told = async (work: () => unknown): Promise<number> => Number(work()) * unit;
    expect(await growth((length) => length, 64, told)).toBe(4);
    expect(await growth((length) => length ** 2, 64, told)).toBe(16);
    expect(await growth((length) => length ** 2 / 5000, 64, told)).toBe(1);
  });

  it('is all that tasks take to be sorted, whichever way they depend on each other [R3-123]', async () => {
    const before = (place: number): string[] => (place === 0 ? [] : [`T-${place - 1}`]);
    const tasks = (count: number) =>
      Array.from({ length: count }, (_, place) => ({ id: `T-${place}`, dependsOn: before(place) }));
    const ids = tasks(20_000).map(({ id }) => id);
    expect(sortTasks(tasks(20_000).reverse()).map(({ id }) => id)).toEqual(ids);
    expect(await growth((count) => sortTasks(tasks(count).reverse()), 20_000)).toBeLessThan(linear);
  });

  it('is all that equal gaps take to get their ids, and keep them [R3-123]', async () => {
    const gapsOf = (count: number) =>
      namedGaps(
        Array.from({ length: count }, () => gap('no label', { severity: 'minor' })),
        { seen: new Set() },
      );
    expect(await growth(gapsOf, 12_000)).toBeLessThan(linear);
    const ids = gapsOf(100).map(({ id }) => id);
    expect(new Set(ids).size).toBe(100);
    expect(gapsOf(50).map(({ id }) => id)).toEqual(ids.slice(0, 50));
  });
});

it('a stylesheet with too many errors for its length is refused [R3-123]', async () => {
  const { parse } = await loadCssParser();
  const faults = (count: number): number => {
    let seen = 0;
    const css = '#fff}a{b:c}'.repeat(count);
    try {
      parse(css, {
        onParseError: () => {
          seen += 1;
        },
      });
    } catch {
      return -seen;
    }
    return seen;
  };
  expect(faults(1000)).toBe(1000);
  const refused = faults(20_000);
  expect(refused).toBeLessThan(0);
  expect(-refused).toBeLessThan(2000);
});

const megabyte = 1_000_000;
const longTasks = ['- a must b\n', '```\n', 'It must be so.\n', '\n'];

describe('what would take seconds', () => {
  it.each(longTasks)('is refused by name in a task: %j [R3-037]', async (piece) => {
    const lines = megabyte / piece.length;
    await expect(explicitRequirements(repeated(piece, megabyte))).rejects.toMatchObject({
      code: 'task_too_long',
      what: `the task has ${Math.ceil(lines) + 1} lines; at most 10000 are read`,
    });
    const most = repeated(piece, 9_999 * piece.length);
    await expect(explicitRequirements(most)).resolves.toBeInstanceOf(Array);
  });

  it('is refused by name in a stylesheet [R3-037]', async () => {
    const [tokens] = cssCriteria().filter(({ id }) => id === 'design-tokens');
    const reviewed = async (content: string) => {
      const output = { artifacts: [{ type: 'file', path: 'a.css', content }] };
      return tokens?.review({ task: 't', output, iteration: 1 }, fakeReviewerContext());
    };
    expect(JSON.stringify(await reviewed(repeated('a{b:c}', megabyte)))).toContain(
      'not checked: a.css:1 has more than 25000 blocks',
    );
    expect(JSON.stringify(await reviewed('a{b:c}'.repeat(25_000)))).not.toContain('not checked');
  });
});
