import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortIdAmong } from '../../../src/cli-kit/show/short-texts.js';
import { folderOf, goodPage, runCli } from './harness.js';

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
    expect(shown.out.replace(/next: .*/, '')).toBe(first.out.replace(/next: .*/, ''));
    expect(await runCli(cwd, ['runs', '0'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/2 runs .* start with 0/),
    });
    expect(JSON.parse((await runCli(cwd, ['runs', '--json'])).out)).toMatchObject({
      schemaVersion: 1,
      runs: [{ status: 'approved' }, { status: 'approved' }],
    });
    expect(
      JSON.parse((await runCli(cwd, ['runs', ids[0] ?? '', '--format', 'json'])).out),
    ).toMatchObject({ schemaVersion: 1, status: 'approved' });
  });

  test('an id cannot lead out of the store', async () => {
    const cwd = await folderOf({ 'review.json': '{}', '.reviewloop/runs/a/review.json': '{}' });
    expect(await runCli(cwd, ['runs', '../..'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/run_unknown/),
    });
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
    expect(await runCli(cwd, ['init'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('written: reviewloop.config.mjs'),
    });
    const open = await runCli(cwd, review);
    expect(open).toMatchObject({
      code: 50,
      out: expect.stringContaining(
        'html, text, requirements, no-placeholder (reviewloop.config.mjs)',
      ),
    });
    expect(open.out).toMatch(/^NOT APPROVED \(inconclusive\): 1 requirement is undecided\n/);
    expect(open.out).toMatch(/next: reviewloop answer \S+ decide R1=yes\n/);
    expect(await runCli(cwd, reviewPage)).toMatchObject({
      code: 0,
      out: expect.stringContaining('html, text, no-placeholder (reviewloop.config.mjs)'),
    });
    const text = await readFile(join(cwd, 'reviewloop.config.mjs'), 'utf8');
    expect(await runCli(cwd, ['init'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/already exists and was left unchanged/),
    });
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
    expect(await runCli(await folderOf(), ['--version'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  test('commands that are told as next exist', async () => {
    const { out } = await runCli(await folderOf(), ['--help']);
    for (const name of ['review', 'runs', 'demo', 'init'])
      expect(out).toMatch(new RegExp(`^ {2}${name} `, 'm'));
  });
});
