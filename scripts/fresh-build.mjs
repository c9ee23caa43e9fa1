// Builds the package where its build is missing or older than what it is made of: node scripts/fresh-build.mjs
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = ['src', 'scripts', 'package.json', 'tsconfig.json', 'tsup.config.ts'];

function newest(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Whether dist was built from what lies here. */
export function isFresh() {
  const built = join(root, 'dist/index.js');
  if (!existsSync(built)) return false;
  return statSync(built).mtimeMs >= Math.max(...sources.map((path) => newest(join(root, path))));
}

/** Makes dist fresh. */
export function buildIfNeeded() {
  if (isFresh()) return;
  const { status, stderr, stdout } = spawnSync('npm', ['run', 'build', '--silent'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the build failed with ${status}:\n${stdout}${stderr}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildIfNeeded();
