import { rename } from 'node:fs/promises';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { describeInBrowser, openPage } from '../support/browser.js';
import { describePostgres } from '../support/postgres.js';
import { run, start } from '../system/cli-harness.js';
import { folderOf, goodPage } from '../unit/faces/cli/harness.js';

vi.setConfig({ testTimeout: 120_000 });

const asking = "export default { human: { policy: 'require' }, criteria: ['html'] };";

describePostgres('the inbox over a database', ({ address }) => {
  describeInBrowser('in a browser', () => {
    test('takes the answer to a run of another machine, which goes on there', async () => {
      const name = `inbox_${process.pid}`;
      const client = new pg.Client({ connectionString: address() });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      const url = new URL(address());
      url.pathname = `/${name}`;
      const env = { ...process.env, REVIEWS_DB: url.href };
      const store = ['--store', 'env:REVIEWS_DB'];
      const a = await folderOf({ 'a.html': goodPage, 'reviewloop.config.mjs': asking });
      const b = await folderOf();
      const review = ['review', 'a.html', '--task-text', 'Sign in', '--no-requirements', '-q'];
      expect((await run(a, [...review, ...store], { env })).code).toBe(53);
      await rename(a, `${a}-away`);
      const { child, exit } = start(b, ['inbox', '--by', 'Ada', ...store], { env });
      onTestFinished(() => void child.kill('SIGKILL'));
      const opened = await new Promise<string>((resolve, reject) => {
        child.stdout?.once('data', (text: string) => resolve(text));
        void exit.then(({ err }) => reject(new Error(err)));
      });
      const { page } = await openPage();
      await page.clock.install();
      await page.goto(/^inbox: (\S+)/.exec(opened)?.[1] ?? '');
      await page.waitForSelector('text=Sign in');
      await page.click('label:has-text("Approve")');
      await page.click('form button');
      await page.clock.fastForward(5_000);
      await expect
        .poll(async () => {
          const { out } = await run(b, ['audit', 'verify', ...store], { env });
          return out.split('\n')[0];
        })
        .toMatch(/^INTACT: 1 record /);
      await page.context().close();
      child.kill('SIGINT');
      expect((await exit).code).toBe(0);
      await rename(`${a}-away`, a);
      const id = /"runId": "(.*?)"/.exec((await run(b, ['runs', '--json', ...store], { env })).out);
      const ended = await run(a, ['resume', id?.[1] ?? '', '-q', ...store], { env });
      expect([ended.code, ended.out]).toEqual([0, expect.stringMatching(/\nAPPROVED BY Ada\n/)]);
    });
  });
});
