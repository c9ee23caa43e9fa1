import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/repository.js';

const page = readFileSync(`${root}src/README.md`, 'utf8');
const { floors, wings } = createRequire(import.meta.url)('../../scripts/floors.cjs') as {
  floors: string[][];
  wings: Record<string, string[][]>;
};
const rooms = [...floors.flat(), 'faces/cli', 'faces/commands', 'faces/mcp'];

/** The text between two headings of the page. */
const section = (heading: string): string =>
  page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';

describe('the page of the architecture', () => {
  it('draws the floors as the rules know them', () => {
    const drawn = [...section('Floors').matchAll(/^ ?(\d+) +(.*)$/gm)]
      .sort((a, b) => Number(a[1]) - Number(b[1]))
      .map(([, , names = '']) => names.split(', '));
    expect(drawn).toEqual(floors);
  });

  it('draws the wings as the rules know them', () => {
    const [, drawn = ''] = /```text\n(.*?)```/s.exec(page) ?? [];
    const named = [...drawn.matchAll(/(?:^| {2,})([a-z]+)(?= {2,})/gm)].map(
      ([, name = '']) => name,
    );
    expect(named.sort()).toEqual(Object.keys(wings).sort());
  });

  it('says of each room what it is', () => {
    const rows = section('Rooms').match(/^\| `.*? \|/gm) ?? [];
    const named = rows.flatMap((row) =>
      [...row.matchAll(/`([^`]*)`/g)].map(([, name = '']) => name),
    );
    expect(named.sort()).toEqual(rooms.sort());
  });

  it.each(['One review through the files', 'Where to change what'])(
    '%s: names what is there',
    (heading) => {
      const text = section(heading);
      const paths = [...text.matchAll(/`?((?:[a-z-]+\/)+[a-z-]+(?:\.ts|\/)?)`?/g)].map(
        ([, path = '']) => path,
      );
      const known = paths.filter((path) => (path.split('/')[0] ?? '') in wings);
      expect(known.length).toBeGreaterThan(10);
      const missing = known.filter(
        (path) => !existsSync(`${root}src/${path}`) && !existsSync(`${root}src/${path}.ts`),
      );
      expect(missing).toEqual([]);
    },
  );
});
