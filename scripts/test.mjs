// Runs gates and tests: `npm test` what a change needs, in minutes; `npm run test:rest` all else; `npm run test:all` both.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { endTree } from './end-tree.mjs';

/** A gate that goes on longer is ended, and named: some eight times what the longest takes on two cores. */
const mostMinutes = 120;

/** Gates of one group run side by side; a failed gate stops the groups after its own. */
const parts = {
  fast: [
    ['typecheck', 'lint:types', 'lint', 'layers', 'knip'],
    ['build'],
    ['test:smoke'],
    [process.env.REVIEWLOOP_COVERAGE === undefined ? 'test:fast' : 'test:coverage'],
  ],
  rest: [['test:types', 'house', 'package:lint', 'package:types', 'docs:check'], ['test:heavy']],
};
/** What each part says of the other at its end. */
const elsewhere = {
  fast: 'not run: real servers, browsers, repositories and frameworks, slow tests, package, docs (npm run test:rest; with this, npm run test:all)',
  rest: 'not run: what npm test runs',
};

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

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

/** The gate with coverage runs the fast tests, the heavy one all others. */
const costs = { coverage: 'fast', heavy: 'rest' };
const summaryOf = (gate) => {
  const name = gate.slice('test:'.length);
  return `temp/summary-${costs[name] ?? name}.json`;
};

const readSummary = (gate) => {
  try {
    return JSON.parse(readFileSync(summaryOf(gate), 'utf8'));
  } catch {
    return { passed: 0, failed: 0, skipped: [], failures: [], unsteady: [] };
  }
};

const chosen = process.argv.slice(2);
const groups = chosen.flatMap((part) => parts[part]);
const gates = groups.flat();
const testGates = gates.filter((gate) => gate.startsWith('test:'));
for (const gate of testGates) rmSync(summaryOf(gate), { force: true });

const start = performance.now();
const failures = [];
const notRun = [];
for (const group of groups) {
  if (failures.length > 0) notRun.push(...group);
  else failures.push(...(await runGroup(group)));
}
const summaries = testGates.map(readSummary);
const sum = (count) => summaries.reduce((total, summary) => total + count(summary), 0);
const failed = sum((summary) => summary.failed);
const skipped = summaries.flatMap((summary) => summary.skipped);
const unsteady = summaries.flatMap((summary) => summary.unsteady);
const failedTests = summaries.flatMap((summary) => summary.failures);

console.log('');
console.log(
  failures.length === 0
    ? `all ${gates.length} gates passed in ${seconds(start)}: ${gates.join(', ')}`
    : `gate failed: ${failures.join(', ')}`,
);
if (failures.length > 0) console.log(`gates not run: ${notRun.join(', ') || 'none'}`);
for (const failure of failedTests) console.log(`  ${failure}`);
if (unsteady.length > 0) console.log(`failed once, passed alone: ${unsteady.join(', ')}`);
console.log(`skipped: ${skipped.length || 'none'}`);
for (const title of skipped) console.log(`  ${title}`);
if (chosen.length === 1) console.log(elsewhere[chosen[0]]);
// a gate that fails outside the test run counts as one failure
console.log(
  `${sum((summary) => summary.passed)} passed, ${failures.length > 0 ? Math.max(failed, 1) : failed} failed, ${skipped.length} skipped`,
);
process.exitCode = failures.length > 0 || failed > 0 ? 1 : 0;
