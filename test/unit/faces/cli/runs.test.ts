import { existsSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { fileStore } from '@/adapters/stores/file/index.js';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import type { OutcomeStatus } from '@/core/outcome.js';
import { shortIdAmong } from '@/faces/cli-kit/show/next-command.js';
import { gateLines } from '@/faces/commands/quality-gate/gate-text.js';
import { taskLines } from '@/faces/commands/task-review/task-report.js';
import { saveRun } from '@/faces/reports/run-folder.js';
import type { RunReport } from '@/faces/reports/run-report.js';
import { folderFiles } from '@/node/store-file.js';
import type { Store } from '@/ports/store.js';
import type { FinishedStep } from '@/products/quality-gate/finished-step.js';
import type { TaskResult } from '@/products/task-review/task-result.js';
import { gateCall } from '../../../support/gate-call.js';
import { ending, failing, words } from '../../../support/matchers.js';
import { runsOfCode } from '../../../support/waiting-runs.js';
import { emptyReport } from '../cli-kit/support.js';
import { folderOf, goodPage, runCli } from './harness.js';

/** The stores of this machine: their flag, and how code opens them. */
const stores = {
  'file:.reviewloop': (cwd: string): Store => fileStore(join(cwd, '.reviewloop')),
  'sqlite:runs.db': (cwd: string): Store => sqliteStore(join(cwd, 'runs.db')),
};
const names = Object.keys(stores) as (keyof typeof stores)[];

describe.each(names)('runs of other pipelines in %s', (name) => {
  const flags = ['--store', name];

  async function filled(): Promise<string> {
    const cwd = await folderOf({ 'a.html': goodPage });
    await runsOfCode(stores[name](cwd));
    return cwd;
  }

  test('`runs` lists them with pipeline, start and status, beside those of commands', async () => {
    const cwd = await filled();
    await runCli(cwd, [...words('review a.html --task-text x --no-requirements -q'), ...flags]);
    const { out } = await runCli(cwd, ['runs', ...flags]);
    expect(out).toMatch(/^Ticket-20 +\d{4}-\d\d-\d\d \d\d:\d\d +approved +- +pipeline `replies`/m);
    expect(out).toMatch(/^ticket-17 +\d{4}-.* +suspended +- +pipeline `replies`/m);
    expect(out).toMatch(/approved .* 0 gaps, x\n/);
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
    ['runs', 'ticket-17', '--summary'],
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
    await runCli(cwd, [...words('review a.html --task-text x --no-requirements -q'), ...flags]);
    const { runs } = JSON.parse((await runCli(cwd, ['runs', '--json', ...flags])).out);
    const own = runs.find(({ pipeline }: { pipeline: string }) => pipeline !== 'replies').runId;
    const store = stores[name](cwd);
    const journal = await store.open(`${own}-b`, true);
    await journal.append({
      ...{ type: 'run', schema: 1, runId: `${own}-b`, pipeline: 'replies', at: 1 },
      ...{ taskDigest: '', task: 'x', nonce: '' },
    } as Parameters<typeof journal.append>[0]);
    await journal.close();
    expect(await runCli(cwd, ['runs', own.slice(0, 8), ...flags])).toMatchObject(
      failing(2, /2 runs in .* start with .*\[run_unknown\]/s),
    );
    expect(await runCli(cwd, ['runs', own, ...flags])).toMatchObject({ code: 0 });
    expect((await runCli(cwd, ['runs', `${own}-b`, ...flags])).out).toMatch(
      new RegExp(`^${own}-b: unfinished\n`),
    );
  });

  test('`store prune` tells how many runs of each pipeline it removed', async () => {
    const cwd = await filled();
    await runCli(cwd, [...words('review a.html --task-text x --no-requirements -q'), ...flags]);
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
    expect(await runCli(cwd, ['runs', ...flags])).toMatchObject(ending(0, /^no runs in /));
    expect(await runCli(cwd, ['audit', 'verify', ...flags])).toMatchObject({ code: 0 });
    expect((await runCli(cwd, ['runs', 'x', ...flags])).err).toContain('[run_unknown]');
    expect(existsSync(join(cwd, 'runs.db'))).toBe(false);
  });
});

const review = ['review', 'a.html', '--task-text', 'Visitors must sign in with their email', '-q'];
const reviewPage = [...review, '--no-requirements'];

describe('runs', () => {
  test('lists runs, the newest first, and shows one by the start of its id', async () => {
    const cwd = await folderOf({ 'a.html': goodPage });
    expect((await runCli(cwd, ['runs'])).out).toMatch(/^no runs in \.reviewloop\nnext: /);
    const first = await runCli(cwd, reviewPage);
    await runCli(cwd, reviewPage);
    const { out } = await runCli(cwd, ['runs']);
    const ids = out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(' ')[0] ?? '');
    expect(ids).toHaveLength(2);
    const known = await readdir(join(cwd, '.reviewloop/runs'));
    expect(ids.every((id) => known.filter((whole) => whole.startsWith(id)).length === 1)).toBe(
      true,
    );
    const shown = await runCli(cwd, ['runs', ids[1] ?? '']);
    const said = /^APPROVED\n.*$/m;
    expect(said.exec(shown.out)?.[0]).toBe(said.exec(first.out)?.[0]);
    expect(await runCli(cwd, ['runs', '0'])).toMatchObject(failing(2, /2 runs .* start with 0/));
    expect(JSON.parse((await runCli(cwd, ['runs', '--json'])).out)).toMatchObject({
      schemaVersion: 1,
      runs: [{ status: 'approved' }, { status: 'approved' }],
    });
    expect(
      JSON.parse((await runCli(cwd, ['runs', ids[0] ?? '', '--format', 'json'])).out),
    ).toMatchObject({ schemaVersion: 1, status: 'approved' });
  });

  test('shows what the words show and history show, and one view at a time', async () => {
    const cwd = await folderOf({ 'a.html': goodPage });
    await runCli(cwd, reviewPage);
    const [id = ''] = await readdir(join(cwd, '.reviewloop/runs'));
    for (const [view, word] of [
      [['--levels'], ['show']],
      [
        [id, '--levels', '--json'],
        ['show', id, '--json'],
      ],
      [['--history'], ['history']],
      [
        ['--history', '--status', 'approved', '--json'],
        ['history', '--status', 'approved', '--json'],
      ],
    ] as const) {
      const shown = await runCli(cwd, ['runs', ...view]);
      expect(shown).toMatchObject({ code: 0, out: (await runCli(cwd, [...word])).out });
    }
    for (const two of [
      [id, '--metrics'],
      ['--summary', '--metrics'],
      ['--orphans', '--metrics'],
      [id, '--history'],
      ['--levels', '--summary'],
    ])
      expect(await runCli(cwd, ['runs', ...two])).toMatchObject(failing(2, /not both/));
    expect(await runCli(cwd, ['runs', '--limit', '1'])).toMatchObject(
      failing(2, /require --history/),
    );
  });

  test('an id cannot lead out of the store', async () => {
    const cwd = await folderOf({ 'review.json': '{}', '.reviewloop/runs/a/review.json': '{}' });
    expect(await runCli(cwd, ['runs', '../../..'])).toMatchObject(failing(2, /run_unknown/));
  });

  test('short ids hold the time, so that they stay unique', () => {
    expect(shortIdAmong(['0192f3c8-aaaa-7000', '0192f3c8-bbbb-7000'], '0192f3c8-aaaa-7000')).toBe(
      '0192f3c8-aaaa',
    );
    expect(shortIdAmong(['0192f3c8-aaaa-7000', '0192f3c8-aaaa-7111'], '0192f3c8-aaaa-7000')).toBe(
      '0192f3c8-aaaa-70',
    );
    expect(shortIdAmong(['short'], 'short')).toBe('short');
  });
});

