import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultyPage, folderOf, goodPage, runCli } from './harness.js';

const given = ['--task-text', 'Visitors must sign in with their email'];

describe('bad input is a typed error that says how to fix it', () => {
  test.each([
    ['no task', ['review', '.'], 'task_missing', /Pass --task FILE/],
    ['a task that is not there', ['review', '.', '--task', 'none.md'], 'task_missing', /none\.md/],
    ['an empty task', ['review', '.', '--task', 'empty.md'], 'task_empty', /empty\.md/],
    ['an empty inline task', ['review', '.', '--task-text', '  '], 'task_empty', /--task-text/],
    ['a binary task', ['review', '.', '--task', 'logo.png'], 'task_missing', /logo\.png/],
    ['two tasks', ['review', '.', '--task', 'empty.md', '--task-text', 'x'], 'usage', /not both/],
    ['no path', ['review', ...given], 'no_artifacts', /Pass files, folders or globs/],
    ['an empty folder', ['review', 'void', ...given], 'no_artifacts', /void/],
    ['a glob without a match', ['review', '*.none', ...given], 'no_artifacts', /\*\.none/],
    [
      'only a binary file',
      ['review', 'logo.png', ...given],
      'no_artifacts',
      /logo\.png \(binary\)/,
    ],
    [
      'a path that is not there',
      ['review', 'none.html', ...given],
      'file_unreadable',
      /none\.html/,
    ],
    ['an unknown store', ['review', '.', ...given, '--store', 's3:x'], 'usage', /file:DIR/],
    ['a malformed type', ['review', '.', ...given, '--type', 'mockup'], 'usage', /GLOB=TYPE/],
    [
      'a configuration that is not there',
      ['review', '.', ...given, '--config', 'none.json'],
      'config_unreadable',
      /none\.json/,
    ],
    ['an unknown run', ['runs', 'abcd'], 'run_unknown', /abcd/],
  ])('%s', async (_, argv, code, message) => {
    const cwd = await folderOf({
      'a.html': goodPage,
      'empty.md': ' \n',
      'logo.png': Buffer.from([137, 80, 78, 71, 0]),
      'void/.git/x': '',
    });
    const result = await runCli(cwd, argv);
    expect(result).toMatchObject({ code: 2, out: '', err: expect.stringMatching(message) });
    expect(result.err).toContain(`[${code}]`);
  });

  test.each([
    ['an unknown command', ['reviw'], /Did you mean review\?/],
    ['an unknown flag', ['review', '--fixx'], /Did you mean --fix\?/],
    ['a wrong choice', ['review', '--fail-on', 'awful'], /critical, major, minor/],
    ['a wrong number', ['review', '--max-files', 'many'], /whole number/],
    ['a wrong size', ['review', '--max-file-size', '2 GB'], /500k/],
    ['a wrong time', ['review', '--check-timeout', '-1'], /seconds/],
    ['nothing', [], /Usage: reviewloop/],
  ])('%s is wrong use', async (_, argv, message) => {
    expect(await runCli(await folderOf(), argv)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(message),
    });
  });

  test('a file of 50 MB, and more files than allowed', async () => {
    const cwd = await folderOf({ 'big.txt': Buffer.alloc(50_000_000, 'x') });
    expect(await runCli(cwd, ['review', '.', ...given])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/big\.txt has 50000000 bytes.*\[file_too_large\]/),
    });
    for (let index = 0; index < 10; index += 1) await writeFile(join(cwd, `${index}.txt`), '');
    expect(
      await runCli(cwd, ['review', '.', ...given, '--max-files', '5', '--exclude', 'big.txt']),
    ).toMatchObject({
      code: 2,
      err: expect.stringMatching(/more than 5 files.*\[too_many_files\]/),
    });
  });

  test('binary files and files that are not UTF-8 are listed, and the summary says so', async () => {
    const cwd = await folderOf({
      'a.html': goodPage,
      'logo.png': Buffer.from([137, 80, 0]),
      'latin.md': Buffer.from([0xe4, 0x0a]),
    });
    const { code, out } = await runCli(cwd, ['review', '.', ...given, '--no-requirements']);
    expect(code).toBe(0);
    expect(out).toMatch(/not reviewed:\n {2}latin\.md +not UTF-8\n {2}logo\.png +binary/);
    expect(out).toContain('APPROVED: no gaps; 2 files not reviewed');
    const [run = ''] = await readdir(join(cwd, '.reviewloop/runs'));
    expect(await readFile(join(cwd, '.reviewloop/runs', run, 'summary.md'), 'utf8')).toMatch(
      /## Not reviewed[\s\S]*logo\.png \| binary/,
    );
  });
});

