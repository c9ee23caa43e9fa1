import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';

const summaryFile = 'temp/test-summary.json';
const gates = [
  'lint',
  'lint:types',
  'typecheck',
  'layers',
  'knip',
  'build',
  'house',
  'package:lint',
  'size',
  'package:types',
  'test:unit',
  'docs:check',
];

const readSummary = () => {
  try {
    return JSON.parse(readFileSync(summaryFile, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, skipped: [] };
  }
};

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const run = (gate) => {
  const start = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', gate], { stdio: 'inherit' });
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${gate} (${seconds(start)})`);
  return status === 0;
};

rmSync(summaryFile, { force: true });
const start = performance.now();
const stoppedAt = gates.findIndex((gate) => !run(gate));
const { passed, failed, skipped } = readSummary();

console.log('');
console.log(
  stoppedAt < 0
    ? `all ${gates.length} gates passed in ${seconds(start)}: ${gates.join(', ')}`
    : `gate failed: ${gates[stoppedAt]}`,
);
if (stoppedAt >= 0)
  console.log(`gates not run: ${gates.slice(stoppedAt + 1).join(', ') || 'none'}`);
console.log(`skipped: ${skipped.length || 'none'}`);
for (const title of skipped) console.log(`  ${title}`);
// a gate that fails outside the test run counts as one failure
console.log(
  `${passed} passed, ${stoppedAt >= 0 ? Math.max(failed, 1) : failed} failed, ${skipped.length} skipped`,
);
process.exitCode = stoppedAt >= 0 || failed > 0 ? 1 : 0;
