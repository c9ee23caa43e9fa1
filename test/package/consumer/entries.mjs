// Imports each entry point of the installed package. One whose package is missing must say what to install.
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(
  readFileSync(new URL(import.meta.resolve('reviewloop/package.json')), 'utf8'),
);
const entries = Object.keys(manifest.exports).filter((path) => path !== './package.json');
const problems = [];
for (const path of entries) {
  const name = path.replace('.', 'reviewloop');
  try {
    await import(name);
  } catch ({ code, message }) {
    const isTold = code === 'peer_missing' || message.includes('npm install');
    // the matchers are loaded inside of a test run only
    if (!isTold && path !== './vitest') problems.push(`${name}: ${message}`);
  }
}
console.log(`${entries.length} entry points`);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
