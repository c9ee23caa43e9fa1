import { readdirSync } from 'node:fs';

/** Which tests are tried: beginnings of their paths, and whether the slow ones are among them. */
interface Chosen {
  prefixes: readonly string[];
  withSlow?: boolean;
}

/** Tests of seconds: only what no other test finds meets them. */
const slow =
  /\.(?:real|slow)\.test|\/laws\/|\/property\/|core\/regressions\.|engine\/(?:judge-calls|port-that-hangs)\./;

/** Tests that start processes. They follow those that take milliseconds. */
const starting = /\/command\/|quality-gate\/quality-gate\./;

/** Tests that replace packages, or change what the whole process sees: each file loads all modules anew. */
const apart = /\.alone\.test|test\/unit\/quality-gate\/mcp\//;

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
  const rank = (path: string): number => (slow.test(path) ? 2 : Number(starting.test(path)));
  const files = found
    .filter((path) => withSlow === true || rank(path) < 2)
    .sort((a, b) => rank(a) - rank(b));
  return {
    together: files.filter((path) => !apart.test(path)),
    alone: files.filter((path) => apart.test(path)),
  };
}
