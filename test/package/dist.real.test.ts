import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'vitest';
import { libraryEntries } from '../../scripts/entries.mjs';
import { readSource, root } from '../architecture/repository.js';

const importPath = /(?:from|import)\s*\(?\s*["']([^"']+)["']/g;

/** The built files that an entry can load, each with what it imports, static and dynamic. */
function loadedBy(entry: string): Map<string, string[]> {
  const loaded = new Map<string, string[]>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (loaded.has(file)) continue;
    const imports = [...readFileSync(file, 'utf8').matchAll(importPath)].flatMap(
      ([, path]) => path ?? [],
    );
    loaded.set(file, imports);
    const folder = dirname(file);
    open.push(...imports.filter((path) => path.startsWith('.')).map((path) => join(folder, path)));
  }
  return loaded;
}

const builtins =
  /^(node:|(fs|path|os|url|util|crypto|stream|events|child_process|worker_threads|module|buffer|process|assert)(\/|$))/;

describe('the built package', () => {
  it('imports no built-in module of Node from its main entry', ({ skip, expect }) => {
    const entry = join(root, 'dist/index.js');
    if (!existsSync(entry)) skip('nothing built: npm run build first');
    const found = [...loadedBy(entry)].flatMap(([file, imports]) =>
      imports.filter((path) => builtins.test(path)).map((path) => `${file} imports ${path}`),
    );
    expect(found).toEqual([]);
  });

  it('needs Node where the page of entry points says so, and nowhere else [R3-024]', ({
    skip,
    expect,
  }) => {
    if (!existsSync(join(root, 'dist/index.js'))) skip('nothing built: npm run build first');
    const found = Object.keys(libraryEntries).filter((name) =>
      [...loadedBy(join(root, `dist/${name}.js`)).values()]
        .flat()
        .some((one) => builtins.test(one)),
    );
    const [, list = ''] =
      /## Where they run\n([\s\S]*?)\n## /.exec(readSource('docs/entry-points.md')) ?? [];
    const told = [...list.matchAll(/`reviewloop\/([\w/-]+)`/g)].map(([, name]) => name);
    expect(new Set(told)).toEqual(new Set(found));
  });

  it('leads a stack trace to lines that people can read, without source maps [R2-121]', async ({
    skip,
    expect,
  }) => {
    const entry = join(root, 'dist/index.js');
    if (!existsSync(entry)) skip('nothing built: npm run build first');
    const { definePipeline } = await import(/* @vite-ignore */ entry);
    const error = await Promise.resolve()
      .then(() => definePipeline({ produce: async () => 'x', frobnicate: 1 }))
      .catch((cause: unknown) => cause);
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    const frames = [
      ...stack.matchAll(/at (?:async )?(\w+) \(?(?:file:\/\/)?(\S*\/dist\/\S+?):(\d+):\d+/g),
    ];
    expect(frames.map(([, name]) => name)).toEqual(
      expect.arrayContaining(['checkKeys', 'definePipeline']),
    );
    for (const [, , file = '', line = ''] of frames) {
      const text = readFileSync(file, 'utf8').split('\n')[Number(line) - 1] ?? '';
      expect(text.trim()).not.toBe('');
      expect(text.length).toBeLessThan(1000);
    }
  });

  it('imports one from the command', ({ skip, expect }) => {
    const entry = join(root, 'dist/bin.js');
    if (!existsSync(entry)) skip('nothing built: npm run build first');
    expect(
      [...loadedBy(entry)].some(([, imports]) => imports.some((path) => builtins.test(path))),
    ).toBe(true);
    expect(readFileSync(entry, 'utf8').startsWith('#!/usr/bin/env node\n')).toBe(true);
  });
});
