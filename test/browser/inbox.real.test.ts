import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import type { InboxRun } from '@/faces/inbox/inbox-options.js';
import { serveInbox } from '@/faces/inbox/index.js';
import { runReport } from '@/faces/reports/index.js';
import { criterion, definePipeline } from '@/index.js';
import { memoryStore } from '@/ports/memory-store.js';
import { describeInBrowser, openPage, violationsOf } from '../support/browser.js';
import { askingPipeline, auditList } from '../support/waiting-runs.js';
import { suspended } from '../unit/engine/support.js';

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
  const runs = new Map<string, InboxRun>();
  const server = await serveInbox({
    store,
    answer: (reference, answer) => pipeline.answer(reference, answer),
    report: async (runId) => runs.get(runId),
    by: 'Ada',
  });
  onTestFinished(() => server.close());
  const start = async (task: string) => {
    const outcome = await pipeline.run(task);
    const { digest } = suspended(outcome).requests[0];
    runs.set(outcome.runId, {
      report: runReport(outcome, { pipeline: 'letters', task }),
      versions: {
        [digest]: [{ type: 'file', path: 'letter.txt', content: `Dear reader, ${task}` }],
      },
    });
    return outcome;
  };
  return { server, start, audit, store };
}

const firstCard = '[data-card] >> nth=0';
const review = `${firstCard} >> text=the whole review`;

/** The page of an inbox, whose time a test moves. */
async function opened(url: string, options: Parameters<typeof openPage>[0] = {}) {
  const watched = await openPage(options);
  await watched.page.clock.install();
  await watched.page.goto(url);
  return watched;
}

/** The answer to a question of the first card. */
function answerTo(question: string, answer: string): string {
  return `.ask:has-text("${question}") >> button:has-text("${answer}")`;
}

