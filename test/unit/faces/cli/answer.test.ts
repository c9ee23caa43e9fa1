import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileStore, pruneRuns } from '@/adapters/stores/file/index.js';
import type { RunReport } from '@/faces/reports/run-report.js';
import { ending, failing } from '../../../support/matchers.js';
import { type CliResult, folderOf, runCli } from './harness.js';

const review = ['review', 'a.txt', '--task-text', 'x', '--no-requirements', '-q'];
const config = (human: string, more = ''): string =>
  `export default { human: ${human}, criteria: { fine: ({ artifacts }) => !artifacts[0].content.includes('bad') || 'bad' }, ${more} };`;

/** Settings of a run that adds a line for each revision. */
const adding =
  "budget: { reviews: 4 }, address: async (output) => ({ ...output, artifacts: output.artifacts.map((a) => ({ ...a, content: a.content + 'more\\n' })) })";

interface Kept {
  readonly cwd: string;
  readonly id: string;
  readonly result: CliResult;
  readonly report: () => Promise<RunReport>;
  /** The text of a file in the folder of the run. */
  readonly text: (file: string) => Promise<string>;
  readonly answer: (...argv: string[]) => Promise<CliResult>;
}

async function kept(
  files: Readonly<Record<string, string>>,
  argv: readonly string[] = review,
): Promise<Kept> {
  const cwd = await folderOf({ 'a.txt': 'good\n', ...files });
  const result = await runCli(cwd, argv);
  const [id = ''] = await readdir(join(cwd, '.reviewloop/runs'));
  const text = (file: string) => readFile(join(cwd, '.reviewloop/runs', id, file), 'utf8');
  return {
    cwd,
    id,
    result,
    report: async () => JSON.parse(await text('review.json')) as RunReport,
    text,
    answer: (...rest) => runCli(cwd, ['answer', id.slice(0, 13), ...rest, '--by', 'Ada', '-q']),
  };
}

const suspended = (human = "{ policy: 'require' }", more = ''): Promise<Kept> =>
  kept({ 'reviewloop.config.mjs': config(human, more) });
const failed = (): Promise<Kept> =>
  kept({ 'a.txt': 'bad\n', 'reviewloop.config.mjs': config("{ policy: 'auto' }") });

