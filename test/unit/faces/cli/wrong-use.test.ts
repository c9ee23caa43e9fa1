import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { gitFault } from '@/faces/commands/task-review/task-folder.js';
import { ending, failing, words } from '../../../support/matchers.js';
import { modelServer, ollamaProtocol } from '../../../support/model-server.js';
import { faultyPage, folderOf, goodPage, runCli } from './harness.js';

describe('options that name a model', () => {
  it.each([
    [['review', 'a.html', '--task-text', 'x']],
    [['gate', '--job', 'job.yml', '--step', 's']],
    [words('tasks run --tasks tasks.md --all --exec true')],
    [['mcp']],
  ])('%j need its provider', async (argv) => {
    for (const flags of [
      ['--model', 'qwen3'],
      ['--base-url', 'http://127.0.0.1:1/v1'],
    ])
      expect(
        await runCli(await folderOf({ 'tasks.md': '## T-1: a\n' }), [...argv, ...flags]),
      ).toMatchObject(failing(2, `${flags[0]} requires --provider`));
  });

  const far = ['--base-url', 'http://127.0.0.1:1'];
  it.each([
    [['--provider', 'auto'], '--provider auto requires --model'],
    [words('--provider auto --model x').concat(far), '--base-url requires a named provider'],
    [['--provider', 'nobody:x'], 'nobody'],
  ])('%j are refused where they make no sense', async (flags, message) => {
    const cwd = await folderOf({ 'a.html': goodPage });
    for (const argv of [['review', 'a.html', '--task-text', 'x', '-q'], ['mcp']])
      expect(await runCli(cwd, [...argv, ...flags]), argv[0]).toMatchObject(failing(2, message));
  });
});

it('a gate asks a model or a command line tool, not both [R2-025]', async () => {
  const both = ['--cli', 'claude', '--provider', 'ollama:m'];
  const job = 'name: j\nsteps: [{ id: s }]\n';
  const cwd = await folderOf({ 'job.yml': job });
  for (const argv of [['mcp'], ['gate', '--job', 'job.yml', '--step', 's']])
    expect(await runCli(cwd, [...argv, ...both])).toMatchObject(
      failing(2, 'pass --cli or --provider, not both'),
    );
});

it('the next command repeats what was given [R2-097]', async () => {
  const cwd = await folderOf({
    'a.html': goodPage.replace(' lang="en"', ''),
    'b.tpl': 'x',
    'c.json': '{}',
  });
  const flags = [
    ...['--task-text', 'sign in'],
    ...words('--config c.json --criteria html --fail-on minor --type *.tpl=text --exclude x*'),
    ...words('--no-requirements --words decide --max-file-size 3k --max-files 7 --store file:kept'),
  ];
  const server = await modelServer(ollamaProtocol, { kind: 'malformed' });
  const { out } = await runCli(cwd, [
    ...['review', 'a.html', 'b.tpl', ...flags, '-q'],
    ...['--provider', 'ollama', '--model', 'm', '--base-url', server.url],
  ]);
  await server.close();
  expect(out).toContain(
    `next: reviewloop review a.html b.tpl --task-text 'sign in' --no-requirements --fix --config c.json --criteria html --words decide --type '*.tpl=text' --exclude 'x*' --max-file-size 3000 --max-files 7 --fail-on minor --provider ollama --model m --base-url ${server.url} --quiet --store file:kept`,
  );
  await runCli(cwd, ['requirements', '--task-text', 'x', '--write', 'list.yml']);
  const none = await runCli(
    cwd,
    words('review a.html --task-text x --no-config --criteria html --requirements list.yml -q'),
  );
  expect(none.out).toContain('--no-config');
  expect(none.out).toMatch(/next: reviewloop review a\.html .*--requirements list\.yml/);
});

it('a result that cannot be written is an error, also of the help', async () => {
  const out = async (): Promise<void> => {
    throw new Error('disk full');
  };
  expect(await runCli(await folderOf(), ['--help'], { out })).toMatchObject({
    code: 1,
    err: 'error: disk full\n',
  });
  expect((await runCli(await folderOf(), ['runs'], { out })).code).toBe(1);
});

it('a command that the user ended exits with 130, whatever it threw', async () => {
  const out = async (): Promise<void> => {
    throw new Error('gone');
  };
  expect(
    await runCli(await folderOf(), ['runs'], { out, signal: AbortSignal.abort() }),
  ).toMatchObject({ code: 130, err: 'cancelled: run the command again\n' });
});

it('the demo with a store that cannot be made fails, and is no verdict', async () => {
  const cwd = await folderOf({ file: '' });
  expect(await runCli(cwd, ['demo', '-q', '--store', 'file:file/inside'])).toMatchObject(
    failing(1, '[output_unwritable]'),
  );
});

