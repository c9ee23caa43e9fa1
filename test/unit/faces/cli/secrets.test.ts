import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderOf, goodPage, runCli } from './harness.js';
import { filesWith } from './leaks.js';

// put together here, so that no tool takes this file for a leak
const secret = `ghp_${'a1B2c3'.repeat(6)}`;
/** The public beginning, and a little more. */
const start = secret.slice(0, 10);

const page = goodPage.replace('</body>', `<p title="${'x'.repeat(150)} ${secret}">a</p></body>`);

it('a planted secret reaches neither the screen nor an export [R2-074, R2-075]', async () => {
  const cwd = await folderOf({
    'page.html': page,
    'reviewloop.config.mjs': `export default { human: { policy: 'require' } };`,
  });
  const task = `The page must use the key ${secret} to show tea.`;
  const review = ['review', 'page.html', '--task-text', task, '--criteria', 'html'];
  const printed: string[] = [];
  const run = async (...args: readonly string[]): Promise<void> => {
    const { out, err } = await runCli(cwd, args);
    printed.push(`${args.join(' ').replaceAll(secret, 'KEY')}\n${out}\n${err}`);
  };
  await run(...review);
  await run(...review, '--format', 'json');
  await run('runs');
  await run('runs', '--json');
  await run('answer', 'reject', '--reason', `it has ${secret}`);
  await run('calibrate', '--export-labels', 'labels.jsonl');
  await run('calibrate', '--export-labels', '-');
  for (const text of printed) expect(text).not.toContain(start);
  expect(await readFile(join(cwd, 'labels.jsonl'), 'utf8')).not.toContain(start);
  // a continued run reads these again, byte for byte
  const exact = /journal|versions|files|output|request\.json/;
  const leaks = await filesWith(start, join(cwd, '.reviewloop'));
  expect(leaks.filter((path) => !exact.test(path))).toEqual([]);
});

const quality_criteria = { Complete: 'Is everything there?' };
const reviews = [{ run_each: 'step', quality_criteria }];
const job = JSON.stringify({
  name: 'article',
  steps: [{ id: 'draft', outputs: { page: 'file' }, reviews }],
});

it('a key in notes and reasons is neither printed nor stored [R2-074]', async () => {
  const cwd = await folderOf({ 'a.md': 'A line of tea.\n', 'job.json': job });
  const printed: string[] = [];
  const run = async (...argv: readonly string[]) => {
    const { out, err } = await runCli(cwd, argv);
    printed.push(out, err);
    return out;
  };
  const gate = ['gate', '--job', 'job.json', '--step', 'draft', '--output', 'page=a.md'];
  const notes = ['--notes', `the key is ${secret}`];
  expect(await run(...gate, ...notes, '--mode', 'self')).toContain(
    "--notes 'the key is [REDACTED:github]'",
  );
  await run(...gate, ...notes, '--mode', 'self', '--format', 'json');
  await run(...gate, ...notes, '--mode', 'self', '--override-reason', `it is ${secret}`);
  await run('review', 'a.md', '--task-text', 'Write a good text about tea.');
  for (const more of [[], ['--format', 'json']])
    await run('answer', 'override', '--reason', `it may have ${secret}`, ...more);
  await run('runs', '--json');
  await run('audit', 'verify');
  expect(printed.filter((text) => text.includes(secret))).toEqual([]);
  expect(await filesWith(secret, cwd)).toEqual([]);
});

it('a key in a text, a path, a task or wrong input is printed by no command [R3-044]', async () => {
  const named = `notes-${secret}.md`;
  const cwd = await folderOf({
    'page.html': page,
    [named]: `# Notes ${secret}\n\npassword = "${secret}"\n`,
    'TASK.md': `# Tea ${secret}\n\n- The page must use the key ${secret}.\n- password = "c0rrect-h0rse"\n`,
  });
  const review = ['review', '.', '--task', 'TASK.md'];
  const calls = [
    ['requirements', 'TASK.md'],
    ['requirements', 'TASK.md', '--json'],
    ['requirements', 'TASK.md', '--reporter', 'agent'],
    ['requirements', '--task-text', `It must show ${secret}.`],
    ['requirements', 'TASK.md', '--write', `${secret}.yml`],
    ['requirements', `${secret}-missing.md`],
    ['secrets'],
    ['secrets', '--json'],
    ['secrets', '--reporter', 'agent'],
    ['secrets', named, '--baseline', 'known.json', '--reason', `it is ${secret}`],
    ['secrets', '--baseline', `${secret}/known.json`, '--reason', 'made up'],
    review,
    [...review, '--json'],
    [...review, '--reporter', 'agent'],
    [...review, '--reporter', 'plain', '--criteria', secret],
    ['review', named, '--task-text', `Show ${secret}.`, `--${secret}`],
    ['runs'],
    ['runs', '--json'],
    ['diff', secret],
    ['answer', secret, 'approve'],
    ['lessons', 'list', '--dir', secret],
    ['report', '--runs-dir', secret],
    [secret],
  ];
  const printed: string[] = [];
  for (const call of calls) {
    const { out, err } = await runCli(cwd, call);
    expect(out + err, call.join(' ')).not.toBe('');
    if (`${out}${err}`.includes(start)) printed.push(call.join(' ').replaceAll(secret, 'KEY'));
    expect(out + err).not.toContain('c0rrect-h0rse');
  }
  expect(printed).toEqual([]);
});

it('what is printed without keys is still JSON, and names what it can [R3-044]', async () => {
  const cwd = await folderOf({
    'TASK.md': `- It must show "a"; the key is ${secret}.\n- It must show b.\n`,
  });
  const { out, code } = await runCli(cwd, ['requirements', 'TASK.md', '--json']);
  const report = JSON.parse(out) as { readonly requirements: readonly { readonly text: string }[] };
  expect(code).toBe(0);
  expect(report.requirements.map(({ text }) => text)).toEqual([
    'It must show "a"; the key is [REDACTED:github].',
    'It must show b.',
  ]);
});
