import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { serveInbox } from '@/inbox/index.js';
import { criterion, definePipeline } from '@/index.js';
import { memoryStore } from '@/ports/memory-store.js';
import { runReport } from '@/reports/index.js';
import type { RunReport } from '@/reports/run-report.js';
import { describeInBrowser, openPage } from '../support/browser.js';
import { askingPipeline, auditList } from '../support/waiting-runs.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function violationsOf(shown: Page): Promise<string[]> {
  await shown.evaluate(`${axe};0`);
  const found: { violations: { id: string; nodes: { html: string }[] }[] } =
    await shown.evaluate('axe.run(document)');
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** A pipeline whose runs ask a person to decide, approve, override, reject or revise. */
function decidingPipeline(text = 'tone') {
  const store = memoryStore();
  const audit = auditList();
  const open = (id: string) =>
    criterion<string>(
      id,
      () => ({ passed: false, score: 0, details: '', undecided: `${text} needs eyes` }),
      { version: '1', description: `Is ${id} of ${text} met?` },
    );
  const pipeline = definePipeline({
    name: 'letters',
    produce: async (task: string) => `Dear reader, ${task}`,
    address: async (output) => `${output}!`,
    reviewers: [open('tone'), open('colour')],
    human: { policy: 'require' },
    store,
    audit,
  });
  return { pipeline, store, audit };
}

/** A server over a pipeline, with the report of each run that was started here. */
async function served({ pipeline, store, audit } = decidingPipeline()) {
  const reports = new Map<string, RunReport>();
  const server = await serveInbox({
    store,
    answer: (reference, answer) => pipeline.answer(reference, answer),
    report: async (runId) => {
      const report = reports.get(runId);
      return report && { report };
    },
    by: 'Ada',
  });
  onTestFinished(() => server.close());
  const start = async (task: string) => {
    const outcome = await pipeline.run(task);
    reports.set(outcome.runId, runReport(outcome, { pipeline: 'letters', task }));
    return outcome;
  };
  return { server, start, audit, store };
}

/** Clicks what a person would click, and counts. */
function clicker(shown: Page) {
  let clicks = 0;
  return {
    click: async (selector: string) => {
      clicks += 1;
      await shown.click(selector);
    },
    count: () => clicks,
  };
}

const firstQuestion = '.requests a >> nth=0';