it('a gate with a database keeps its decisions there, where audit verify finds them', async () => {
  const job =
    'name: j\nsteps:\n  - id: s\n    outputs: { report: { type: file, path: a.html } }\n    reviews: [{ run_each: step, quality_criteria: { Fine: Is it? } }]\n';
  const cwd = await folderOf({ 'job.yml': job, 'a.html': goodPage });
  const store = ['--store', 'sqlite:kept.db'];
  const override = '--mode self --override-reason seen --by Ada';
  const argv = [...words(`gate --job job.yml --step s ${override}`), ...store];
  expect((await runCli(cwd, argv)).code).toBe(0);
  expect((await runCli(cwd, ['audit', 'verify', ...store])).out).toMatch(
    /^INTACT: 1 record in kept\.db/,
  );
  await runCli(cwd, ['gate', '--job', 'job.yml', '--step', 's', '--mode', 'self']);
  expect(readFileSync(join(cwd, '.reviewloop/.gitignore'), 'utf8')).toBe('*\n');
});

const given = ['--task-text', 'Visitors must sign in with their email'];

describe('bad input is a typed error that says how to fix it', () => {
  test.each([
    ['no task', ['.'], 'task_missing', /Pass --task FILE/],
    ['a task that is not there', ['.', '--task', 'none.md'], 'task_missing', /none\.md/],
    ['an empty task', ['.', '--task', 'empty.md'], 'task_empty', /empty\.md/],
    ['an empty inline task', ['.', '--task-text', '  '], 'task_empty', /--task-text/],
    ['a binary task', ['.', '--task', 'logo.png'], 'task_missing', /logo\.png/],
    ['two tasks', ['.', '--task', 'empty.md', '--task-text', 'x'], 'usage', /not both/],
    ['no path', given, 'no_artifacts', /Pass files, folders or globs/],
    ['an empty folder', ['void', ...given], 'no_artifacts', /void/],
    ['a glob without a match', ['*.none', ...given], 'no_artifacts', /\*\.none/],
    ['only a binary file', ['logo.png', ...given], 'no_artifacts', /logo\.png \(binary\)/],
    ['a path that is not there', ['none.html', ...given], 'file_unreadable', /none\.html/],
    ['an unknown store', ['.', ...given, '--store', 's3:x'], 'usage', /file:DIR/],
    ['a malformed type', ['.', ...given, '--type', 'mockup'], 'usage', /GLOB=TYPE/],
    ['no configuration', ['.', ...given, '--config', 'no.json'], 'config_unreadable', /no\.json/],
  ])('review with %s', async (_, argv, code, message) => {
    const cwd = await folderOf({
      'a.html': goodPage,
      'empty.md': ' \n',
      'logo.png': Buffer.from([137, 80, 78, 71, 0]),
      'void/.git/x': '',
    });
    const result = await runCli(cwd, ['review', ...argv]);
    expect(result).toMatchObject({ ...failing(2, message), out: '' });
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
    expect(await runCli(await folderOf(), argv)).toMatchObject({ ...failing(2, message), out: '' });
  });

  test('a file of 50 MB, and more files than allowed', async () => {
    const cwd = await folderOf({ 'big.txt': Buffer.alloc(50_000_000, 'x') });
    expect(await runCli(cwd, ['review', '.', ...given])).toMatchObject(
      failing(2, /big\.txt has 50000000 bytes.*\[file_too_large\]/),
    );
    for (let index = 0; index < 10; index += 1) await writeFile(join(cwd, `${index}.txt`), '');
    expect(
      await runCli(cwd, ['review', '.', ...given, '--max-files', '5', '--exclude', 'big.txt']),
    ).toMatchObject(failing(2, /more than 5 files.*\[too_many_files\]/));
  });

  test('binary files and files that are not UTF-8 are listed, and the summary says so', async () => {
    const cwd = await folderOf({
      'a.html': goodPage,
      'logo.png': Buffer.from([137, 80, 0]),
      'latin.md': Buffer.from([0xe4, 0x0a]),
    });
    const { code, out } = await runCli(cwd, ['review', '.', ...given, '--no-requirements']);
    expect(code).toBe(0);
    expect(out).toMatch(/not reviewed +latin\.md +not UTF-8\n +not reviewed +logo\.png +binary/);
    expect(out).toMatch(/\nAPPROVED\n.* 2 files were not reviewed\.\n/);
    const [run = ''] = await readdir(join(cwd, '.reviewloop/runs'));
    expect(await readFile(join(cwd, '.reviewloop/runs', run, 'summary.md'), 'utf8')).toMatch(
      /## Not reviewed[\s\S]*logo\.png \| binary/,
    );
  });
});

