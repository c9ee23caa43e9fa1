import { describe, expect, it } from 'vitest';
import { failing } from '../../../../support/matchers.js';
import { folderOf, runCli } from '../../cli/harness.js';
import { run, shop } from '../task-review/task-shop.js';

const page = '<!doctype html><html><head></head><body><img src="a.png"></body></html>\n';
const drafts = async (cwd: string, ...store: string[]): Promise<string> =>
  (await runCli(cwd, ['lessons', 'drafts', ...store])).out;

describe('`learn: true` of the configuration [R2-102]', () => {
  const review = ['review', 'a.html', '--task-text', 'a page', '-q'];

  it.each([[], ['--store', 'sqlite:runs.db']])(
    'reviews of files feed `lessons drafts`: %j',
    async (...store) => {
      const cwd = await folderOf({
        'a.html': page,
        'reviewloop.config.json': '{ "learn": true, "criteria": "html" }',
      });
      for (let time = 0; time < 2; time += 1) await runCli(cwd, [...review, ...store]);
      const out = await drafts(cwd, ...store);
      expect(out).toMatch(/seen \d+ times in \d+ lessons?/);
      expect(out).toContain('next: reviewloop lessons accept');
    },
  );

  it('without the key nothing is learned', async () => {
    const cwd = await folderOf({
      'a.html': page,
      'reviewloop.config.json': '{ "criteria": "html" }',
    });
    for (let time = 0; time < 2; time += 1) await runCli(cwd, review);
    expect(await drafts(cwd)).not.toContain('seen');
  });

  it('failed tasks feed it too', async () => {
    const { cwd, write, commit } = shop();
    write('reviewloop.config.json', '{ "learn": true }');
    commit('config');
    for (let time = 0; time < 2; time += 1)
      await runCli(cwd, [...run, '--task', 'TASK-001', '--test-command', 'false']);
    expect(await drafts(cwd)).toMatch(/seen \d+ times/);
  });

  it.each(['"yes"', '{ "label": "x" }'])('%s is refused with its line', async (value) => {
    const config = `{ "learn": ${value} }`;
    const cwd = await folderOf({ 'a.html': page, 'reviewloop.config.json': config });
    expect(await runCli(cwd, review)).toMatchObject(
      failing(2, /reviewloop\.config\.json:1.*`learn/),
    );
  });
});
