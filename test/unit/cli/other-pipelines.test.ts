import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { definePipeline } from '../../../src/index.js';
import type { Store } from '../../../src/ports/store.js';
import { fileStore } from '../../../src/stores/file/index.js';
import { sqliteStore } from '../../../src/stores/sqlite/index.js';
import { folderOf, goodPage, runCli } from './harness.js';

/** The stores of this machine: their flag, and how code opens them. */
const stores = {
  'file:.reviewloop': (cwd: string): Store => fileStore(join(cwd, '.reviewloop')),
  'sqlite:runs.db': (cwd: string): Store => sqliteStore(join(cwd, 'runs.db')),
};
const names = Object.keys(stores) as (keyof typeof stores)[];

/** Runs a pipeline of code in a store of the command line: one that ends, and one that waits. */
async function runsOfCode(store: Store): Promise<void> {
  const pipeline = {
    name: 'replies',
    produce: async (ticket: string) => `We refund ${ticket}.`,
    criteria: { polite: (reply: string) => reply.length > 3 || 'too short' },
    store,
  };
  await definePipeline(pipeline).run('40 EUR', { runId: 'Ticket-20' });
  await definePipeline({ ...pipeline, human: { policy: 'require' } }).run('50 EUR', {
    runId: 'ticket-17',
  });
}

describe.each(names)('runs of other pipelines in %s', (name) => {
  const flags = ['--store', name];

  async function filled(): Promise<string> {
    const cwd = await folderOf({ 'a.html': goodPage });
    await runsOfCode(stores[name](cwd));
    return cwd;
  }

  test('`runs` lists them with pipeline, start and status, beside those of commands', async () => {
    const cwd = await filled();
    await runCli(cwd, [
      'review',
      'a.html',
      '--task-text',
      'x',
      '--no-requirements',
      '-q',
      ...flags,
    ]);
    const { out } = await runCli(cwd, ['runs', ...flags]);
    expect(out).toMatch(/^Ticket-20 +\d{4}-\d\d-\d\d \d\d:\d\d +approved +- +pipeline `replies`/m);
    expect(out).toMatch(/^ticket-17 +\d{4}-.* +suspended +- +pipeline `replies`/m);
    expect(out).toContain('task --task-text');
    const { runs } = JSON.parse((await runCli(cwd, ['runs', '--json', ...flags])).out);
    expect(runs).toHaveLength(3);
    expect(runs).toContainEqual({
      runId: 'Ticket-20',
      pipeline: 'replies',
      at: expect.stringMatching(/^\d{4}-/),
      status: 'approved',
      approved: true,
      code: expect.any(String),
      overall: null,
      gaps: null,
    });
  });

  test.each(['runs', 'show'])('`%s ID` shows what the store contains', async (command) => {
    const cwd = await filled();
    const { code, out } = await runCli(cwd, [command, 'Ticket', ...flags]);
    expect([code, out]).toEqual([0, expect.stringMatching(/^Ticket-20: approved\n/)]);
    expect(out).toMatch(/^pipeline +replies$/m);
    expect(out).toMatch(/^task +40 EUR$/m);
    // a journal contains no reviews, and nothing is said about gaps then
    expect(out).toMatch(
      name.startsWith('file')
        ? /^reviews +unknown: a journal contains no reviews$/m
        : /^review 1 +score 1\.00 \(1 of 1 judged\), 0 gaps, approve: /m,
    );
    const waiting = await runCli(cwd, [command, 'ticket-17', ...flags]);
    expect(waiting.out).toMatch(/^asks +The reviewers approve: .* \(approve, reject\)$/m);
    expect(waiting.out).toContain('what to do: answer it where pipeline `replies` runs');
    const data = JSON.parse((await runCli(cwd, [command, 'ticket-17', '--json', ...flags])).out);
    expect(data).toMatchObject({
      recorded: true,
      runId: 'ticket-17',
      pipeline: 'replies',
      status: 'suspended',
      task: '50 EUR',
      requests: [{ allowed: ['approve', 'reject'] }],
      reviews: name.startsWith('file') ? null : [{ iteration: 1, overall: 1, gaps: 0 }],
    });
    expect(data).not.toHaveProperty('gaps');
  });

  test.each([
    ['answer', 'ticket-17', 'approve'],
    ['override', 'ticket-17', '--reason', 'fine'],
    ['resume', 'ticket-17'],
    ['diff', 'ticket-17'],
    ['summary', 'ticket-17'],
    ['report', 'ticket-17', '--junit', 'out.xml'],
  ])('`%s` says which pipeline the run belongs to', async (...argv) => {
    const cwd = await filled();
    const { code, err } = await runCli(cwd, [...argv, ...flags]);
    expect([code, err]).toEqual([2, expect.stringContaining('[run_elsewhere]')]);
    expect(err).toContain('run ticket-17 (suspended) belongs to pipeline `replies`');
    expect(existsSync(join(cwd, 'out.xml'))).toBe(false);
  });

  test('a prefix of several runs is refused, whichever pipelines they belong to', async () => {
    const cwd = await filled();
    await runCli(cwd, [
      'review',
      'a.html',
      '--task-text',
      'x',
      '--no-requirements',
      '-q',
      ...flags,
    ]);
    const { runs } = JSON.parse((await runCli(cwd, ['runs', '--json', ...flags])).out);
    const own = runs.find(({ pipeline }: { pipeline: string }) => pipeline !== 'replies').runId;
    const store = stores[name](cwd);
    const journal = await store.open(`${own}-b`, true);
    await journal.append({
      ...{ type: 'run', schema: 1, runId: `${own}-b`, pipeline: 'replies', at: 1 },
      ...{ taskDigest: '', task: 'x', nonce: '' },
    } as Parameters<typeof journal.append>[0]);
    await journal.close();
    expect(await runCli(cwd, ['runs', own.slice(0, 8), ...flags])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/2 runs in .* start with .*\[run_unknown\]/s),
    });
    expect(await runCli(cwd, ['runs', own, ...flags])).toMatchObject({ code: 0 });
    expect((await runCli(cwd, ['runs', `${own}-b`, ...flags])).out).toMatch(
      new RegExp(`^${own}-b: unfinished\n`),
    );
  });

  test('`store prune` tells how many runs of each pipeline it removed', async () => {
    const cwd = await filled();
    await runCli(cwd, [
      'review',
      'a.html',
      '--task-text',
      'x',
      '--no-requirements',
      '-q',
      ...flags,
    ]);
    const prune = ['store', 'prune', '--older-than', '0m', ...flags];
    expect(await runCli(cwd, prune)).toMatchObject({
      code: 0,
      out: 'removed 2 runs and 0 verdicts\n  replies: 1 run\n  review: 1 run\n',
    });
    // the other one waits for a person
    expect((await runCli(cwd, ['runs', ...flags])).out).toMatch(/^ticket-17 /m);
    const { out } = await runCli(cwd, [...prune, '--json']);
    expect(JSON.parse(out)).toEqual({ schemaVersion: 1, runs: [], pipelines: {}, verdicts: 0 });
  });

  test('a store that is not there has no runs, and is not created', async () => {
    const cwd = await folderOf();
    expect((await runCli(cwd, ['runs', ...flags])).out).toMatch(/^no runs in /);
    expect((await runCli(cwd, ['runs', 'x', ...flags])).err).toContain('[run_unknown]');
    expect(existsSync(join(cwd, 'runs.db'))).toBe(false);
  });
});
