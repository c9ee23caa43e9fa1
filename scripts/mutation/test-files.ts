import { readdirSync } from 'node:fs';

/** Which tests are tried: beginnings of their paths, and whether the slow ones are among them. */
interface Chosen {
  prefixes: readonly string[];
  withSlow?: boolean;
}

/** Tests of seconds: only what no other test finds meets them. */
const slow = /core\/regressions\.test|\/laws\/|\/property\//;

/** Tests that replace packages, or change what the whole process sees: each file loads all modules anew. */
const apart = /^test\/unit\/(?:task-review|quality-gate\/mcp|reviewer-stage\/command)\//;

/**
 * Returns the test files that begin like one of the prefixes, the fast ones first: those that share modules, and the
 * others.
 */
export function testFiles({ prefixes, withSlow }: Chosen): { together: string[]; alone: string[] } {
  const all = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts'))
    .sort();
  const found = prefixes.flatMap((prefix) => all.filter((path) => path.startsWith(prefix)));
  const fast = found.filter((path) => !slow.test(path));
  const files = withSlow ? [...fast, ...found.filter((path) => slow.test(path))] : fast;
  return {
    together: files.filter((path) => !apart.test(path)),
    alone: files.filter((path) => apart.test(path)),
  };
}
