import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { newRepository } from '../support/git-repository.js';
import { words } from '../support/matchers.js';
import { folderOf, runCli } from '../unit/faces/cli/harness.js';
import { send } from '../unit/faces/hooks/send-event.js';

const page = (path: string): string =>
  readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

/** What differs in each run. */
const named = (text: string): string =>
  text
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'RUN')
    .replaceAll(/\b[0-9a-f]{32}\b/g, 'NONCE')
    .trim();

const site = {
  'TASK.md': '- The page must declare its language\n- The page must show the opening hours\n',
  'site/index.html': `<!doctype html>
<html>
<head><title>Bakery</title><meta name="viewport" content="width=device-width"></head>
<body><h1>Krume</h1></body>
</html>
`,
};

it.each([
  ['cli.md', {}],
  ['terminal.md', { reader: 'agent' }],
] as const)('%s shows what its command prints', async (path, io) => {
  const [, command = '', shown = ''] =
    /^```\n\$ reviewloop (.*)\n([\s\S]*?)^```/m.exec(page(path)) ?? [];
  const { out } = await runCli(await folderOf(site), words(command), io);
  expect(named(out).startsWith(named(shown)), out).toBe(true);
});

it('how-to/claude-code.md shows what the agent reads about its page and its task', async () => {
  const text = page('how-to/claude-code.md');
  const [, task = ''] = /```markdown\n([\s\S]*?)```/.exec(text) ?? [];
  const [, shown = ''] = /```text\n([\s\S]*?)```/.exec(text) ?? [];
  const [, html = ''] = /echo '(<!doctype[\s\S]*?)' > index\.html/.exec(text) ?? [];
  const { cwd, write, commit } = newRepository();
  write('TASK.md', task);
  commit('task');
  await send('start', { cwd });
  write('index.html', `${html}\n`);
  const { reason } = await send('stop', { cwd });
  expect(named(reason)).toBe(named(shown));
});
