import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modelServer, ollamaProtocol } from '../../support/model-server.js';
import { folderOf, goodPage, runCli } from './harness.js';

describe('options that name a model', () => {
  it.each([
    [['review', 'a.html', '--task-text', 'x']],
    [['gate', '--job', 'job.yml', '--step', 's']],
    [['mcp']],
  ])('%j need its provider', async (argv) => {
    for (const flags of [
      ['--model', 'qwen3'],
      ['--base-url', 'http://127.0.0.1:1/v1'],
    ])
      expect(await runCli(await folderOf(), [...argv, ...flags])).toMatchObject({
        code: 2,
        err: expect.stringContaining('--model and --base-url require --provider') as string,
      });
  });

  it.each([
    [['--provider', 'auto'], '--provider auto requires --model'],
    [
      ['--provider', 'auto', '--model', 'x', '--base-url', 'http://127.0.0.1:1'],
      '--base-url requires a named provider',
    ],
    [['--provider', 'nobody:x'], 'nobody'],
  ])('%j are refused where they make no sense', async (flags, message) => {
    const cwd = await folderOf({ 'a.html': goodPage });
    for (const argv of [['review', 'a.html', '--task-text', 'x', '-q'], ['mcp']])
      expect(await runCli(cwd, [...argv, ...flags]), argv[0]).toMatchObject({
        code: 2,
        err: expect.stringContaining(message) as string,
      });
  });
});

it('a gate asks a model or a command line tool, not both [R2-025]', async () => {
  const both = ['--cli', 'claude', '--provider', 'ollama:m'];
  const job = 'name: j\nsteps: [{ id: s }]\n';
  const cwd = await folderOf({ 'job.yml': job });
  for (const argv of [['mcp'], ['gate', '--job', 'job.yml', '--step', 's']])
    expect(await runCli(cwd, [...argv, ...both])).toMatchObject({
      code: 2,
      err: expect.stringContaining('pass --cli or --provider, not both') as string,
    });
});

it('the next command repeats what was given [R2-097]', async () => {
  const cwd = await folderOf({
    'a.html': goodPage.replace(' lang="en"', ''),
    'b.tpl': 'x',
    'c.json': '{}',
  });
  const flags = [
    '--task-text',
    'sign in',
    '--config',
    'c.json',
    '--criteria',
    'html',
    '--fail-on',
    'minor',
    '--type',
    '*.tpl=text',
    '--exclude',
    'x*',
    '--no-requirements',
    '--words',
    'decide',
    '--max-file-size',
    '3k',
    '--max-files',
    '7',
    '--store',
    'file:kept',
  ];
  const server = await modelServer(ollamaProtocol, { kind: 'malformed' });
  const { out } = await runCli(cwd, [
    'review',
    'a.html',
    'b.tpl',
    ...flags,
    '-q',
    '--provider',
    'ollama',
    '--model',
    'm',
    '--base-url',
    server.url,
  ]);
  await server.close();
  expect(out).toContain(
    `next: reviewloop review a.html b.tpl --task-text 'sign in' --no-requirements --fix --config c.json --criteria html --words decide --type '*.tpl=text' --exclude 'x*' --max-file-size 3000 --max-files 7 --fail-on minor --provider ollama --model m --base-url ${server.url} --quiet --store file:kept`,
  );
  await runCli(cwd, ['requirements', '--task-text', 'x', '--write', 'list.yml']);
  const none = await runCli(cwd, [
    'review',
    'a.html',
    '--task-text',
    'x',
    '--no-config',
    '--criteria',
    'html',
    '--requirements',
    'list.yml',
    '-q',
  ]);
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
  expect(await runCli(cwd, ['demo', '-q', '--store', 'file:file/inside'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('[output_unwritable]') as string,
  });
});

it('a gate with a database keeps its decisions there, where audit verify finds them', async () => {
  const job =
    'name: j\nsteps:\n  - id: s\n    outputs: { report: { type: file, path: a.html } }\n    reviews: [{ run_each: step, quality_criteria: { Fine: Is it? } }]\n';
  const cwd = await folderOf({ 'job.yml': job, 'a.html': goodPage });
  const store = ['--store', 'sqlite:kept.db'];
  expect(
    await runCli(cwd, [
      'gate',
      '--job',
      'job.yml',
      '--step',
      's',
      '--mode',
      'self',
      '--override-reason',
      'seen',
      '--by',
      'Ada',
      ...store,
    ]),
  ).toMatchObject({ code: 0 });
  expect((await runCli(cwd, ['audit', 'verify', ...store])).out).toMatch(
    /^INTACT: 1 record in kept\.db/,
  );
  await runCli(cwd, ['gate', '--job', 'job.yml', '--step', 's', '--mode', 'self']);
  expect(readFileSync(join(cwd, '.reviewloop/.gitignore'), 'utf8')).toBe('*\n');
});
