import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const summaryFile = 'temp/test-summary.json';
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

/** Runs a gate. Beside others, it prints only at its end. */
const run = (gate, alone) =>
  new Promise((resolve) => {
    const start = performance.now();
    const child = spawn('npm', ['run', '--silent', gate], {
      stdio: alone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    const printed = [];
    child.stdout?.on('data', (part) => printed.push(part));
    child.stderr?.on('data', (part) => printed.push(part));
    child.on('close', (status) => {
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