describe('a run that waits', () => {
  test('exits with 53, and ends with the question and how to answer it [R2-064, R2-069]', async () => {
    const { result, cwd, report } = await suspended();
    expect(result.code).toBe(53);
    expect(result.out).toMatch(/\nNOT APPROVED YET: 1 question for you\n/);
    expect(result.out).toMatch(/\n {2}question: The reviewers approve: .*\(approve, reject\)\n/);
    expect(result.out).toMatch(
      /\nexit code 53 \(suspended\)\nnext: reviewloop answer [\w-]{13,} approve\n {2}or: reviewloop inbox # in the browser\n$/,
    );
    expect(await report()).toMatchObject({
      status: 'suspended',
      requests: [{ allowed: ['approve', 'reject'] }],
    });
    expect((await runCli(cwd, ['runs'])).out).toContain('suspended');
    expect((await runCli(cwd, ['runs', '0'])).out).toMatch(
      /\nNOT APPROVED YET: [\s\S]*\nnext: reviewloop answer \S+ approve\n/,
    );
  });

  test('keeps what the answer needs beside the journal, and the store knows it too', async () => {
    const { cwd, id } = await suspended();
    const folder = join(cwd, '.reviewloop/runs', id);
    expect(await readdir(folder)).toEqual(
      expect.arrayContaining([
        'journal.jsonl',
        'output',
        'request.json',
        'review.json',
        'summary.md',
      ]),
    );
    expect(JSON.parse(await readFile(join(folder, 'request.json'), 'utf8'))).toMatchObject({
      schemaVersion: 2,
      runId: id,
      task: { source: '--task-text', text: 'x' },
      paths: ['a.txt'],
    });
    expect(await fileStore(join(cwd, '.reviewloop')).list()).toEqual([
      { runId: id, status: 'suspended' },
    ]);
    expect(await pruneRuns(join(cwd, '.reviewloop'), { olderThanMs: 0 })).toEqual([]);
  });

  test.each([
    [['approve'], 0, 'approved', 'Ada'],
    [['reject', '--reason', 'not now'], 51, 'rejected', 'not now'],
    [['reject'], 51, 'rejected', 'rejected by Ada'],
  ])('%j', async (argv, code, status, reason) => {
    const { answer, report, cwd, text } = await suspended();
    await writeFile(join(cwd, 'a.txt'), 'bad\n');
    expect(await answer(...argv)).toMatchObject({ code, err: '' });
    expect(await report()).toMatchObject({
      status,
      exitCode: code,
      reason: expect.stringContaining(reason),
    });
    expect(await text('output/a.txt')).toBe('good\n');
    expect(await text('summary.md')).toContain(status);
  });

  test('skip, where the policy allows it', async () => {
    const { answer, cwd, id } = await suspended("{ policy: 'prompt' }");
    expect(await answer('skip', '--reason', 'in a hurry')).toMatchObject(
      ending(0, 'ACCEPTED BY Ada, without a review\nIn a hurry.'),
    );
    expect((await runCli(cwd, ['runs', id])).out).toContain('ACCEPTED BY Ada, without');
  });

  test('a run that was started with --write writes each new version back, and nothing over what somebody else wrote', async () => {
    const run = await kept(
      {
        'a.txt': '\ufeffgood\n',
        'reviewloop.config.mjs': config("{ policy: 'require' }", adding),
      },
      [...review, '--write'],
    );
    const file = join(run.cwd, 'a.txt');
    expect(await run.answer('revise', '--reason', 'more')).toMatchObject(
      ending(53, 'written: a.txt'),
    );
    expect(await readFile(file, 'utf8')).toBe('\ufeffgood\nmore\n');
    expect(await run.answer('revise', '--reason', 'more')).toMatchObject({ code: 53 });
    expect(await readFile(file, 'utf8')).toBe('\ufeffgood\nmore\nmore\n');
    await writeFile(file, 'mine\n');
    expect(await run.answer('revise', '--reason', 'more')).toMatchObject(
      failing(1, '[file_changed]'),
    );
    expect(await readFile(file, 'utf8')).toBe('mine\n');
    expect(await run.report()).toMatchObject({ status: 'suspended', changed: ['a.txt'] });
    expect(await run.text('output/a.txt')).toBe('good\nmore\nmore\nmore\n');
    expect(await run.answer('approve')).toMatchObject(failing(1, '[file_changed]'));
    expect(await run.report()).toMatchObject({ approved: true });
  });

  test('revise goes on, and may ask again', async () => {
    const run = await kept({ 'reviewloop.config.mjs': config("{ policy: 'require' }", adding) }, [
      ...review,
      '--fix',
    ]);
    expect(await run.answer('revise', '--reason', 'more')).toMatchObject(
      ending(53, 'changed, not written: a.txt'),
    );
    expect(await run.text('output/a.txt')).toBe('good\nmore\n');
    expect(await run.answer('approve')).toMatchObject({ code: 0 });
    expect(await run.report()).toMatchObject({ approved: true, changed: ['a.txt'] });
  });

  test('--format json gives the new report, which says what the first one said about the file of requirements', async () => {
    const cwd = await folderOf({
      'a.txt': 'The page shows the price of tea.\n',
      'task.md': '# Task\n\n## Requirements\n\n- The page shows the price of tea.\n',
      'reviewloop.config.mjs': config("{ policy: 'require' }"),
    });
    await runCli(cwd, ['requirements', 'task.md', '--write']);
    const first = await runCli(cwd, ['review', 'a.txt', '--task', 'task.md', '-q', '--json']);
    const { runId, requirements } = JSON.parse(first.out) as RunReport;
    expect(requirements).toMatchObject({ judged: 1 });
    const rejected = ['answer', runId, 'reject', '--by', 'Ada', '-q', '--format', 'json'];
    const report = JSON.parse((await runCli(cwd, rejected)).out) as RunReport;
    expect(report).toMatchObject({ schemaVersion: 1, status: 'rejected' });
    expect(report.requirements).toEqual(requirements);
  });

  test('without --by the name of the user is recorded', async () => {
    const { cwd, id, report } = await suspended();
    await runCli(cwd, ['answer', id, 'reject', '-q']);
    expect((await report()).reason).toMatch(/^rejected by \S+/);
  });
});