async function sendAndWait(shown: Page, button = '[data-send]'): Promise<void> {
  await shown.click(button);
  await shown.clock.fastForward(5_000);
}

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
        await shown.waitForSelector('.src');
        await check('list');
        await shown.click(answerTo('tone', 'Yes'));
        await shown.click(answerTo('colour', 'No'));
        await check('answered');
        await shown.click('text=Other answers');
        await check('other answers');
        await shown.click('[data-send]');
        await check('sent');
        await shown.click('[data-undo]');
        await shown.click(review);
        for (const view of ['Verdict', 'Requirements', 'Versions', 'Judges']) {
          await shown.click(`nav a:has-text("${view}")`);
          await shown.waitForSelector(`nav a[aria-current]:has-text("${view}")`);
          await check(view);
        }
        expect(errors.slice(known)).toEqual([]);
      });

  it('moves the token from the address into the tab, and sets no cookie', async () => {
    const { server, start } = await served();
    await start('welcome');
    const { page: shown, requests } = await openPage();
    await shown.goto(server.url);
    await shown.waitForSelector(firstCard);
    expect(shown.url()).toBe(server.address);
    const token = server.url.split('#token=')[1] ?? '';
    expect(requests.filter((url) => url.includes(token) && !url.includes('#'))).toEqual([]);
    expect(await shown.context().cookies()).toEqual([]);
    await shown.reload();
    await shown.waitForSelector(firstCard);
    const other = await shown.context().newPage();
    await other.goto(server.address);
    await other.fill('input[type=password]', server.url);
    await other.click('button');
    await other.waitForSelector(firstCard);
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
    await shown.waitForSelector('[data-card] >> text=Answer it in the mail room.');
    expect(await shown.locator('form, [data-send]').count()).toBe(0);
    expect(await violationsOf(shown)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('asks the requirement itself once, its text beside it, with nothing chosen [R3-077]', async () => {
    const { server, start } = await served();
    await start('welcome');
    const { page: shown } = await opened(server.url);
    await shown.waitForSelector('.src >> text=Dear reader, welcome');
    const text = String(await shown.textContent('main'));
    expect(text).not.toMatch(/assessments|undecided/);
    expect(text.split('Is tone of tone met?')).toHaveLength(2);
    const first = '.ask:has-text("tone of tone") button';
    expect(await shown.locator(first).allInnerTexts()).toEqual([
      'Yes, met y',
      'No n',
      'Cannot tell c',
    ]);
    expect(await shown.locator('[aria-pressed=true]').count()).toBe(0);
    expect(await shown.locator('[data-send]').isDisabled()).toBe(true);
  });

  it('one card is one decision: two answers approve, and nothing else is asked [R3-078]', async () => {
    const { server, start, audit } = await served();
    const { runId } = await start('welcome');
    const { page: shown } = await opened(server.url);
    await shown.waitForSelector('text=1 review waits for 2 answers');
    await shown.click(answerTo('tone of tone', 'Yes'));
    await shown.waitForSelector('text=1 review waits for 1 answer');
    await shown.waitForSelector('.say >> text=1 more to answer.');
    await shown.click(answerTo('colour of tone', 'Yes'));
    await shown.waitForSelector('.say >> text=Approves this version, in your name.');
    await shown.click('[data-send]');
    // before anything is sent
    await shown.waitForSelector('text=Nothing waits.');
    expect(await shown.title()).toBe('Inbox');
    expect(audit.entries).toEqual([]);
    await shown.clock.fastForward(5_000);
    await shown.waitForSelector(
      'text=The run is approved now: approved by the reviewers and by Ada',
    );
    await expect.poll(() => shown.locator('[data-card]').count()).toBe(0);
    expect(audit.entries).toMatchObject([
      {
        ...{ who: 'Ada', decision: 'decide and approve', runId },
        details: { tone: 'yes', colour: 'yes' },
      },
    ]);
  });

  it('sends nothing before 5 s: undone, or closed', async () => {
    const { server, start, audit } = await served();
    await start('welcome');
    const { page: shown, requests } = await opened(server.url);
    const posts = () => requests.filter((url) => url.endsWith('/answer'));
    await shown.click(answerTo('tone of tone', 'Yes'));
    await shown.click(answerTo('colour of tone', 'Yes'));
    await shown.click('[data-send]');
    await shown.waitForSelector('.say >> text=Sent in 5 s: Approves');
    await shown.clock.fastForward(4_000);
    await shown.click('[data-undo]');
    await shown.clock.fastForward(60_000);
    await shown.waitForSelector('[aria-pressed=true]');
    await shown.waitForSelector('text=1 review waits');
    expect(posts()).toEqual([]);
    await shown.click('[data-send]');
    await shown.waitForSelector('[data-undo]');
    await shown.close();
    expect([posts(), audit.entries]).toEqual([[], []]);
  });

  it('No asks what is missing, and sends it back with that gap', async () => {
    const { server, start, audit } = await served();
    await start('welcome');
    const { page: shown } = await opened(server.url);
    await shown.click(answerTo('colour of tone', 'No'));
    await expect.poll(() => shown.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await shown.keyboard.type('jynck: name the price');
    await shown.click(answerTo('tone of tone', 'Yes'));
    await shown.waitForSelector('.say >> text=Sends it back with 1 gap. The agent goes on.');
    await sendAndWait(shown);
    await shown.waitForSelector('text=The run is suspended now');
    expect(audit.entries).toMatchObject([
      { decision: 'decide', details: { tone: 'yes', colour: 'no: jynck: name the price' } },
    ]);
  });

  it('what cannot be told stays open; if nothing can, nothing is sent', async () => {
    const { server, start, audit } = await served();
    await start('welcome');
    const { page: shown, requests } = await opened(server.url);
    await shown.click(answerTo('tone of tone', 'Cannot'));
    await shown.click(answerTo('colour of tone', 'Cannot'));
    await shown.waitForSelector('.say >> text=Stays open: 2 not decided. Nothing is approved.');
    await sendAndWait(shown);
    await shown.waitForSelector('text=Nothing waits.');
    expect(requests.filter((url) => url.endsWith('/answer'))).toEqual([]);
    await shown.click('[data-undo]');
    await shown.click(answerTo('tone of tone', 'Yes'));
    await sendAndWait(shown);
    await shown.waitForSelector('text=The run is suspended now');
    expect(audit.entries).toMatchObject([{ decision: 'decide', details: { tone: 'yes' } }]);
  });

  it('asks whether to approve where a review has no other question', async () => {
    const store = memoryStore();
    const audit = auditList();
    const { server, start } = await served({
      pipeline: askingPipeline(store, audit),
      store,
      audit,
    });
    const { runId } = await start('welcome');
    const { page: shown } = await opened(server.url);
    await shown.click('label:has-text("Approve")');
    await sendAndWait(shown, 'form button');
    await shown.waitForSelector('text=The run is approved now');
    expect(audit.entries).toMatchObject([{ who: 'Ada', decision: 'approve', runId }]);
  });

  const others = [
    ['Override', 'It is needed today', 'override', 'accepted'],
    ['Ask for a revision', 'Be louder', 'revise', 'suspended'],
    ['Reject', 'No', 'reject', 'rejected'],
  ];
  it.each(others)('%s, with words', async (label, words, decision, status) => {
    const { server, start, audit } = await served();
    await start('welcome');
    const { page: shown } = await opened(server.url);
    await shown.click('text=Other answers');
    await shown.click(`label:has-text("${label}")`);
    await shown.fill('textarea', words ?? '');
    await sendAndWait(shown, 'form button');
    await shown.waitForSelector(`text=The run is ${status} now`);
    expect(audit.entries).toMatchObject([{ decision, reason: words }]);
  });

  it('shows why an answer was refused, and keeps it', async () => {
    const parts = decidingPipeline();
    const { server, start } = await served({
      ...parts,
      pipeline: { ...parts.pipeline, answer: () => Promise.reject(new Error('the disk is full')) },
    });
    await start('welcome');
    const { page: shown } = await opened(server.url);
    await shown.click(answerTo('tone of tone', 'Yes'));
    await shown.click(answerTo('colour of tone', 'Yes'));
    await sendAndWait(shown);
    await shown.waitForSelector('[role=alert]');
    expect(await shown.locator('[aria-pressed=true]').count()).toBe(2);
  });

  it('is used by single keys: two answers and Enter, undone by u', async () => {
    const { server, start, audit } = await served();
    await start('first');
    await start('second');
    const { page: shown } = await opened(server.url);
    await shown.waitForSelector('.src >> nth=1');
    const press = (key: string) => shown.keyboard.press(key);
    await press('j');
    await press('j');
    await press('k');
    await press('Control+y');
    expect(await shown.locator('[aria-pressed=true]').count()).toBe(0);
    // both keys before the card is drawn again
    await shown.evaluate(() => {
      for (const key of ['y', 'y'])
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    });
    await shown.clock.runFor(10);
    expect(await shown.locator('[aria-pressed=true]').count()).toBe(2);
    await press('Enter');
    await shown.waitForSelector('[data-undo]');
    expect(await shown.title()).toBe('(1) Inbox');
    await press('u');
    await expect.poll(() => shown.title()).toBe('(2) Inbox');
    await press('n');
    await press('Escape');
    await shown.waitForSelector('.say >> text=Sends it back with 1 gap');
    await shown.click('text=Keys');
    await shown.clock.runFor(100);
    await press('c');
    expect(await shown.locator('[aria-pressed=true]:has-text("Cannot")').count()).toBe(0);
    expect(audit.entries).toEqual([]);
    await shown.context().close();
    const touch = await opened(server.url, { hasTouch: true, isMobile: true });
    await touch.page.waitForSelector(firstCard);
    expect(await touch.page.locator('.keys').isVisible()).toBe(false);
  });

  it('shows new questions while it is open, and those that somebody else answered', async () => {
    const { server, start } = await served();
    const { page: shown } = await opened(server.url);
    await shown.waitForSelector('text=Nothing waits.');
    await start('first');
    await shown.waitForSelector('text=1 review waits for 2 answers');
    await expect.poll(() => shown.title()).toBe('(1) Inbox');
    const second = await shown.context().newPage();
    await second.goto(server.url);
    await second.click(review);
    await second.waitForSelector('.ask');
    await shown.click('text=Other answers');
    await shown.click('label:has-text("Reject")');
    await sendAndWait(shown, 'form button');
    await second.waitForSelector('text=This question waits no more.');
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
      await shown.click(review);
      for (const view of ['Versions', 'Judges']) await shown.click(`nav a:has-text("${view}")`);
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
  });
});
