import { expect, it } from 'vitest';
import { newRepository } from '../../support/git-repository.js';
import { yesServer } from '../../support/yes-judge.js';
import { runCli, writeFiles } from './harness.js';

const binary = Buffer.from([0, 1, 2, 0, 255]);

it('review --diff approves no binary file beside a text, unless the configuration leaves it out [R2-006]', async () => {
  const repository = newRepository();
  repository.write('page.md', 'tea\n');
  repository.write('old.png', binary);
  repository.commit();
  repository.write('page.md', 'green tea\n');
  repository.git('rm', '-q', 'old.png');
  const server = await yesServer();
  const review = ['review', '--diff', '--task-text', 'Write about green tea.', '--format', 'json'];
  const outcome = async () => {
    const { code, out } = await runCli(repository.cwd, [...review, ...server.flags]);
    return { code, out };
  };
  // a deleted file has nothing to see
  expect((await outcome()).code).toBe(0);
  repository.write('logo.png', binary);
  const hidden = await outcome();
  expect(hidden.code).toBe(50);
  expect(hidden.out).toContain('not reviewed, because it is not text: logo.png');
  const config = (allow: readonly string[]) =>
    writeFiles(repository.cwd, {
      'reviewloop.config.json': JSON.stringify({ reviewer: { allow_unseen: allow } }),
    });
  await config(['.gif']);
  expect((await outcome()).code).toBe(50);
  await config(['.png']);
  expect((await outcome()).code).toBe(0);
});

it('the configuration names files that may be judged in part, as the flag does [R2-106]', async () => {
  const repository = newRepository();
  repository.write('page.md', 'tea\n');
  repository.commit();
  repository.write('page.md', `${'tea '.repeat(200_000)}\n`);
  const server = await yesServer();
  const review = ['review', '--diff', '--task-text', 'Write about tea.', ...server.flags];
  expect((await runCli(repository.cwd, review)).out).toContain('page.md is too large');
  await writeFiles(repository.cwd, {
    'reviewloop.config.json': JSON.stringify({ reviewer: { allow_truncated: ['page.md'] } }),
  });
  const { out } = await runCli(repository.cwd, review);
  expect(out).toContain('only a part was shown of page.md');
});
