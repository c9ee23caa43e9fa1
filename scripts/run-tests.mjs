// Runs the tests of one cost: node scripts/run-tests.mjs fast|real|slow|types|smoke [options of vitest].
// `rest` are real and slow.
// `--keep` writes which files took longest into test/longest.json: these begin first.
// A file that fails is run once more, alone: a process, a server or a file beside it may have been in its way. Both results
// are printed, here and at the end of the run.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, freemem } from 'node:os';

const [cost, ...given] = process.argv.slice(2);
const options = given.filter((option) => option !== '--keep');
const summaryFile = `temp/summary-${cost}.json`;
/** One test that kills a process. The commands have a program of their own. */
const kill = 'test/resume/lock.real.test.ts';
const projects = {
  fast: ['fast'],
  real: ['real', 'alone'],
  slow: ['slow'],
  // side by side: while some wait, others work
  rest: ['real', 'alone', 'slow'],
  types: ['types'],
  smoke: ['real'],
};

/**
 * A folder in memory for temporary files: tests flush many small files, which a disk does slowly. Undefined where there
 * is little memory, or where programs cannot be run from there.
 */
const folderInMemory = () => {
  const place = '/dev/shm';
  if (process.env.TMPDIR !== undefined || !existsSync(place) || freemem() < 8 * 2 ** 30) return;
  const { bavail, bsize } = statfsSync(place);
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === place);
  if (bavail * bsize < 6 * 2 ** 30 || mount === undefined || mount.includes('noexec')) return;
  const folder = mkdtempSync(`${place}/tests-`);
  // a database server runs as another user
  chmodSync(folder, 0o1777);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  return folder;
};
const inMemory = folderInMemory();

const surroundings = {
  ...(inMemory && { TMPDIR: inMemory }),
  // these wait for other processes, servers and pauses between calls more than they work
  ...(['real', 'rest'].includes(cost) && {
    REVIEWLOOP_WORKERS: String(3 * availableParallelism() + (cost === 'rest' ? 1 : 0)),
  }),
};

const vitest = (file, ...args) => {
  rmSync(file, { force: true });
  const { status } = spawnSync('npx', ['vitest', 'run', ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...surroundings, REVIEWLOOP_SUMMARY: file },
  });
  try {
    return { status, ...JSON.parse(readFileSync(file, 'utf8')) };
  } catch {
    return {
      status,
      passed: 0,
      failed: 1,
      skipped: [],
      failures: [],
      failedFiles: [],
      slowest: [],
    };
  }
};

const chosen = projects[cost].map((project) => `--project=${project}`);
if (!projects[cost].includes('types')) chosen.push('--typecheck.enabled=false');
if (cost === 'smoke') {
  const { status } = spawnSync(process.execPath, ['scripts/smoke.mjs'], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  chosen.push(kill);
}
const summary = vitest(summaryFile, ...chosen, ...options);
const unsteady = [];
// a fault of the code fails many files; so many are not run twice
if (summary.failedFiles.length <= 10)
  for (const path of summary.failedFiles) {
    console.log(`\n${path} failed. Once more, alone:`);
    const again = vitest('temp/summary-again.json', ...chosen, path);
    console.log(`${path}: failed beside others, ${again.status === 0 ? 'passed' : 'failed'} alone`);
    if (again.status === 0) unsteady.push(path);
  }
// an error outside of the tests belongs to no file that could be run again
const isSteady =
  unsteady.length > 0 &&
  summary.failedFiles.length === unsteady.length &&
  summary.outsideOfTests === 0;
if (isSteady) summary.failed = 0;
writeFileSync(summaryFile, JSON.stringify({ ...summary, unsteady }));
if (given.includes('--keep')) {
  const longest = summary.slowest.map(([, path]) => path);
  writeFileSync('test/longest.json', `${JSON.stringify(longest, null, 2)}\n`);
}
console.log(`slowest of ${cost}:`);
for (const [ms, path] of summary.slowest.slice(0, 20))
  console.log(`  ${(ms / 1000).toFixed(1)} s ${path}`);
process.exitCode = summary.status === 0 || isSteady ? 0 : 1;
