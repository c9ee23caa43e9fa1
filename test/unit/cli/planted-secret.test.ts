import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf, goodPage, runCli } from './harness.js';

// put together here, so that no tool takes this file for a leak
const secret = `ghp_${'a1B2c3'.repeat(6)}`;
/** The public beginning, and a little more. */
const start = secret.slice(0, 10);

const page = goodPage.replace('</body>', `<p title="${'x'.repeat(150)} ${secret}">a</p></body>`);

/** Every file of a folder except the journal, which replays what was said. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('a planted secret', () => {
  it('reaches neither the screen nor an export [R2-074, R2-075]', async () => {
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
    const leaks: string[] = [];
    for (const path of await filesIn(join(cwd, '.reviewloop')))
      if ((await readFile(path, 'utf8')).includes(start)) leaks.push(path.slice(cwd.length));
    // a continued run reads these again, byte for byte
    const exact = /journal|versions|files|output|request\.json/;
    expect(leaks.filter((path) => !exact.test(path))).toEqual([]);
  });
});
