// Installs the sets of scripts/frameworks.mjs: all, or those that are named.
// Without a network it says so and exits 1.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { frameworks, frameworksFolder, isInstalled, withoutScripts } from './frameworks.mjs';

const minutes = 5;
const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(frameworks);
const unknown = wanted.filter((name) => frameworks[name] === undefined);
if (unknown.length > 0) {
  console.error(`${unknown} is no set; the sets: ${Object.keys(frameworks).join(', ')}`);
  process.exit(2);
}

const failed = [];
for (const name of wanted.filter((each) => !isInstalled(each))) {
  const folder = join(frameworksFolder, name);
  mkdirSync(folder, { recursive: true });
  const content = { private: true, type: 'module', dependencies: frameworks[name] };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(content, null, 2));
  const { status } = spawnSync(
    'npm',
    [
      ...['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel', 'error'],
      ...(withoutScripts.includes(name) ? ['--ignore-scripts'] : []),
    ],
    { cwd: folder, stdio: 'inherit', timeout: minutes * 60_000 },
  );
  if (status !== 0) failed.push(name);
}
console.log(
  failed.length === 0
    ? `frameworks: ${wanted.join(', ')} are in ${frameworksFolder}`
    : `frameworks: ${failed.join(', ')} could not be installed; their tests are skipped`,
);
if (failed.length > 0) process.exitCode = 1;