describeInBrowser('the inbox in a browser', () => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 320])
      it(`has no accessibility violation and no sideways scroll, ${colorScheme}, ${width} px`, async () => {
        const { server, start } = await served();
        await start('welcome');
        const { page: shown, errors } = await openPage({
          colorScheme,
          viewport: { width, height: 900 },
        });
        const check = async (what: string) => {
          expect(await violationsOf(shown), what).toEqual([]);
          const wide = 'document.documentElement.scrollWidth > innerWidth';
          expect(await shown.evaluate(wide), what).toBe(false);
        };
        await shown.goto(server.address);
        await shown.waitForSelector('input[type=password]');
        await check('token');
        expect(errors.join()).toMatch(/401/);
        const known = errors.length;
        await shown.goto(server.url);
        await shown.waitForSelector(firstQuestion);
        await check('list');
        await shown.click(firstQuestion);
        await shown.waitForSelector('form');
        for (const view of ['Verdict', 'Requirements', 'Gaps', 'Versions', 'Judges', 'People']) {
          await shown.click(`nav a:has-text("${view}")`);
          await shown.waitForSelector(`nav a[aria-current]:has-text("${view}")`);
          await check(view);
        }
        await shown.click('button[type=submit]');
        await shown.waitForSelector('[role=alert]');
        await check('problem');
        expect(errors.slice(known)).toEqual([]);
        await shown.context().close();
      });

  it('moves the token from the address into the tab, and sets no cookie', async () => {
    const { server, start } = await served();
    await start('welcome');
    const { page: shown, requests } = await openPage();
    await shown.goto(server.url);
    await shown.waitForSelector(firstQuestion);
    expect(shown.url()).toBe(server.address);
    const token = server.url.split('#token=')[1] ?? '';
    expect(requests.filter((url) => url.includes(token) && !url.includes('#'))).toEqual([]);
    expect(await shown.context().cookies()).toEqual([]);
    await shown.reload();
    await shown.waitForSelector(firstQuestion);
    const other = await shown.context().newPage();
    await other.goto(server.address);
    await other.fill('input[type=password]', server.url);
    await other.click('button');
    await other.waitForSelector(firstQuestion);
    await shown.context().close();
  });

  it('shows a question that is answered elsewhere without a form', async () => {
    const { pipeline, store, audit } = decidingPipeline();
    await pipeline.run('welcome');
    const server = await serveInbox({
      store,
      audit,
      answer: (reference, answer) => pipeline.answer(reference, answer),
      elsewhere: async () => 'Answer it in the mail room.',
    });
    onTestFinished(() => server.close());
    const { page: shown, errors } = await openPage();
    await shown.goto(server.url);
    await shown.waitForSelector('.requests >> text=answered elsewhere');
    await shown.click(firstQuestion);
    await shown.waitForSelector('.answer >> text=Answer it in the mail room.');
    expect(await shown.locator('form').count()).toBe(0);
    expect(await violationsOf(shown)).toEqual([]);
    expect(errors).toEqual([]);
    await shown.context().close();
  });

  it('takes an answer in three clicks', async () => {
    const store = memoryStore();
    const audit = auditList();
    const pipeline = askingPipeline(store, audit);
    const { server, start } = await served({ pipeline, store, audit });
    const { runId } = await start('welcome');
    const { page: shown } = await openPage();
    await shown.goto(server.url);
    const { click, count } = clicker(shown);
    await click(firstQuestion);
    await click('label:has-text("Approve")');
    await click('text=Send answer');
    await shown.waitForSelector(
      'text=The run is approved now: approved by the reviewers and by Ada',
    );
    await shown.waitForSelector('text=No question waits.');
    expect(count()).toBe(3);
    expect(audit.entries).toMatchObject([{ who: 'Ada', decision: 'approve', runId }]);
    expect(await shown.title()).toBe('Inbox');
    await shown.context().close();
  });

  it('decides one by one: yes, no, or left open', async () => {
    const { server, start, audit } = await served();
    await start('welcome');
    const { page: shown } = await openPage();
    await shown.goto(server.url);
    await shown.click(firstQuestion);
    await shown.click('fieldset:has-text("Is tone of tone met?") >> label:has-text("Yes")');
    await shown.click('fieldset:has-text("Is colour of tone met?") >> label:has-text("No")');
    await shown.click(
      'fieldset:has-text("Is colour of tone met?") >> label:has-text("Leave open")',
    );
    await shown.fill('textarea', 'I looked');
    await shown.click('text=Send answer');
    await shown.waitForSelector('text=Your answer is taken.');
    expect(audit.entries).toMatchObject([
      { decision: 'decide', details: { tone: 'yes' }, reason: 'I looked' },
    ]);
    await shown.context().close();
  });

  it.each([
    ['Override', 'It is needed today', 'override', 'accepted'],
    ['Ask for a revision', 'Be louder', 'revise', 'suspended'],
    ['Reject', 'No', 'reject', 'rejected'],
  ])('%s, with words', async (label, words, decision, status) => {
    const { server, start, audit } = await served();
    await start('welcome');
    const { page: shown } = await openPage();
    await shown.goto(server.url);
    await shown.click(firstQuestion);
    await shown.click(`label:has-text("${label}")`);
    await shown.fill('textarea', words);
    await shown.click('text=Send answer');
    await shown.waitForSelector(`text=The run is ${status} now`);
    expect(audit.entries).toMatchObject([{ decision, reason: words }]);
    await shown.context().close();
  });

  it('a rejection takes three clicks, ends the run, and nothing waits then', async () => {
    const { server, start, store } = await served();
    const { runId } = await start('welcome');
    const { page: shown } = await openPage();
    await shown.goto(server.url);
    const { click, count } = clicker(shown);
    await click(firstQuestion);
    await click('label:has-text("Reject")');
    await click('text=Send answer');
    await shown.waitForSelector('text=The run is rejected now: rejected by Ada');
    await shown.waitForSelector('text=No question waits.');
    expect(count()).toBe(3);
    expect(JSON.stringify(await store.read(runId))).not.toContain('Dear reader, welcome!');
    await shown.context().close();
  });

  it('a revision takes three clicks, makes a new version, and asks again', async () => {
    const { server, start, store, audit } = await served();
    const { runId } = await start('welcome');
    const { page: shown } = await openPage();
    await shown.goto(server.url);
    const { click, count } = clicker(shown);
    await click(firstQuestion);
    const before = shown.url();
    await click('label:has-text("Ask for a revision")');
    await expect.poll(() => shown.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await shown.keyboard.type('Be louder');
    await click('text=Send answer');
    await shown.waitForSelector('text=The run is suspended now');
    expect(count()).toBe(3);
    expect(JSON.stringify(await store.read(runId))).toContain('Dear reader, welcome!');
    await shown.waitForSelector('text=1 question waits');
    await shown.click(firstQuestion);
    expect(shown.url()).not.toBe(before);
    await shown.click('label:has-text("Reject")');
    await shown.click('text=Send answer');
    await shown.waitForSelector('text=The run is rejected now');
    expect(audit.entries).toMatchObject([{ decision: 'revise' }, { decision: 'reject' }]);
    await shown.context().close();
  });

  it('leaves whoever went on at the question that they read, when an answer ends late', async () => {
    let goOn = (): void => {};
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    const parts = decidingPipeline();
    const { server, start } = await served({
      ...parts,
      pipeline: {
        ...parts.pipeline,
        answer: (...given) => gate.then(() => parts.pipeline.answer(...given)),
      },
    });
    await start('first');
    await start('second');
    const { page: shown } = await openPage();
    await shown.goto(server.url);
    await shown.click('.requests a >> nth=1');
    await shown.click('label:has-text("Reject")');
    await shown.click('text=Send answer');
    await shown.click('header a');
    await shown.click(firstQuestion);
    await shown.waitForSelector('form');
    const address = shown.url();
    goOn();
    await shown.waitForSelector('text=The run is rejected now');
    expect(shown.url()).toBe(address);
    expect(await shown.locator('form').count()).toBe(1);
    await shown.context().close();
  });

  it('is used by keyboard alone', async () => {
    const { server, start, audit } = await served();
    await start('welcome');
    const { page: shown } = await openPage();
    await shown.goto(server.url);
    await shown.waitForSelector(firstQuestion);
    const press = (key: string) => shown.keyboard.press(key);
    await press('Tab');
    await press('Tab');
    await press('Enter');
    await shown.waitForSelector('form');
    await expect.poll(() => shown.evaluate('document.activeElement.id')).toBe('main');
    for (let stop = 0; stop < 30; stop += 1) {
      await press('Tab');
      const name = await shown.evaluate('document.activeElement.name ?? ""');
      if (name === 'kind') break;
      const outline = 'getComputedStyle(document.activeElement).outlineStyle';
      expect(await shown.evaluate(outline)).toBe('solid');
    }
    for (let step = 0; step < 6; step += 1) {
      if ((await shown.evaluate('document.activeElement.value')) === 'reject') break;
      await press('ArrowDown');
    }
    await press('Tab');
    await shown.keyboard.type('No');
    await press('Tab');
    await press('Enter');
    await shown.waitForSelector('text=The run is rejected now');
    expect(audit.entries).toMatchObject([{ decision: 'reject', reason: 'No' }]);
    await shown.context().close();
  });

  it('shows new questions while it is open, and those that somebody else answered', async () => {
    const { server, start } = await served();
    const { page: shown } = await openPage();
    await shown.goto(server.url);
    await shown.waitForSelector('text=No question waits.');
    await start('first');
    await shown.waitForSelector('text=1 question waits');
    // the title follows the list in an effect of its own
    await expect.poll(() => shown.title()).toBe('(1) Inbox');
    const second = await shown.context().newPage();
    await second.goto(server.url);
    await second.click(firstQuestion);
    await second.waitForSelector('form');
    await shown.click(firstQuestion);
    await shown.click('label:has-text("Reject")');
    await shown.click('text=Send answer');
    await second.waitForSelector('text=This question waits no more.');
    await shown.context().close();
  });

  it('runs nothing and asks for nothing, whatever stands in a question', async () => {
    for (const text of [
      '</script><script>document.title="owned"</script>',
      '<img src=x onerror="document.title=\'owned\'">',
      '<a href="https://example.invalid/">go</a><iframe src="https://example.invalid/">',
      '\u202egnp.exe\u2028\u001b[31m',
      'x'.repeat(100_000),
    ]) {
      const { server, start } = await served(decidingPipeline(text));
      await start(text);
      const { page: shown, requests, errors } = await openPage();
      await shown.goto(server.url);
      await shown.click(firstQuestion);
      await shown.waitForSelector('form');
      for (const view of ['Gaps', 'Versions', 'Judges', 'People'])
        await shown.click(`nav a:has-text("${view}")`);
      expect(await shown.title()).not.toBe('owned');
      expect(await shown.locator('main script, main img, main iframe').count()).toBe(0);
      expect(requests.filter((url) => !url.startsWith(server.address))).toEqual([]);
      expect(errors).toEqual([]);
      await shown.context().close();
    }
  });

  it('another page can neither read it nor answer', async () => {
    const { server, start, audit } = await served();
    const { runId } = await start('welcome');
    const other = await served();
    const { page: shown } = await openPage();
    await shown.goto(other.server.address);
    const attack = (path: string, init: string) =>
      shown.evaluate(
        `fetch(${JSON.stringify(server.address + path)}, ${init}).then((r) => r.text(), () => 'refused')`,
      );
    const token = server.url.split('#token=')[1];
    const headers = `{ authorization: 'Bearer ${token}', 'content-type': 'application/json' }`;
    expect(await attack(`api/runs/${runId}`, `{ headers: ${headers} }`)).toBe('refused');
    expect(await attack('api/requests', `{ method: 'POST', headers: ${headers} }`)).toBe('refused');
    await attack('api/requests/x/answer', "{ method: 'POST', mode: 'no-cors', body: '{}' }");
    const frame = `(() => { const f = document.createElement('iframe'); f.src = ${JSON.stringify(server.url)}; document.body.append(f); })()`;
    await shown.evaluate(frame);
    expect(audit.entries).toEqual([]);
    await shown.context().close();
  });
});
