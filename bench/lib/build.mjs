// Builds the library when its build is missing or older than its sources.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './library.mjs';

function newest(folder) {
  return Math.max(
    0,
    ...readdirSync(folder, { withFileTypes: true }).map((entry) =>
      entry.isDirectory()
        ? newest(join(folder, entry.name))
        : statSync(join(folder, entry.name)).mtimeMs,
    ),
  );
}

function fresh() {
  const built = join(root, 'dist/index.js');
  return existsSync(built) && statSync(built).mtimeMs >= newest(join(root, 'src'));
}

/** Makes dist fresh, and measures a copy of it, so that a build in between disturbs nothing. */
export function prepareDist() {
  if (process.env.BENCH_DIST !== undefined) return;
  if (!fresh()) {
    process.stderr.write('bench: building dist\n');
    const { status, stderr, stdout } = spawnSync('npm', ['run', 'build', '--silent'], {
      cwd: root,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`the build failed with ${status}:\n${stdout}${stderr}`);
  }
  const copy = `bench/results/dist-${process.pid}`;
  mkdirSync(join(root, 'bench/results'), { recursive: true });
  cpSync(join(root, 'dist'), join(root, copy), { recursive: true });
  process.env.BENCH_DIST = copy;
  process.on('exit', () => rmSync(join(root, copy), { recursive: true, force: true }));
}
