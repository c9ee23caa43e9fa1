import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { ending, failing } from '../support/matchers.js';
import { folderOf } from '../unit/cli/harness.js';
import { run } from './cli-harness.js';

vi.setConfig({ testTimeout: 120_000 });

const review = ['review', 'a.txt', '--task-text', 'x', '--no-requirements', '--check-timeout'];

describe('a criterion that blocks the event loop for good', () => {
  test.each([
    ['at once', '() => { while (true); }'],
    ['after an await', 'async () => { await null; for (;;); }'],
    ['in a regular expression', "() => /^(a+)+$/.test('a'.repeat(60) + 'b')"],
  ])('%s is named, what was assessed is kept, and the process ends', async (_, check) => {
    const config = `export default { criteria: { first: () => 'this one answered', loops: ${check} } };`;
    const cwd = await folderOf({ 'a.txt': 'x', 'reviewloop.config.mjs': config });
    const exit = await run(cwd, [...review, '2']);
    expect(exit).toMatchObject(
      failing(1, /error: the criterion loops blocked the event loop for more than 2000 ms/),
    );
    expect(exit.err).not.toMatch(/debugger/);
    expect(exit.err).toMatch(/Make the call asynchronous/);
    const [kept = ''] = await readdir(join(cwd, '.reviewloop/runs'));
    const report = join('.reviewloop/runs', kept, 'review.json');
    expect(exit.err).toContain(report);
    expect(JSON.parse(await readFile(join(cwd, report), 'utf8'))).toMatchObject({
      ...{ status: 'failed', approved: false, code: 'event_loop_blocked' },
      failures: [{ criterion: 'loops' }],
    });
    expect(await run(cwd, ['runs'])).toMatchObject(ending(0, /failed/));
  });

  test('a configuration that never loads', async () => {
    const cwd = await folderOf({ 'a.txt': 'x', 'reviewloop.config.mjs': 'while (true);' });
    expect(await run(cwd, [...review, '2'])).toMatchObject(failing(1, /the configuration blocked/));
  });

  test('one that works in bits is left alone', async () => {
    const config =
      'export default { criteria: { busy: async () => { for (let turn = 0; turn < 12; turn += 1) { const end = Date.now() + 50; while (Date.now() < end); await new Promise(setImmediate); } return true; } } };';
    const cwd = await folderOf({ 'a.txt': 'x', 'reviewloop.config.mjs': config });
    expect((await run(cwd, [...review, '3'])).code).toBe(0);
  });
});
