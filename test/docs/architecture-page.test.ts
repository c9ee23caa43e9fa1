import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/repository.js';

const page = readFileSync(`${root}src/README.md`, 'utf8');
const { floors, reserved } = createRequire(import.meta.url)('../../scripts/floors.cjs') as {
  floors: string[][];
  reserved: Record<string, number>;
};
const rooms = readdirSync(`${root}src`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

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

  it('keeps names for rooms that come, and says which', () => {
    const names = Object.keys(reserved);
    expect(names.filter((name) => rooms.includes(name))).toEqual([]);
    expect(names.filter((name) => !section('Rooms').includes(`\`${name}\``))).toEqual([]);
    expect(Object.values(reserved).filter((floor) => floors[floor - 1] === undefined)).toEqual([]);
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
      const known = paths.filter((path) => rooms.includes(path.split('/')[0] ?? ''));
      expect(known.length).toBeGreaterThan(10);
      const missing = known.filter(
        (path) => !existsSync(`${root}src/${path}`) && !existsSync(`${root}src/${path}.ts`),
      );
      expect(missing).toEqual([]);
    },
  );
});