describe('a criterion in a configuration that misbehaves makes the run inconclusive, never approved (law 1)', () => {
  test.each([
    ['throws', '() => { throw new Error("broken rule"); }', 'criterion_threw'],
    ['returns NaN', '() => ({ passed: true, score: NaN, details: "" })', 'criterion_invalid'],
    ['returns 7', '() => 7', 'criterion_invalid'],
    ["returns ''", '() => ""', 'criterion_invalid'],
    ['returns undefined', '() => undefined', 'criterion_invalid'],
    ['never answers', '() => new Promise(() => {})', 'timeout'],
  ])('%s', async (_, check, code) => {
    const config = `export default { criteria: { bad: ${check}, good: ({ artifacts }) => artifacts[0].content.includes('lang') || 'no language' } };`;
    const cwd = await folderOf({ 'a.html': faultyPage, 'reviewloop.config.mjs': config });
    const result = await runCli(cwd, [
      'review',
      'a.html',
      ...given,
      '--no-requirements',
      '--format',
      'json',
      // only the check that never answers needs to be waited for; the others answer at once
      ...(code === 'timeout' ? ['--check-timeout', '0.5'] : []),
      '-q',
    ]);
    const report = JSON.parse(result.out) as Record<string, unknown>;
    expect(result.code).toBe(50);
    expect(report).toMatchObject({
      status: 'inconclusive',
      approved: false,
      failures: [{ criterion: 'bad', verdict: 'errored', code }],
      gaps: [{ criterionId: 'good' }],
    });
  });
});

describe('what cannot be written', () => {
  test.each(['file:/dev/full/x', 'file:taken/x'])('a store at %s', async (store) => {
    const cwd = await folderOf({ 'a.html': goodPage, taken: 'a file' });
    expect(await runCli(cwd, ['review', 'a.html', ...given, '--store', store])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/\[output_unwritable\]/),
    });
  });

  test('a store that breaks during the run fails it, and the failure is told', async () => {
    // in one step: a record that is written beside a slow removal would make the folder again
    const config = `import { renameSync, writeFileSync } from 'node:fs';\nconst at = (name) => new URL(name, import.meta.url);\nexport default { criteria: { spoil: () => { renameSync(at('.reviewloop'), at('gone')); writeFileSync(at('.reviewloop'), ''); return 'spoiled'; } } };`;
    const cwd = await folderOf({ 'a.html': goodPage, 'reviewloop.config.mjs': config });
    expect(await runCli(cwd, ['review', 'a.html', ...given, '--no-requirements'])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/NOT APPROVED \(failed\)[\s\S]*cannot write \S+journal\.jsonl/),
      err: expect.stringMatching(/\[output_unwritable\]/),
    });
  });

  test('a run that cannot be read is listed as such', async () => {
    const cwd = await folderOf({
      '.reviewloop/runs/one/review.json': '{',
      '.reviewloop/runs/two/review.json': '{}',
    });
    expect(await runCli(cwd, ['runs'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /one +unreadable[\s\S]*two +unreadable|two +unreadable[\s\S]*one +unreadable/,
      ),
    });
    expect(await runCli(cwd, ['runs', 'one'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/\[file_unreadable\]/),
    });
    expect(
      await runCli(cwd, ['runs', '--store', 'file:.reviewloop/runs/one/review.json']),
    ).toMatchObject({ code: 2, err: expect.stringMatching(/\[file_unreadable\]/) });
  });
});
