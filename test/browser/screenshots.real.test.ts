import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished, type TestContext } from 'vitest';
import { serveInbox } from '@/faces/inbox/index.js';
import { htmlReport, runReport } from '@/faces/reports/index.js';
import { memoryStore } from '@/ports/memory-store.js';
import { fakeClock } from '@/testing/fake-clock.js';
import { describeInBrowser, openPage } from '../support/browser.js';
import { endedReports } from '../support/report-ends.js';
import { madeCalibration, madeReport, madeVersions } from '../support/report-runs.js';
import { expectScreenshot, incomparable } from '../support/screenshots.js';
import { tempFolder } from '../support/temp-folder.js';
import { askingPipeline, token } from '../support/waiting-runs.js';

const report = {
  ...madeReport(),
  next: [
    { why: 'answers R2 here', command: 'reviewloop answer run-1 R2=yes' },
    { why: 'answers in the browser', command: 'reviewloop inbox' },
  ],
};
const page = htmlReport(report, {
  versions: madeVersions(report),
  audit: {
    intact: true,
    records: [
      { runId: 'run-1', at: report.at, by: 'Ann', action: 'decide R2=yes', reason: 'seen' },
    ],
  },
  calibrations: [madeCalibration()],
});
const several = htmlReport([
  report,
  madeReport({ runId: 'run-2', gaps: 3 }),
  ...endedReports.filter(([name]) => name === 'suspended').map(([, made]) => made),
]);
/** Ten runs, each of which ended in another way. */
const ends = endedReports
  .filter(([name]) => !/by a person|minor gap|failed judge/.test(name))
  .map(([name, made]) => [name.replaceAll(' ', '-'), htmlReport(made)] as const);
const views = ['run', 'versions', 'requirements', 'judges', 'about', 'gap/gap-1'];
const looks = [
  // half the pixels of a wide screen are enough to see a change
  { colorScheme: 'light', viewport: { width: 1280, height: 900 }, deviceScaleFactor: 0.5 },
  { colorScheme: 'dark', viewport: { width: 1280, height: 900 }, deviceScaleFactor: 0.5 },
  { colorScheme: 'light', viewport: { width: 768, height: 900 }, deviceScaleFactor: 0.5 },
  { colorScheme: 'light', viewport: { width: 320, height: 700 }, deviceScaleFactor: 1 },
  { colorScheme: 'dark', viewport: { width: 320, height: 700 }, deviceScaleFactor: 1 },
] as const;

function fileOf(html: string): string {
  const file = join(tempFolder('report'), 'report.html');
  writeFileSync(file, html);
  return pathToFileURL(file).href;
}

/** Skips a comparison that the browser or the fonts of this machine make meaningless. */
async function skipElsewhere({ skip }: TestContext): Promise<void> {
  const why = await incomparable();
  if (why === undefined) return;
  if ((process.env['REVIEWLOOP_REQUIRE'] ?? '').split(',').includes('screenshots'))
    expect.fail(why);
  skip(why);
}

describeInBrowser('the pages look as before', () => {
  for (const look of looks) {
    const name = `${look.colorScheme}-${look.viewport.width}`;
    it(`the report, ${name}`, async (test) => {
      await skipElsewhere(test);
      const { page: shown } = await openPage({ ...look, reducedMotion: 'reduce' });
      const show = async (address: string, file: string) => {
        await shown.goto(address);
        await shown.reload();
        await shown.waitForSelector('h1');
        await expectScreenshot(shown, `report-${file}-${name}`);
      };
      const address = fileOf(page);
      for (const view of views) await show(`${address}#${view}`, view.replace('/', '-'));
      for (const [name, html] of ends) await show(fileOf(html), name);
      await show(fileOf(several), 'runs');
    });

    it(`the inbox, ${name}`, async (test) => {
      await skipElsewhere(test);
      const server = await inbox();
      const { page: shown } = await openPage({ ...look, reducedMotion: 'reduce' });
      await shown.goto(server.address);
      await shown.waitForSelector('input[type=password]');
      await expectScreenshot(shown, `inbox-token-${name}`);
      await shown.goto(server.url);
      await shown.waitForSelector('[data-card] form');
      await expectScreenshot(shown, `inbox-list-${name}`);
      await shown.click('text=the whole review');
      await shown.waitForSelector('nav');
      await shown.evaluate('scrollTo(0, 0)');
      await expectScreenshot(shown, `inbox-question-${name}`);
    });
  }

  it.for([['', page] as const, ...ends])('the report on paper: %s', async ([name, html], test) => {
    await skipElsewhere(test);
    const { page: shown } = await openPage({ viewport: { width: 720, height: 1020 } });
    await shown.goto(fileOf(html));
    await shown.waitForSelector('h1');
    await shown.evaluate('dispatchEvent(new Event("beforeprint"))');
    await shown.emulateMedia({ media: 'print' });
    await expectScreenshot(shown, name === '' ? 'report-print' : `report-${name}-print`);
  });
});

/** An inbox with one question, at a fixed time. */
async function inbox() {
  const store = memoryStore();
  const clock = fakeClock(Date.UTC(2026, 10, 22, 10));
  const pipeline = askingPipeline(store, undefined, clock);
  const outcome = await pipeline.run('welcome', { runId: 'run-1' });
  const shown = runReport(outcome, { pipeline: 'letters', task: 'Write a welcome letter.' });
  const server = await serveInbox({
    store,
    answer: (reference, answer) => pipeline.answer(reference, answer),
    report: async () => ({ report: shown }),
    by: 'Ada',
    token,
  });
  onTestFinished(() => server.close());
  return server;
}
