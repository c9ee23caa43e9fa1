import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import * as z from 'zod';
import { packageExports } from '../../scripts/entries.mjs';
import { root } from '../architecture/repository.js';

/** What the package may contain: the paths of a kind, and the most bytes of one file. */
const kinds: readonly (readonly [RegExp, number])[] = [
  [/^(package\.json|LICENSE|README\.md)$/, 30_000],
  [/^CHANGELOG\.md$/, 200_000],
  [/^docs\/[\w/.-]+\.md$/, 80_000],
  [/^docs\/trust-cost\.svg$/, 40_000],
  [/^docs\/ci\/gitlab\.yml$/, 5000],
  [/^examples\/[\w/-]+(\.eval)?\.(ts|mjs|md|html|json)$/, 30_000],
  [/^dist\/[\w/.-]+\.d\.ts$/, 400_000],
  [/^dist\/[\w/.-]+\.js$/, 900_000],
  [/^dist\/THIRD-PARTY-LICENSES\.txt$/, 100_000],
];
const mostBytes = 6_000_000;

const Packed = z.array(
  z.object({ files: z.array(z.object({ path: z.string(), size: z.number() })).min(1) }),
);

const isBuilt = existsSync(join(root, 'dist/index.js'));
const packed = () => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
    shell: process.platform === 'win32',
  });
  return Packed.parse(JSON.parse(stdout))[0]?.files ?? [];
};

describe.skipIf(!isBuilt)('the packed files (npm run build first) [issue 23]', () => {
  const files = isBuilt ? packed() : [];

  it('are of kinds that are allowed, each within its size', ({ expect }) => {
    const odd = files.filter(
      ({ path, size }) => !kinds.some(([kind, most]) => kind.test(path) && size <= most),
    );
    expect(odd).toEqual([]);
    expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(mostBytes);
    // a kind that nothing has is a hole for what comes later
    expect(kinds.filter(([kind]) => !files.some(({ path }) => kind.test(path)))).toEqual([]);
  });

  it('contain every file that an entry point or the command names', ({ expect }) => {
    const paths = new Set(files.map(({ path }) => `./${path}`));
    const targets = Object.values(packageExports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    expect([...targets, './dist/bin.js'].filter((path) => !paths.has(path))).toEqual([]);
  });

  it('name no folder of the machine that built them', ({ expect }) => {
    const folder = root.replace(/[\\/]$/, '');
    const naming = files.filter(({ path }) =>
      readFileSync(join(root, path), 'utf8').includes(folder),
    );
    expect(naming.map(({ path }) => path)).toEqual([]);
  });

  it('are all in the bill of materials, with what an install brings', ({ expect }) => {
    const { stdout } = spawnSync(process.execPath, ['scripts/sbom.mjs'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    const Bill = z.object({
      bomFormat: z.literal('CycloneDX'),
      components: z.array(z.object({ name: z.string(), version: z.string() })),
    });
    const { components } = Bill.parse(JSON.parse(stdout));
    const listed = components.map(({ name, version }) => `${name} ${version}`);
    const licences = readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    const builtIn = [...licences.matchAll(/^-{72}\n(\S+ \S+) \(/gm)].map(([, id]) => id);
    expect(builtIn.length).toBeGreaterThan(10);
    expect(listed).toEqual(expect.arrayContaining(builtIn));
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: object;
    };
    expect(components.map(({ name }) => name)).toEqual(
      expect.arrayContaining(Object.keys(manifest.dependencies)),
    );
    expect(listed.join()).not.toMatch(/vitest|typescript|biome/);
  });
});
