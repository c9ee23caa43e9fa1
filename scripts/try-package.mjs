// Installs the packed tarball in scratch projects: each entry point, command and criterion, import and require on each
// supported Node, Bun and Deno, a bundle by webpack, and a strict compile.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const nodeVersions = ['20.19', '22', '24', '26'];
/** Other runtimes, as their npm packages, with what stands before a file that they run. */
const runtimes = [
  { name: 'bun', version: '1.4.5', binary: 'bun/bin/bun.exe', before: [] },
  { name: 'deno', version: '2.9.6', binary: 'deno/bin.cjs', before: ['run', '-A'] },
];
const webpack = 'webpack@5.113.0';
const consumer = resolve('test/package/consumer');
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const scratch = mkdtempSync(join(tmpdir(), 'try-package-'));
const counts = { passed: 0, failed: 0 };

const command = (name, args, cwd) => {
  const { status, stdout, stderr } = spawnSync(name, args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return { ok: status === 0, text: `${stdout ?? ''}${stderr ?? ''}`.trim() };
};

const firstLines = (text) => text.split('\n').slice(0, 15).join('\n');

const check = (title, { ok, text }) => {
  counts[ok ? 'passed' : 'failed'] += 1;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${title}${ok ? '' : `\n${firstLines(text)}`}`);
  return ok;
};

const install = (folder, ...packages) =>
  command('npm', ['install', '--no-audit', '--no-fund', '--save-exact', ...packages], folder);

const project = (name) => {
  const folder = join(scratch, name);
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name, private: true, type: 'module' }),
  );
  return folder;
};

/** A binary of this Node version, from its npm package; where install scripts are off, from the package of the platform. */
const nodeBinary = (version) => {
  const folder = project(`node-${version}`);
  install(folder, `node@${version}`);
  const usual = join(folder, 'node_modules/node/bin/node');
  if (existsSync(usual)) return usual;
  const platform = `node-${process.platform}-${process.arch}`;
  install(folder, `${platform}@${version}`);
  return join(folder, 'node_modules', platform, 'bin/node');
};

const tryPrograms = (folder) => {
  for (const name of ['program.mjs', 'program.cjs', 'sqlite.mjs'])
    copyFileSync(join(consumer, name), join(folder, name));
  for (const version of nodeVersions) {
    const binary = nodeBinary(version);
    const { text } = command(binary, ['--version'], folder);
    check(`node ${version} is a binary of that version (${text})`, {
      ok: text.startsWith(`v${version}.`),
      text,
    });
    for (const name of ['program.mjs', 'program.cjs'])
      check(`${name} on node ${version}`, command(binary, [name], folder));
    if (Number.parseInt(version, 10) >= 22)
      check(
        `the store in SQLite over node:sqlite on node ${version}`,
        command(binary, ['sqlite.mjs'], folder),
      );
    check(
      `reviewloop --help on node ${version}`,
      command(binary, [join('node_modules/reviewloop', manifest.bin.reviewloop), '--help'], folder),
    );
  }
};

const tryRuntimes = (folder) => {
  for (const { name, version, binary, before } of runtimes) {
    const place = project(name);
    if (!check(`install ${name}@${version}`, install(place, `${name}@${version}`))) continue;
    const file = join(place, 'node_modules', binary);
    const run = (program) =>
      binary.endsWith('.cjs')
        ? command(process.execPath, [file, ...before, program], folder)
        : command(file, [...before, program], folder);
    for (const program of ['program.mjs', 'sqlite.mjs', 'entries.mjs', 'commands.mjs']) {
      rmSync(join(folder, 'work'), { recursive: true, force: true });
      check(`${program} on ${name} ${version}`, run(program));
    }
  }
};

/** webpack leaves out the packages that an entry point imports only when it needs them. */
const tryWebpack = (folder) => {
  const place = project('webpack');
  if (!check(`install ${webpack}`, install(place, webpack))) return;
  copyFileSync(join(consumer, 'webpack.mjs'), join(place, 'webpack.mjs'));
  check(
    `each entry point is bundled by ${webpack}`,
    command(process.execPath, ['webpack.mjs', folder], place),
  );
};

const tryTypes = (folder) => {
  const compiler = `typescript@${manifest.devDependencies.typescript}`;
  const used = ['libsql', '@types/node'].map((name) => `${name}@${manifest.devDependencies[name]}`);
  const zod = `zod@${manifest.dependencies.zod}`;
  if (!check(`install ${compiler} ${used.join(' ')}`, install(folder, compiler, zod, ...used)))
    return;
  copyFileSync(join(consumer, 'types.ts'), join(folder, 'types.ts'));
  const flags = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2022',
  ];
  check(
    `types.ts compiles with ${compiler}`,
    command(process.execPath, ['node_modules/typescript/bin/tsc', ...flags, 'types.ts'], folder),
  );
  const subpaths = Object.keys(manifest.exports).filter(
    (path) => !['./vitest', './package.json'].includes(path),
  );
  // what their declarations name: the peers of two subpaths
  const named = ['@modelcontextprotocol/server', '@opentelemetry/api'].map(
    (name) => `${name}@${manifest.devDependencies[name]}`,
  );
  if (!check(`install ${named.join(' ')}`, install(folder, ...named))) return;
  writeFileSync(
    join(folder, 'subpaths.ts'),
    subpaths
      .map(
        (path, index) => `export * as entry${index} from '${path.replace(/^\./, manifest.name)}';`,
      )
      .join('\n'),
  );
  check(
    'the declarations of each subpath compile',
    command(process.execPath, ['node_modules/typescript/bin/tsc', ...flags, 'subpaths.ts'], folder),
  );
};

/**
 * Runs what test/package/consumer knows of criteria, entry points and commands. Criteria name the packages that they lack;
 * with these installed, only a missing browser is a reason to leave one out.
 */
const tryParts = (folder) => {
  for (const name of ['criteria', 'entries', 'commands', 'samples'])
    copyFileSync(join(consumer, `${name}.mjs`), join(folder, `${name}.mjs`));
  const run = (name) => command(process.execPath, [`${name}.mjs`], folder);
  check('each entry point loads, or names what it lacks', run('entries'));
  check('each command runs', run('commands'));
  let judged = run('criteria');
  for (const tried = new Set(); ; ) {
    const lacked = judged.text.matchAll(/\(npm install ([^)]+)\)/g);
    const peers = [...new Set([...lacked].flatMap(([, names]) => names.split(' ')))]
      .filter((name) => !tried.has(name))
      .map((name) => `${name}@${manifest.devDependencies[name]}`);
    if (peers.length === 0) break;
    if (!check(`install ${peers.join(' ')}`, install(folder, ...peers))) return;
    for (const peer of peers) tried.add(peer.replace(/(?!^)@.*/, ''));
    judged = run('criteria');
  }
  const { ok, text } = judged;
  const isWhole = /^(?:skipped: .*\[browser_missing\]\n)*\d+ criteria, \d+ works judged$/.test(
    text,
  );
  check('each criterion fails what it should, and passes the rest', { ok: ok && isWhole, text });
};

try {
  check('npm pack', command('npm', ['pack', '--pack-destination', scratch], '.'));
  const tarball = join(
    scratch,
    readdirSync(scratch).find((name) => name.endsWith('.tgz')) ?? 'missing.tgz',
  );
  const folder = project('user');
  if (check('install the tarball', install(folder, tarball))) {
    tryWebpack(folder);
    tryParts(folder);
    tryPrograms(folder);
    tryRuntimes(folder);
    tryTypes(folder);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
