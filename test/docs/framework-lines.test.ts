import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/repository.js';

const page = readFileSync(join(root, 'docs/frameworks.md'), 'utf8');
const told = [...page.matchAll(/`(\w+)` (\d+)[,.]\s/g)].map(
  ([, name = '', lines]) => [name, Number(lines)] as const,
);

/** The examples, and the programs of the tests for what no example shows. */
const sources = ['examples/frameworks', 'test/frameworks/programs'].flatMap((folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(join(root, folder, name), 'utf8')),
);

function callIn(source: string, name: string): string | undefined {
  const start = new RegExp(`\\b${name}(<[^>]*>)?\\(`).exec(source.replace(/^ *(\*|\/\/).*$/gm, ''));
  if (start === null) return undefined;
  const text = source.slice(source.indexOf(start[0]));
  let depth = 0;
  for (let at = text.indexOf('('); at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(0, at + 1);
  }
  return undefined;
}

/** Returns the number of lines of a call, without closing brackets. */
function linesOf(call: string): number {
  return call.split('\n').filter((line) => /[^\s)}\],;]/.test(line)).length;
}

describe('the lines that a user of a framework writes', () => {
  it.each(told)('%s takes the number that the page tells, at most five', (name, lines) => {
    const calls = sources
      .map((source) => callIn(source, name))
      .filter((call) => call !== undefined);
    expect(calls.length).toBeGreaterThan(0);
    expect(Math.min(...calls.map(linesOf))).toBe(lines);
    expect(lines).toBeLessThanOrEqual(5);
  });

  it('are told for each function of the overview', () => {
    const overview = page.slice(0, page.indexOf('Each producer'));
    const functions = [...overview.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const named = functions.filter((name) => name !== 'ai');
    expect(new Set(told.map(([name]) => name))).toEqual(new Set(named));
  });
});