test.each([
  ['throws', '() => { throw new Error("broken rule"); }', 'criterion_threw'],
  ['returns NaN', '() => ({ passed: true, score: NaN, details: "" })', 'criterion_invalid'],
  ['returns 7', '() => 7', 'criterion_invalid'],
  ["returns ''", '() => ""', 'criterion_invalid'],
  ['returns undefined', '() => undefined', 'criterion_invalid'],
  ['never answers', '() => new Promise(() => {})', 'timeout'],
])(
  'a criterion in a configuration that misbehaves makes the run inconclusive, never approved (law 1): %s',
  async (_, check, code) => {
    const config = `export default { criteria: { bad: ${check}, good: ({ artifacts }) => artifacts[0].content.includes('lang') || 'no language' } };`;
    const cwd = await folderOf({ 'a.html': faultyPage, 'reviewloop.config.mjs': config });
    const result = await runCli(cwd, [
      ...['review', 'a.html', ...given, ...words('--no-requirements --format json -q')],
      // only the check that never answers needs to be waited for; the others answer at once
      ...(code === 'timeout' ? ['--check-timeout', '0.5'] : []),
    ]);
    const report = JSON.parse(result.out) as Record<string, unknown>;
    expect(result.code).toBe(50);
    expect(report).toMatchObject({
      status: 'inconclusive',
      approved: false,
      failures: [{ criterion: 'bad', verdict: 'errored', code }],
      gaps: [{ criterionId: 'good' }],
    });
  },
);

describe('what cannot be written', () => {
  test.each(['file:/dev/full/x', 'file:taken/x'])('a store at %s', async (store) => {
    const cwd = await folderOf({ 'a.html': goodPage, taken: 'a file' });
    expect(await runCli(cwd, ['review', 'a.html', ...given, '--store', store])).toMatchObject(
      failing(1, /\[output_unwritable\]/),
    );
  });

  test('a store that breaks during the run fails it, and the failure is told', async () => {
    // in one step: a record that is written beside a slow removal would make the folder again
    const config = `import { renameSync, writeFileSync } from 'node:fs';\nconst at = (name) => new URL(name, import.meta.url);\nexport default { criteria: { spoil: () => { renameSync(at('.reviewloop'), at('gone')); writeFileSync(at('.reviewloop'), ''); return 'spoiled'; } } };`;
    const cwd = await folderOf({ 'a.html': goodPage, 'reviewloop.config.mjs': config });
    expect(await runCli(cwd, ['review', 'a.html', ...given, '--no-requirements'])).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /NO VERDICT: the run failed\n[\s\S]*[Cc]annot write \S+journal\.jsonl/,
      ),
      err: expect.stringMatching(/\[output_unwritable\]/),
    });
  });

  test('a run that cannot be read is listed as such', async () => {
    const cwd = await folderOf({
      '.reviewloop/runs/one/review.json': '{',
      '.reviewloop/runs/two/review.json': '{}',
    });
    expect(await runCli(cwd, ['runs'])).toMatchObject(
      ending(0, /one +unreadable[\s\S]*two +unreadable|two +unreadable[\s\S]*one +unreadable/),
    );
    expect(await runCli(cwd, ['runs', 'one'])).toMatchObject(failing(2, /\[file_unreadable\]/));
    expect(
      await runCli(cwd, ['runs', '--store', 'file:.reviewloop/runs/one/review.json']),
    ).toMatchObject(failing(2, /\[file_unreadable\]/));
  });
});

const ended = (stderr: string, more = {}) => ({
  ...{ exitCode: 128, signal: null, stdout: '', stderr, truncated: false, timedOut: false },
  ...{ durationMs: 1, ...more },
});

it.each([
  ['English', (path: string) => `fatal: Unable to create '${path}': File exists.`],
  [
    'German',
    (path: string) => `fatal: Konnte '${path}' nicht erstellen: Die Datei existiert bereits.`,
  ],
  ['other quotes', (path: string) => `fatal: Impossible de créer «${path}»`],
])('a lock is found in what git says in %s, where it is there', async (_, said) => {
  const cwd = await folderOf();
  mkdirSync(join(cwd, 'a b'));
  const lock = join(cwd, 'a b/index.lock');
  expect(await gitFault(cwd, ['add'], ended(said(lock)))).toMatchObject({ code: 'git_failed' });
  writeFileSync(lock, '');
  expect(await gitFault(cwd, ['add'], ended(said(lock)))).toMatchObject({
    code: 'git_locked',
    value: lock,
    message: expect.stringContaining(`rm '${lock}'`),
  });
  expect(await gitFault(cwd, ['add'], ended(said('a b/index.lock')))).toMatchObject({
    code: 'git_locked',
    value: lock,
  });
});

it('anything else is told in the words of git, with the signal that ended it', async () => {
  const killed = ended('', { exitCode: null, signal: 'SIGKILL', stdout: 'half done' });
  expect(await gitFault('/', ['add'], killed)).toMatchObject({
    code: 'git_failed',
    what: 'git add ended with SIGKILL in /: half done',
  });
  expect(await gitFault('/', ['add'], ended("fatal: '\u0000.lock'"))).toMatchObject({
    code: 'git_failed',
  });
});