describe('what is refused', () => {
  test.each([
    [['skip'], /\[answer_not_allowed\]/],
    [['override', '--reason', 'x'], /\[answer_not_allowed\]/],
    [['revise'], /\[reason_required\]/],
    [['revise', '--reason', ' '], /\[reason_required\]/],
    [
      ['approve', '--question', 'zzz'],
      /has no question zzz; open questions: question: .*\[request_unknown\]/,
    ],
    [['perhaps'], /Allowed choices are approve, reject, revise, skip, override/],
  ])('%j leaves the run as it is', async (argv, message) => {
    const { answer, report } = await suspended();
    expect(await answer(...argv)).toMatchObject({ ...failing(2, message), out: '' });
    expect((await report()).status).toBe('suspended');
    expect((await answer('approve')).code).toBe(0);
  });

  test('a second answer', async () => {
    const { answer } = await suspended();
    await answer('approve');
    expect(await answer('reject')).toMatchObject(failing(2, /it is approved.*\[request_unknown\]/));
  });

  test('an answer after the question has expired', async () => {
    const { answer, report } = await suspended("{ policy: 'require', expiresAfterMs: 1000 }");
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await answer('approve')).toMatchObject(failing(2, /\[request_expired\]/));
    expect(await report()).toMatchObject({
      approved: false,
      status: 'timed_out',
      code: 'request_expired',
    });
    expect((await answer('override', '--reason', 'it was fine')).code).toBe(0);
  });

  test('an unknown run, and one whose request cannot be read', async () => {
    const { answer, cwd, id } = await suspended();
    expect(await runCli(cwd, ['answer', 'ffff', 'approve'])).toMatchObject(
      failing(2, /\[run_unknown\]/),
    );
    await writeFile(join(cwd, '.reviewloop/runs', id, 'request.json'), '{"schemaVersion":3}');
    expect(await answer('approve')).toMatchObject(failing(2, /\[file_unreadable\]/));
  });

  test('an answer that was recorded before its process ended is not given twice', async () => {
    const { answer, report, cwd, id } = await suspended();
    const file = join(cwd, '.reviewloop/runs', id, 'review.json');
    const before = await readFile(file, 'utf8');
    await answer('approve');
    await writeFile(file, before);
    expect(await answer('reject')).toMatchObject(
      failing(2, /answered before, with approve by Ada.*approved now.*\[request_answered\]/),
    );
    expect(await report()).toMatchObject({ status: 'approved' });
  });
});

