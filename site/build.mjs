// npm run docs:site   Builds the site of docs/ into site/dist. `-- --fast` leaves out the reference of the types.
// Needs its packages: npm ci --prefix site. Nothing is fetched while it builds.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './book.mjs';
import { stage, stagedFolder } from './stage.mjs';

const packages = join(root, 'site/node_modules');
const fast = process.argv.includes('--fast');

const run = (program, args) => {
  const { status } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
};

if (!existsSync(join(packages, 'vitepress'))) {
  console.error('the packages of the site are missing: npm ci --prefix site');
  process.exit(2);
}
rmSync(stagedFolder, { recursive: true, force: true });
if (!fast)
  run(join(root, 'node_modules/typedoc/bin/typedoc'), [
    ...['--options', join(root, 'site/typedoc.config.mjs'), '--logLevel', 'Warn'],
  ]);
const { pages, sources, reference } = stage();
run(join(packages, 'vitepress/bin/vitepress.js'), ['build', join(root, 'site')]);
console.log(`site/dist: ${pages} pages, ${reference} of the reference, ${sources} files of source`);
