import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const summaryFile = 'temp/test-summary.json';
/** Twice what all gates take on two cores. A gate that goes on is ended, and named. */
const mostMinutes = 50;
/** Gates of one group run side by side; a failed gate stops the groups after its own. */
const groups = [
  ['lint', 'typecheck', 'lint:types', 'layers', 'knip'],
  ['build'],
  ['house'],
  ['package:lint', 'size', 'package:types', 'docs:check'],
  ['test:unit'],
];
const gates = groups.flat();

const readSummary = () => {
  try {
    return JSON.parse(readFileSync(summaryFile, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, skipped: [] };
  }
};

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Ends a process and all that it started. */
const endTree = (pid) => {
  const { stdout = '' } = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = (stdout ?? '').split('\n').map((row) => row.trim().split(/\s+/).map(Number));
  const ended = [pid];
  for (const parent of ended)
    ended.push(...rows.filter(([, of]) => of === parent).map(([child]) => child));
  for (const each of ended.reverse())
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // it has ended by itself
    }
};

/** Runs a gate. Beside others, it prints only at its end. */
const run = (gate, alone) =>
  new Promise((resolve) => {
    const start = performance.now();
    const child = spawn('npm', ['run', '--silent', gate], {
      stdio: alone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    const timer = setTimeout(() => {
      console.error(`${gate} did not end within ${mostMinutes} minutes`);
      endTree(child.pid);
    }, mostMinutes * 60_000);
    const printed = [];
    child.stdout?.on('data', (part) => printed.push(part));
    child.stderr?.on('data', (part) => printed.push(part));
    child.on('close', (status) => {
      clearTimeout(timer);
      process.stdout.write(Buffer.concat(printed));
      console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${gate} (${seconds(start)})`);
      resolve(status === 0);
    });
  });

/** Runs the gates of a group, as many at a time as there are cores. Returns those that failed. */
const runGroup = async (group) => {
  const waiting = [...group];
  const failures = [];
  const work = async () => {
    for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift())
      if (!(await run(gate, group.length === 1))) failures.push(gate);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return failures;
};

rmSync(summaryFile, { force: true });
const start = performance.now();
const failures = [];
const notRun = [];
for (const group of groups) {
  if (failures.length > 0) notRun.push(...group);
  else failures.push(...(await runGroup(group)));
}
const { passed, failed, skipped } = readSummary();

console.log('');
console.log(
  failures.length === 0
    ? `all ${gates.length} gates passed in ${seconds(start)}: ${gates.join(', ')}`
    : `gate failed: ${failures.join(', ')}`,
);
if (failures.length > 0) console.log(`gates not run: ${notRun.join(', ') || 'none'}`);
console.log(`skipped: ${skipped.length || 'none'}`);
for (const title of skipped) console.log(`  ${title}`);
// a gate that fails outside the test run counts as one failure
console.log(
  `${passed} passed, ${failures.length > 0 ? Math.max(failed, 1) : failed} failed, ${skipped.length} skipped`,
);
process.exitCode = failures.length > 0 || failed > 0 ? 1 : 0;