describe('a decision about what nobody could tell', () => {
  const asked = ['review', 'a.txt', '--task-text', '- Write about tea\n- Name a price', '-q'];
  const open = (human: string): Promise<Kept> =>
    kept(
      { 'reviewloop.config.mjs': `export default { criteria: { fine: () => true }${human} };` },
      asked,
    );

  test('of a run that ended: every yes approves it, with the author', async () => {
    const { answer, cwd, id, result, report } = await open('');
    expect(result).toMatchObject(ending(50, /next: reviewloop answer \S+ R1=yes R2=yes #/));
    expect(await answer('decide', 'R1=yes')).toMatchObject(
      ending(50, /\nNOT APPROVED YET: 1 question for you\n/),
    );
    // short for `decide R2=yes`
    expect(await answer('R2=yes', '--reason', 'I read it')).toMatchObject(
      ending(0, /\nAPPROVED\n/),
    );
    expect(await report()).toMatchObject({ approved: true, undecided: [] });
    expect((await runCli(cwd, ['audit', 'verify'])).out).toMatch(/^INTACT: 2 records/);
    expect((await runCli(cwd, ['runs', id])).out).toMatch(/\nAPPROVED\n[\s\S]*✓ R2 .* \(Ada\)/);
  });

  test('no is a gap, and nothing else can be decided', async () => {
    const { answer, report } = await open('');
    for (const [decision, message] of [
      ['R3=yes', /R3 is not undecided; undecided: R1, R2/],
      ['R1=perhaps', /is not like R3=yes/],
    ] as const)
      for (const said of [['decide', decision], [decision]])
        expect(await answer(...said)).toMatchObject(failing(2, message));
    expect(await answer('decide', 'R1=no', 'R2=yes')).toMatchObject(
      ending(50, /Not met: .*Write about tea[\s\S]*next: reviewloop review .* # after you fixed/),
    );
    expect(await report()).toMatchObject({ approved: false, undecided: [] });
  });

  test('of a run that waits, with --approve: nobody is asked again [R3-078]', async () => {
    const { answer, report, cwd } = await open(", human: { policy: 'require' }");
    const refused = [
      [['R1=yes', '--approve'], /R2 stays open|stays open.*\[approval_open\]/],
      [['R1=yes', 'R2=no', '--approve'], /decided with no.*\[approval_open\]/],
      [['reject', '--approve'], /reject takes no --approve/],
    ] as const;
    for (const [argv, message] of refused)
      expect(await answer(...argv)).toMatchObject(failing(2, message));
    expect(await answer('R1=yes', 'R2=yes', '--approve')).toMatchObject(ending(0, /APPROVED/));
    expect(await report()).toMatchObject({ approved: true, code: 'person_approved' });
    expect((await runCli(cwd, ['audit', 'verify'])).out).toMatch(/^INTACT: 1 record/);
  });

  test('of a run that waits: it asks for the decision first, then for the approval', async () => {
    const { answer, result } = await open(", human: { policy: 'require' }");
    expect(result).toMatchObject(
      ending(53, /\n {2}R1 {2}[\s\S]*\nnext: \S+ answer \S+ R1=yes R2=yes --approve #/),
    );
    expect(await answer('approve')).toMatchObject({ code: 2 });
    expect(await answer('decide', 'R1=yes', 'R2=yes')).toMatchObject(
      ending(53, /\(approve, reject\)\n[\s\S]*\nnext: .* approve\n/),
    );
    expect((await answer('approve')).code).toBe(0);
  });
});

describe('an override of a run that ended', () => {
  test.each([['answer'], ['override']])(
    '%s lets through what was kept, with who and why',
    async (command) => {
      const { cwd, id, result, report, answer } = await failed();
      expect(result).toMatchObject(
        ending(50, / {2}or: reviewloop override \S+ --reason "\.\.\." # in your name\n/),
      );
      const argv = command === 'answer' ? ['answer', id, 'override'] : ['override', id];
      expect(
        await runCli(cwd, [...argv, '--reason', 'legal agrees', '--by', 'Ada', '-q']),
      ).toMatchObject(ending(0, 'APPROVED BY Ada, against 1 gap'));
      expect(await report()).toMatchObject({
        status: 'accepted',
        approved: false,
        exitCode: 0,
        acceptance: { kind: 'override', by: 'Ada', reason: 'legal agrees' },
      });
      expect((await runCli(cwd, ['runs', id])).out).toContain(
        'Reviewers did not approve. Ada did: "legal agrees".',
      );
      expect(await answer('override', '--reason', 'again')).toMatchObject(
        failing(2, /\[request_unknown\]/),
      );
    },
  );

  test('needs a reason, and nothing else is possible', async () => {
    const { answer, report } = await failed();
    expect(await answer('override')).toMatchObject(failing(2, /\[reason_required\]/));
    expect(await answer('approve')).toMatchObject(
      failing(2, /takes only `override`.*\[answer_not_allowed\]/),
    );
    expect((await report()).status).toBe('exhausted');
  });

  test('an override of another version than that of the ending is refused with that version, and nothing is audited', async () => {
    const { answer, cwd, id, report } = await failed();
    const { version } = await report();
    const file = join(cwd, '.reviewloop/runs', id, 'review.json');
    await writeFile(
      file,
      (await readFile(file, 'utf8')).replace(
        `"version": "${version}"`,
        `"version": "${'0'.repeat(64)}"`,
      ),
    );
    const refused = await answer('override', '--reason', 'legal agrees');
    expect(refused).toMatchObject(failing(2, /\[override_stale\]/));
    expect(refused.err).toContain(version);
    expect(existsSync(join(cwd, '.reviewloop/audit.jsonl'))).toBe(false);
  });

  test('a rejected run can be overridden too', async () => {
    const { answer } = await suspended();
    await answer('reject');
    expect(await answer('override', '--reason', 'the boss says so')).toMatchObject(
      ending(0, 'APPROVED BY Ada, against the reviewers'),
    );
  });
});

test('runs of other pipelines are not listed, unfinished ones are, with the time of their id [R2-028]', async () => {
  const killed = '01a22d7d-3559-716f-823e-1baa8cbcd8c9';
  const cwd = await folderOf({
    '.reviewloop/runs/other/journal.jsonl': '',
    '.reviewloop/runs/mine/journal.jsonl': '',
    '.reviewloop/runs/mine/request.json': '{}',
    [`.reviewloop/runs/${killed}/request.json`]: '{}',
  });
  const { out } = await runCli(cwd, ['runs']);
  expect(out).toMatch(/\n01a22d7d-3559 +2026-11-30 17:25 +interrupted .*\nmine +interrupted +was /);
  expect(await runCli(cwd, ['show', 'mine'])).toMatchObject(
    failing(1, /run mine was interrupted; run it again.*\[run_interrupted\]/),
  );
  expect(out).not.toContain('other');
  const { runs } = JSON.parse((await runCli(cwd, ['runs', '--format', 'json'])).out);
  expect(runs).toMatchObject([{ at: '2026-11-30T17:25:10.105Z' }, { at: null }]);
});
