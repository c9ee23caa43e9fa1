import { afterAll, expect, it } from 'vitest';
import { closeIdleBrowsers } from '@/blocks/criteria/page/index.js';
import { describeInBrowser } from '../../../support/browser.js';
import { newRepository } from '../../../support/git-repository.js';
import { yesServer } from '../../../support/yes-judge.js';
import { folderOf, runCli, writeFiles } from './harness.js';

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

afterAll(closeIdleBrowsers);

const page = `<!DOCTYPE html><html lang="en"><head><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>h1 { color: green }</style>
</head><body><main><h1>Shop</h1><img src="a.png"></main></body></html>
`;
const config = `export default { pages: { timeoutMs: 120000 } };\n`;

describeInBrowser('reviewloop review --pages', () => {
  async function reviewed(...argv: string[]) {
    const cwd = await folderOf({
      'TASK.md': '# Shop\n\nThe heading must be blue.\n',
      'index.html': page,
      'reviewloop.config.mjs': config,
    });
    const command = ['review', 'index.html', '--task', 'TASK.md', '-q', '--format', 'json'];
    const { out } = await runCli(cwd, [...command, ...argv]);
    return JSON.parse(out) as {
      coverage: { requirement: string; state: string; decidedBy?: string }[];
      gaps: { criterionId: string; description: string }[];
    };
  }

  it('leaves the look of a page undecided, and reports nothing twice', async () => {
    const { coverage, gaps } = await reviewed('--pages');
    expect(coverage).toMatchObject([{ state: 'unsure' }]);
    expect(gaps.filter(({ criterionId }) => criterionId === 'image-name')).toHaveLength(1);
    expect(gaps.filter(({ description }) => description.includes('image-alt'))).toEqual([]);
  });
});
