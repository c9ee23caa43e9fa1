import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { root } from '../architecture/repository.js';

it('the page of the architecture names the rooms that there are', () => {
  const page = readFileSync(`${root}docs/architecture.md`, 'utf8');
  const [, src = '', tests = ''] = /^src\/\n([\s\S]*?)^test\/\n([\s\S]*?)^```/m.exec(page) ?? [];
  const named = (lines: string): string[] =>
    [...lines.matchAll(/^ {2}([a-z].*?) {2}/gm)].flatMap(([, names = '']) =>
      names.split(' ').map((name) => name.replace(/\/$/, '')),
    );
  const folders = (path: string): string[] =>
    readdirSync(`${root}${path}`, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
  expect(named(src).sort()).toEqual([...folders('src'), 'index.ts'].sort());
  expect(folders('test').filter((name) => !named(tests).includes(name))).toEqual([]);
});
