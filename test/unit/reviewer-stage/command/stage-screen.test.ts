import { expect, it } from 'vitest';
import type { Io } from '../../../../src/cli-kit/io.js';
import { sayer } from '../../../../src/reviewer-stage/command/stage-screen.js';
import { stageVersions } from '../../../../src/reviewer-stage/command/stage-versions.js';
import type { StageResult } from '../../../../src/reviewer-stage/stage-result.js';

/** What is printed of these lines. */
async function printed(
  lines: readonly string[],
  format: 'text' | 'json' = 'text',
  more: Partial<Io> = {},
): Promise<string> {
  const out: string[] = [];
  const io = { colours: false, out: async (text: string) => void out.push(text), ...more };
  await sayer(io as unknown as Io, format)(lines);
  return out.join('');
}

it('lines of a review are printed as text for people, with colours for what passed and failed', async () => {
  const lines = ['start', '  ✓ Tests: good', '  ✗ Style: poor', '⚠ cut', '[COMPLETE] done'];
  expect(await printed(lines)).toBe(`${lines.join('\n')}\n`);
  const coloured = (await printed(lines, 'text', { colours: true })).split('\n');
  const start = '\u001b[';
  expect(coloured.map((line) => line.includes(start))).toEqual([
    ...[false, true, true, true, true],
    false,
  ]);
  const codeOf = (line = ''): string => line.slice(0, line.indexOf('m') + 1);
  expect(codeOf(coloured[1])).toBe(codeOf(coloured[4]));
  expect(codeOf(coloured[2])).toBe(codeOf(coloured[3]));
  expect(codeOf(coloured[1])).not.toBe(codeOf(coloured[2]));
  expect(await printed(lines, 'json')).toBe('');
  expect(await printed(lines, 'text', { reader: 'agent' })).toBe('');
});

it('reports count columns in files whose secrets stand where they were', () => {
  const changedFiles = [
    { path: 'a.ts', status: 'new', content: 'text' },
    { path: 'b.ts', status: 'new', content: 'key = "[REDACTED:key]"' },
    { path: 'c.png', status: 'new', omitted: 'binary' },
  ];
  const versions = (run: object): unknown => stageVersions({ run } as unknown as StageResult);
  expect(versions({ version: 'v1', output: { changedFiles } })).toEqual({
    v1: [{ path: 'a.ts', type: 'code', content: 'text' }],
  });
  expect(versions({ version: 'v1' })).toEqual({ v1: [] });
  expect(versions({ output: { changedFiles } })).toEqual({});
});
