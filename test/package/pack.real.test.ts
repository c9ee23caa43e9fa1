import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { packageExports } from '../../scripts/entries.mjs';
import { root } from '../architecture/repository.js';
import { repositoryAt } from '../support/git-repository.js';
import { tempFolder } from '../support/temp-folder.js';

/** What the package may contain: the paths of a kind, and the most bytes of one file. */
const kinds: readonly (readonly [RegExp, number])[] = [
  [/^(package\.json|LICENSE|README\.md)$/, 30_000],
  [/^CHANGELOG\.md$/, 200_000],
  [/^docs\/[\w/.-]+\.md$/, 80_000],
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

  it('have types that name none of Node, so that they compile without these', ({ expect }) => {
    const naming = files.filter(
      ({ path }) =>
        /^dist\/(?!node\.).*\.d\.ts$/.test(path) &&
        /from 'node:|import\('node:|\bNodeJS\.|\bBuffer\b/.test(
          readFileSync(join(root, path), 'utf8'),
        ),
    );
    expect(naming.map(({ path }) => path)).toEqual([]);
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

const program = join(root, 'dist/bin.js');

interface Loaded {
  readonly gits: number;
  readonly files: readonly string[];
  readonly kilobytes: number;
}

/** Puts a git first on the path that notes each of its processes, and returns the file of the notes. */
function noteGit(folder: string): string {
  const notes = join(folder, 'calls');
  const git = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho >> '${notes}'\nexec '${git}' "$@"\n`, {
    mode: 0o755,
  });
  return notes;
}

/** The modules that a command of the built package loads, as Node counts them. */
function loadedBy(cwd: string, args: readonly string[], input = ''): Loaded {
  const folder = tempFolder('loaded');
  const wrapped = tempFolder('git');
  const notes = noteGit(wrapped);
  spawnSync(process.execPath, [program, ...args], {
    cwd,
    input,
    env: {
      ...process.env,
      NODE_V8_COVERAGE: folder,
      NODE_DISABLE_COMPILE_CACHE: '1',
      PATH: `${wrapped}:${process.env['PATH']}`,
    },
  });
  const urls = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      readonly result: readonly { readonly url: string }[];
    };
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  });
  const files = [...new Set(urls)].map((url) => fileURLToPath(url)).filter(existsSync);
  const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0);
  const gits = existsSync(notes) ? readFileSync(notes, 'utf8').length : 0;
  return { files, kilobytes: Math.round(bytes / 1000), gits };
}

const page = '<!doctype html><html lang="en"><title>Tea</title><body><h1>Tea</h1></body></html>\n';
const hook = (name: string, cwd: string): string =>
  JSON.stringify({ session_id: 's', hook_event_name: name, source: 'startup', cwd });

// counts and never milliseconds: bench/README.md has what they take
it('a command loads no more than it needs', ({ skip }) => {
  if (!existsSync(program)) skip('nothing built: npm run build first');
  const cwd = tempFolder('start');
  const repository = repositoryAt(cwd);
  repository.write('TASK.md', '# Tea\n\n- The page must contain the word "Tea".\n');
  repository.write('index.html', page);
  repository.commit();
  const names = [
    '--version',
    '--help',
    'runs',
    'hook start',
    'hook stop',
    'review',
    'review alone',
  ] as const;
  const start = (): Loaded => loadedBy(cwd, ['hook', 'claude-code'], hook('SessionStart', cwd));
  const stop = (): Loaded => {
    repository.write('index.html', page.replace('Tea</h1>', 'Green tea</h1>'));
    return loadedBy(cwd, ['hook', 'claude-code'], hook('Stop', cwd));
  };
  const loads: Readonly<Record<(typeof names)[number], () => Loaded>> = {
    '--version': () => loadedBy(cwd, ['--version']),
    '--help': () => loadedBy(cwd, ['--help']),
    runs: () => loadedBy(cwd, ['runs']),
    'hook start': start,
    'hook stop': stop,
    review: () => loadedBy(cwd, ['review', 'index.html', '--task', 'TASK.md']),
    'review alone': () =>
      loadedBy(cwd, ['review', 'index.html', '--task-text', 'x', '--no-requirements']),
  };
  const most: Readonly<Record<(typeof names)[number], readonly number[]>> = {
    '--version': [19, 280, 0],
    '--help': [19, 280, 0],
    runs: [188, 1950, 0],
    'hook start': [164, 1900, 12],
    'hook stop': [310, 3550, 22],
    review: [305, 3450, 0],
    'review alone': [297, 3200, 0],
  };
  const over = names.flatMap((name) => {
    const { files, kilobytes, gits } = loads[name]();
    const counts = [files.length, kilobytes, gits];
    return counts.some((count, index) => count > (most[name][index] ?? 0))
      ? [`${name}: ${files.length} files, ${kilobytes} kB, ${gits} processes of git`]
      : [];
  });
  expect(over).toEqual([]);
  expect(loads['--version']().files.filter((path) => /node_modules\/zod\//.test(path))).toEqual([]);
});
