import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { root } from '../architecture/repository.js';
import { repositoryAt } from '../support/git-repository.js';
import { tempFolder } from '../support/temp-folder.js';

const program = join(root, 'dist/bin.js');

interface Loaded {
  readonly files: readonly string[];
  readonly kilobytes: number;
}

/** The modules that a command of the built package loads, as Node counts them. */
function loadedBy(cwd: string, args: readonly string[], input = ''): Loaded {
  const folder = tempFolder('loaded');
  spawnSync(process.execPath, [program, ...args], {
    cwd,
    input,
    env: { ...process.env, NODE_V8_COVERAGE: folder, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  const urls = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      readonly result: readonly { readonly url: string }[];
    };
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  });
  const files = [...new Set(urls)].map((url) => fileURLToPath(url)).filter(existsSync);
  const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0);
  return { files, kilobytes: Math.round(bytes / 1000) };
}

const page = '<!doctype html><html lang="en"><title>Tea</title><body><h1>Tea</h1></body></html>\n';
const hook = (name: string, cwd: string): string =>
  JSON.stringify({ session_id: 's', hook_event_name: name, source: 'startup', cwd });

// counts and never milliseconds: docs/performance.md has what they take
it('a command loads no more than it needs', ({ skip }) => {
  if (!existsSync(program)) skip('nothing built: npm run build first');
  const cwd = tempFolder('start');
  const repository = repositoryAt(cwd);
  repository.write('TASK.md', '# Tea\n\n- The page must contain the word "Tea".\n');
  repository.write('index.html', page);
  repository.commit();
  const names = ['--version', '--help', 'runs', 'hook start', 'hook stop', 'review'] as const;
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
  };
  const most: Readonly<Record<(typeof names)[number], readonly [files: number, kB: number]>> = {
    '--version': [20, 280],
    '--help': [20, 280],
    runs: [190, 2150],
    'hook start': [165, 1950],
    'hook stop': [385, 3850],
    review: [385, 3850],
  };
  const over = names.flatMap((name) => {
    const { files, kilobytes } = loads[name]();
    const [mostFiles, mostKilobytes] = most[name];
    return files.length > mostFiles || kilobytes > mostKilobytes
      ? [`${name}: ${files.length} files, ${kilobytes} kB`]
      : [];
  });
  expect(over).toEqual([]);
  expect(loads['--version']().files.filter((path) => /node_modules\/zod\//.test(path))).toEqual([]);
});