describe('init', () => {
  test('writes a configuration that works, and never overwrites one', async () => {
    const cwd = await folderOf({ 'a.html': goodPage });
    expect(await runCli(cwd, ['init'])).toMatchObject(ending(0, 'written: reviewloop.config.mjs'));
    expect(await runCli(cwd, review)).toMatchObject(
      ending(50, 'by html, text, requirements, no-placeholder\n'),
    );
    expect(await runCli(cwd, reviewPage)).toMatchObject(
      ending(0, 'by html, text, no-placeholder\n'),
    );
    const text = await readFile(join(cwd, 'reviewloop.config.mjs'), 'utf8');
    expect(await runCli(cwd, ['init'])).toMatchObject(
      failing(2, /already exists and was left unchanged/),
    );
    expect(await readFile(join(cwd, 'reviewloop.config.mjs'), 'utf8')).toBe(text);
  });

  test('another form of configuration counts too', async () => {
    expect(await runCli(await folderOf({ 'reviewloop.config.yaml': '' }), ['init'])).toMatchObject({
      code: 2,
    });
  });
});

describe('help', () => {
  test.each([
    [['--help']],
    [['review', '--help']],
    [['demo', '--help']],
    [['runs', '--help']],
    [['init', '--help']],
    [['help', 'review']],
  ])('%j has examples', async (argv) => {
    const { code, out, err } = await runCli(await folderOf(), argv);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/Usage: reviewloop[\s\S]*Examples:\n {2}reviewloop/);
  });

  test('version', async () => {
    expect(await runCli(await folderOf(), ['--version'])).toMatchObject(
      ending(0, /^\d+\.\d+\.\d+\n$/),
    );
  });
});

