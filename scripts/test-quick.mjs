// The checks for the change at hand, in under a minute: lint, types, floors, and the tests of the rooms that changed.
// Compares with the last commit; another base is an argument: npm run test:quick -- main
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const base = process.argv[2] ?? 'HEAD';
const git = (...args) =>
  spawnSync('git', args, { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
const changed = [
  ...git('diff', '--name-only', base),
  ...git('ls-files', '--others', '--exclude-standard'),
].filter((path) => existsSync(path));

/** The tests of a changed file: itself, or the folder that mirrors its room. */
const testsOf = (path) => {
  if (/^test\/.*\.test\.ts$/.test(path)) return [path];
  if (path.startsWith('docs/') || path.endsWith('.md')) return ['test/docs/links.test.ts'];
  const [, room] = /^src\/((?:(?:blocks|products|adapters|faces)\/)?[^/]+)\//.exec(path) ?? [];
  return room === undefined ? [] : [`test/unit/${room}`, 'test/laws'];
};
const tests = [...new Set(changed.flatMap(testsOf))].filter((path) => existsSync(path));
const lintable = changed.filter((path) => /\.(?:[cm]?[jt]s|json)$/.test(path));

const started = performance.now();
const run = (name, command, args) => {
  const start = performance.now();
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  console.log(
    `${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`,
  );
  return status === 0;
};

const gates = [
  ['lint', 'npx', ['biome', 'check', '--no-errors-on-unmatched', ...lintable], lintable.length > 0],
  ['typecheck', 'npm', ['run', '--silent', 'typecheck'], true],
  ['layers', 'npm', ['run', '--silent', 'layers'], changed.some((path) => path.startsWith('src/'))],
  [
    `tests: ${tests.join(' ')}`,
    'npx',
    ['vitest', 'run', '--typecheck.enabled=false', '--reporter=dot', ...tests],
    tests.length > 0,
  ],
];
const failed = gates.find(([name, command, args, wanted]) => wanted && !run(name, command, args));
console.log(
  failed === undefined
    ? `all quick checks of ${changed.length} changed files passed in ${((performance.now() - started) / 1000).toFixed(1)} s; npm test runs the rest`
    : `failed: ${failed[0]}`,
);
process.exitCode = failed === undefined ? 0 : 1;
