import { expect, it, vi } from 'vitest';
import { runCli } from '../../cli/harness.js';
import { run, shop } from './task-shop.js';

const absent = vi.hoisted(() => (name: string) => () => {
  throw Object.assign(new Error(`Cannot find package '${name}'`), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
});
vi.mock('openai', absent('openai'));
vi.mock('@anthropic-ai/sdk', absent('@anthropic-ai/sdk'));

it.each([
  ['openai:m', 'npm install openai'],
  ['anthropic:m', 'npm install @anthropic-ai/sdk'],
])('a missing package of %s is named before the first task [R2-020]', async (name, said) => {
  const { cwd, git } = shop();
  const { code, err } = await runCli(cwd, [
    ...run,
    ...['--all', '--provider', name, '--base-url', 'http://127.0.0.1:1/v1'],
  ]);
  expect(err).toContain(said);
  expect(err).toContain('[peer_missing]');
  expect(code).toBe(2);
  expect(git('status', '--porcelain', '--ignored')).toBe('');
});
