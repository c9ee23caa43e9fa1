// Prints the bill of materials of the built package as CycloneDX: what an install brings, and what is built into dist.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** @typedef {{ 'bom-ref': string }} Component */

const { name, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const command = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
const { status, stdout, stderr } = spawnSync('npm', command, {
  encoding: 'utf8',
  maxBuffer: 1e8,
  shell: process.platform === 'win32',
});
if (status !== 0) throw new Error(`npm ${command.join(' ')} failed: ${stderr}`);
const everything = JSON.parse(stdout);
/** @type {Map<string, readonly string[]>} */
const edges = new Map(
  everything.dependencies.map((/** @type {{ ref: string, dependsOn: string[] }} */ one) => [
    one.ref,
    one.dependsOn,
  ]),
);

// what an install brings; peers are the choice of who installs
const installed = new Set(
  Object.keys(dependencies).map((id) => `${id}@${packages[`node_modules/${id}`].version}`),
);
for (const reference of installed)
  for (const next of edges.get(reference) ?? []) installed.add(next);

// the build wrote the licence of every package of which a part is in dist
const licences = readFileSync('dist/THIRD-PARTY-LICENSES.txt', 'utf8');
const builtIn = new Set(
  [...licences.matchAll(/^-{72}\n(\S+) (\S+) \(/gm)].map(([, id, version]) => `${id}@${version}`),
);
const chosen = new Set([...installed, ...builtIn]);
const components = everything.components.flatMap((/** @type {Component} */ component) => {
  const reference = component['bom-ref'];
  if (!chosen.delete(reference)) return [];
  const properties = builtIn.has(reference) ? [{ name: `${name}:builtIn`, value: 'true' }] : [];
  return [{ ...component, scope: 'required', properties }];
});
if (chosen.size > 0) throw new Error(`the lock file lacks ${[...chosen].join(', ')}`);

const { component } = everything.metadata;
const own = component['bom-ref'];
const listed = new Set(components.map((/** @type {Component} */ one) => one['bom-ref']));
const graph = [
  { ref: own, dependsOn: [...listed] },
  ...[...listed].map((ref) => ({
    ref,
    dependsOn: (edges.get(ref) ?? []).filter((one) => listed.has(one)),
  })),
];
const metadata = { ...everything.metadata, component: { ...component, name } };
console.log(JSON.stringify({ ...everything, metadata, components, dependencies: graph }, null, 2));
