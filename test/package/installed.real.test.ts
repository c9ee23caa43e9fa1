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
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { packageImports } from '../../scripts/entries.mjs';
import { root } from '../architecture/repository.js';
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

describe.skipIf(!isBuilt)('the built package in a folder of its own (npm run build first)', () => {
  let folder = '';
  const run = (program: string) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, text: `${stdout}${stderr}` };
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'installed-'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const own = join(folder, 'node_modules', manifest.name);
    mkdirSync(own, { recursive: true });
    for (const name of ['package.json', ...manifest.files.filter((one) => !one.startsWith('!'))])
      cpSync(join(root, name), join(own, name), { recursive: true });
    // a browser makes it slow; scripts/try-package.mjs has one
    for (const name of [...dependencies, ...peers].filter((one) => one !== 'playwright-core')) {
      const place = join(folder, 'node_modules', name);
      mkdirSync(dirname(place), { recursive: true });
      if (existsSync(join(root, 'node_modules', name)))
        symlinkSync(join(root, 'node_modules', name), place, 'junction');
    }
    const consumer = join(root, 'test/package/consumer');
    for (const name of readdirSync(consumer).filter((one) => one.endsWith('.mjs')))
      copyFileSync(join(consumer, name), join(folder, name));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('each criterion fails what it should, and passes the rest [R3-023]', () => {
    const { status, text } = run('criteria.mjs');
    expect(text).toMatch(/^(?:skipped: page-.*\n)+\d+ criteria, \d+ works judged\n$/);
    expect(status).toBe(0);
  });

  it('each entry point loads, and each command runs [R3-104]', () => {
    for (const program of ['entries.mjs', 'commands.mjs'])
      expect(run(program)).toMatchObject({ status: 0 });
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