const page =
  '<!doctype html>\n<html>\n<head>\n<title>Tea</title>\n</head>\n<body>\n<h1>Tea</h1>\n</body>\n</html>\n';

async function reviewed() {
  const cwd = await folderOf({ 'page.html': page });
  await runCli(cwd, ['review', 'page.html', '--task-text', 'Show tea.', '-q', '--fix']);
  const [{ runId }] = JSON.parse((await runCli(cwd, ['runs', '--json'])).out).runs;
  return { cwd, runId };
}

describe('reviewloop diff', () => {
  it('shows what changed from the first to the best version, and the gaps that it closed', async () => {
    const { cwd, runId } = await reviewed();
    const { code, out } = await runCli(cwd, ['diff', runId]);
    expect(code).toBe(0);
    expect(out).toMatch(/^review 1 to review 2: 1 file changed\n/);
    expect(out).toMatch(
      /^--- page\.html$[\s\S]*^\+\+\+ page\.html$[\s\S]*^\+.*<meta name="viewport"/m,
    );
    expect(out).toMatch(/1 closed gap:\n {2}major {2}.*viewport/i);
  });

  it('compares two named reviews, the other way round too', async () => {
    const { cwd, runId } = await reviewed();
    const { out } = await runCli(cwd, ['diff', runId, '2', '1']);
    expect(out).toMatch(/^-.*<meta name="viewport"/m);
    expect(out).toMatch(/1 new gap:/);
    const same = await runCli(cwd, ['diff', runId, '2', '2']);
    expect(same.out).toBe('review 2 to review 2: 0 files changed\n');
  });

  it('is data with --json', async () => {
    const { cwd, runId } = await reviewed();
    const found = JSON.parse((await runCli(cwd, ['diff', runId, '--json'])).out);
    expect(found).toMatchObject({ from: 1, to: 2, patches: [{ path: 'page.html' }], opened: [] });
  });

  it('says which reviews there are, and that the versions are not stored', async () => {
    const { cwd, runId } = await reviewed();
    expect(await runCli(cwd, ['diff', runId, '7'])).toMatchObject(
      failing(2, /has no review 7; its reviews: 1, 2/),
    );
    rmSync(join(cwd, '.reviewloop/runs', runId, 'versions.json'));
    const gone = await runCli(cwd, ['diff', runId]);
    expect(gone.err).toMatch(/the version of review 1 is not stored/);
  });
});

