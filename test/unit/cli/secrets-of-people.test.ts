import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderOf, runCli } from './harness.js';

// put together here, so that no tool takes this file for a leak
const secret = `ghp_${'a1B2c3'.repeat(6)}`;

const job = JSON.stringify({
  name: 'article',
  steps: [
    {
      id: 'draft',
      outputs: { page: 'file' },
      reviews: [{ run_each: 'step', quality_criteria: { Complete: 'Is everything there?' } }],
    },
  ],
});

async function leaks(cwd: string): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(cwd, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path)).includes(secret)) found.push(path.slice(cwd.length));
  }
  return found;
}

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
    "--notes 'the key is [REDACTED:github-token]'",
  );
  await run(...gate, ...notes, '--mode', 'self', '--format', 'json');
  await run(...gate, ...notes, '--mode', 'self', '--override-reason', `it is ${secret}`);
  await run('review', 'a.md', '--task-text', 'Write a good text about tea.');
  for (const more of [[], ['--format', 'json']])
    await run('answer', 'override', '--reason', `it may have ${secret}`, ...more);
  await run('runs', '--json');
  await run('audit', 'verify');
  expect(printed.filter((text) => text.includes(secret))).toEqual([]);
  expect(await leaks(cwd)).toEqual([]);
});
