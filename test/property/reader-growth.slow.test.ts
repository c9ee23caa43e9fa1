import { expect, it } from 'vitest';
import { gap } from '../../src/core/gap.js';
import { namedGaps } from '../../src/core/named-gaps.js';
import { loadCssParser } from '../../src/criteria/css-parser.js';
import { parseJUnit } from '../../src/reviewers/command/parse-junit.js';
import { parseEsLint, parseLines } from '../../src/reviewers/command/parse-reports.js';
import { parseSarif } from '../../src/reviewers/command/parse-sarif.js';
import { parseTap } from '../../src/reviewers/command/parse-tap.js';
import { growth, linear } from '../support/growth.js';

/** What the reports of tools are made of, and what breaks them. */
const pieces = [
  ...['\n', '\r', ' ', '\t', '\u2028', '[', '{', '"', '\\', '{"runs":[', '[1]\n', 'x'],
  ...[
    '<a ',
    '<testsuite ',
    '<testsuite>',
    '<!--',
    '<![CDATA[',
    '&amp;',
    'a="b" ',
    'ok\n',
    'not ok\n',
  ],
  ...['  ok\n', '1..1\n', 'a.c:1: x\n', 'a.c:1 ', 'a.c(1): ', 'error ', ':', '#todo'],
];

it.each(pieces)(
  'no reader of a report of a tool takes more than linear time: %j [R3-123]',
  async (piece) => {
    const read = (text: string): void => {
      for (const parse of [parseSarif, parseEsLint, parseJUnit, parseTap, parseLines]) parse(text);
    };
    expect(await growth(read, piece, 200_000)).toBeLessThan(linear);
  },
  60_000,
);

it('equal gaps get their ids in linear time, and keep them [R3-123]', async () => {
  const gapsOf = (count: number) =>
    namedGaps(
      Array.from({ length: count }, () => gap('no label', { severity: 'minor' })),
      {
        seen: new Set(),
      },
    );
  expect(await growth((text) => gapsOf(text.length), 'x', 12_000)).toBeLessThan(linear);
  const ids = gapsOf(100).map(({ id }) => id);
  expect(new Set(ids).size).toBe(100);
  expect(gapsOf(50).map(({ id }) => id)).toEqual(ids.slice(0, 50));
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