const statuses: readonly OutcomeStatus[] = [
  ...(['approved', 'accepted', 'suspended', 'rejected', 'escalated', 'exhausted'] as const),
  ...(['stalled', 'inconclusive', 'timed_out', 'cancelled', 'failed'] as const),
];

/** Other words for the same endings. */
const synonyms =
  /declin|overrid|complet|waits|needs work|needs_work|timed out|aborted|killed|gave up|out of time|undecided/i;

const report = (status: OutcomeStatus): RunReport => ({
  ...emptyReport,
  runId: `0192f3c8-0000-7000-8000-00000000000${statuses.indexOf(status).toString(36)}`,
  at: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
  status,
  approved: status === 'approved',
  code: 'any',
  reason: 'the reason',
  exitCode: 0,
  task: { source: 'TASK.md' },
  criteria: { chosen: ['own'], reason: 'named', names: {} },
});

const statusesIn = (text: string): string[] =>
  statuses.filter((word) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'i').test(text));

it.each(statuses)('%s has one word in every list, page and headline [R2-099]', async (status) => {
  const cwd = await folderOf();
  const { runId } = report(status);
  const kept = { report: report(status), summary: '', output: undefined };
  await saveRun(folderFiles(join(cwd, '.reviewloop')), kept);
  const shown = async (...argv: string[]) =>
    (await runCli(cwd, argv)).out.replace(/^(?:next|more): .*/gm, '');
  const list = await shown('runs');
  const page = await shown('runs', runId);
  const history = await shown('history');
  expect(statusesIn(list)).toEqual([status]);
  // the decision is said in other words, the status in small print
  const print = page.split('\n').find((line) => line.startsWith('status ')) ?? '';
  expect(statusesIn(print)).toEqual([status]);
  expect(await shown('show', runId)).toBe(page);
  // `Decision` is the column of the reviewer stage, with its own two words
  const row = history.split('\n')[1] ?? '';
  if (status !== 'exhausted') expect(statusesIn(row)).toContain(status);
  expect(row).not.toMatch(/APPROVED \(|REJECTED \(rejected|INCONCLUSIVE \(inconclusive/);
  expect(`${list}${page}${history}`).not.toMatch(synonyms);
});

it('a step of a job and a task say the same words [R2-099]', () => {
  const step = (more: Partial<FinishedStep>): string =>
    gateLines(
      {
        ...{ status: 'needs_work', outcome: null, feedback: null, failed_reviews: null },
        ...{ instructions_path: null, hash: '', attempts: 1, review_errors: 0, error: null },
        ...{ unanswered: [], stale: [], begin_step: null },
        ...more,
      },
      gateCall({ mode: 'self' }),
    ).join('\n');
  expect(statusesIn(step({ status: 'next_step', outcome: 'approved' }))).toEqual(['approved']);
  expect(statusesIn(step({ status: 'next_step', outcome: 'accepted' }))).toEqual(['accepted']);
  expect(
    statusesIn(
      step({ instructions_path: 'x.md' }).replace('--override', '').replace('NOT APPROVED', ''),
    ),
  ).toEqual(['suspended']);
  const closed = [null, 'timed_out', 'review_failed', 'files_changed'] as const;
  expect(
    closed.flatMap((error) => statusesIn(step({ error }).replace('NOT APPROVED', ''))),
  ).toEqual(['exhausted', 'timed_out', 'inconclusive', 'inconclusive']);
  for (const status of statuses) {
    const result = { status: 'failed', code: 'X', error: 'y', reviewFindings: null, attempts: [] };
    const task = { ...result, run: { runId: 'r', status, reviews: [] } } as unknown as TaskResult;
    expect(taskLines('T-1', task, { store: '', again: 'x' })[1]).toBe(`  ${status}, X: y`);
  }
});
