import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countLines, linesOf } from '../../bench/peers/lines.mjs';
import { loops, sets } from '../../bench/peers/peers.mjs';
import { type PeerResults, withTable } from '../../bench/peers/table.mjs';
import { root } from '../architecture/repository.js';

const page = readFileSync(join(root, 'bench/peers/README.md'), 'utf8');
const results = JSON.parse(
  readFileSync(join(root, 'bench/peers/results.json'), 'utf8'),
) as PeerResults;

describe('the table of peers', () => {
  it('shows what was measured last; else run `npm run bench:peers -- --table`', () => {
    expect(withTable(page, results)).toBe(page);
  });

  it('was measured with each loop in its current version; else run `npm run bench:peers`', () => {
    const expected = loops.map(({ name, file }) => ({ name, lines: linesOf(file) }));
    expect(results.loops.map(({ name, lines }) => ({ name, lines }))).toEqual(expected);
  });

  it('was measured with the packages that are pinned; else run `npm run bench:peers`', () => {
    const ofPeers = loops.filter(({ set }) => set !== undefined);
    expect(ofPeers.length).toBeGreaterThan(4);
    for (const { name, set = '' } of ofPeers)
      expect(results.loops.find((each) => each.name === name)?.versions).toEqual(sets[set]);
  });

  it('has a link to each page of documentation that a loop follows', () => {
    const followed = loops.flatMap(({ pages = [] }) => pages);
    expect(followed.length).toBeGreaterThan(loops.length / 2);
    for (const address of followed) expect(page).toContain(`(${address})`);
  });
});

it('the count of lines takes lines with code: no import, comment or empty line', () => {
  const code = ['const a = {', '  b: 1,', '};', 'export const c = a;'];
  const rest = ["import {\n  d,\n} from 'd';", '// told', '/** told */', '', '/*\n told\n*/'];
  expect(countLines([...rest, ...code].join('\n'))).toBe(code.length);
  expect(countLines([...code, ...rest].join('\n'))).toBe(code.length);
  expect(countLines('const a = `one\n\nthree`; // told')).toBe(3);
});
