import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { libraryEntries, packageImports } from '../../scripts/entries.mjs';
import { readSource, root } from '../architecture/repository.js';
import { typeErrors } from '../docs/snippets.js';
import { needsOf, unmetNeeds } from './needs.js';

const Manifest = z.object({
  name: z.string(),
  files: z.array(z.string()),
  dependencies: z.record(z.string(), z.string()),
  peerDependencies: z.record(z.string(), z.string()),
});
const manifest = Manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const dependencies = Object.keys(manifest.dependencies);
const peers = Object.keys(manifest.peerDependencies);
const dist = join(root, 'dist');
const isBuilt = existsSync(join(dist, 'index.js'));

const specifierOf = (entry: string): string =>
  entry === 'index' ? manifest.name : `${manifest.name}/${entry}`;

function installInto(folder: string, packages: readonly string[]): void {
  const own = join(folder, 'node_modules', manifest.name);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const name of ['package.json', ...manifest.files.filter((one) => !one.startsWith('!'))])
    cpSync(join(root, name), join(own, name), { recursive: true });
  for (const name of packages) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    if (existsSync(join(root, 'node_modules', name)))
      symlinkSync(join(root, 'node_modules', name), place, 'junction');
  }
}

describe.skipIf(!isBuilt)('the built package in a folder of its own (npm run build first)', () => {
  let folder = '';
  let alone = '';
  const run = (program: string) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, text: `${stdout}${stderr}` };
  };

  const bundled = async (contents: string): Promise<string> => {
    const stdin = { contents, resolveDir: alone };
    const { outputFiles } = await build({
      ...{ stdin, bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' },
      write: false,
    });
    return outputFiles[0]?.text ?? '';
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'installed-'));
    // a browser makes it slow; scripts/try-package.mjs has one
    installInto(
      folder,
      [...dependencies, ...peers].filter((one) => one !== 'playwright-core'),
    );
    alone = mkdtempSync(join(tmpdir(), 'alone-'));
    installInto(alone, dependencies);
    const consumer = join(root, 'test/package/consumer');
    for (const name of readdirSync(consumer).filter((one) => one.endsWith('.mjs')))
      copyFileSync(join(consumer, name), join(folder, name));
  });
  afterAll(() => {
    for (const made of [folder, alone]) rmSync(made, { recursive: true, force: true });
  });

  it('each criterion fails what it should, and passes the rest [R3-023]', () => {
    const { status, text } = run('criteria.mjs');
    expect(text).toMatch(/^(?:skipped: page-.*\n)+\d+ criteria, \d+ works judged\n$/);
    expect(status).toBe(0);
  });

  // scripts/smoke.mjs runs each command
  it('each entry point loads [R3-104]', () => {
    expect(run('entries.mjs')).toMatchObject({ status: 0 });
  });

  it('each entry point is bundled without peers, but the one inside of vitest [R3-111]', async () => {
    const failed: string[] = [];
    for (const entry of Object.keys(libraryEntries).map(specifierOf))
      await bundled(`export * from '${entry}';`).catch(() => failed.push(entry));
    expect(failed).toEqual([specifierOf('vitest')]);
  });

  it('imports its peers in a `try`, since webpack lets only those be absent [R3-111]', () => {
    const names = new Set(peers);
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
    const places = files
      .filter((path) => path.endsWith('.js'))
      .flatMap((path) =>
        [
          ...readFileSync(join(dist, path), 'utf8').matchAll(
            /(try \{ return await )?import\(['"]((?:@[\w-]+\/)?[\w-]+)[^'"]*['"]\)/g,
          ),
        ]
          .filter(([, , name = '']) => names.has(name))
          .map(([, within, name]) => ({ path, name, within: within !== undefined })),
      );
    expect(places.length).toBeGreaterThan(5);
    expect(places.filter(({ within, path }) => !within && path !== 'vitest.js')).toEqual([]);
  });

  it('a bundle says which peer it lacks when it needs it [R3-111]', async () => {
    const call =
      "openaiProvider({ model: 'm', apiKey: 'k' }).generate({ messages: [], signal: AbortSignal.timeout(9e3) })";
    const tell = '.catch((error) => console.log(error.message))';
    const code = `import { openaiProvider } from '${specifierOf('providers/openai')}'; await ${call}${tell};`;
    writeFileSync(join(alone, 'lacks.mjs'), await bundled(code));
    expect(run(join(alone, 'lacks.mjs')).text).toContain(
      'needs the package openai (npm install openai)',
    );
  });
});

describe('what built files need', () => {
  const packages = [manifest.name, ...dependencies, ...peers, ...Object.keys(packageImports)];

  it.skipIf(!isBuilt)('is in the tarball, a dependency or a declared peer [R3-023]', () => {
    expect(unmetNeeds(dist, packages)).toEqual([]);
  });

  it.each([
    ["import a from 'gone';", ['gone']],
    ["export * from './gone.js';", ['./gone.js']],
    ["const a = await import('gone/part');", ['gone/part']],
    ["const r = createRequire(import.meta.url); r('../data/patch.json');", ['../data/patch.json']],
    ["createRequire(import.meta.url)('gone');", ['gone']],
    ["createRequire(import.meta.url).resolve('gone');", ['gone']],
    ["import.meta.resolve('gone');", ['gone']],
    ["readFileSync(new URL('../data.json', import.meta.url));", ['../data.json']],
    ["const text = 'import a from \"gone\"'; // import('gone')", []],
  ])('is seen in %s [R3-023]', (code, needs) => {
    expect(needsOf(code)).toEqual(needs);
  });
});

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

// scripts/try-package.mjs compiles it against the package, with the other compiler
it('a program of a user compiles against the sources', () => {
  const file = 'test/package/consumer/types.ts';
  const code = readFileSync(join(root, file), 'utf8');
  const checked = [{ file, line: 0, code, checked: true }];
  expect(typeErrors(root, join(root, 'temp/consumer'), checked)).toEqual([]);
});
