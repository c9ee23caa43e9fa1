import type { Browser } from 'playwright-core';
import * as z from 'zod';
import { ReviewLoopError } from '../../../../core/errors.js';
import { hashText } from '../../../../core/hash.js';
import { within } from '../../../../engine/timed-call.js';
import { systemClock } from '../../../../ports/clock.js';
import { limiter } from '../../../../ports/limiter.js';
import { criteriaErrors } from '../../errors.js';
import type { Page } from '../../html/dom.js';
import { isHtml } from '../../html/page.js';
import { tooWide } from '../inside/page-looks.js';
import { isOneColour, settle } from '../inside/page-tools.js';
import {
  type Fault,
  type Look,
  type PageFiles,
  type PageScope,
  type PageVisit,
  PlaceSchema,
  pageFiles,
  sitePath,
} from '../page-files.js';
import type { PageSettings } from '../page-options.js';
import { dropBrowser, withBrowser } from './chromium.js';
import { folderReader } from './folder-files.js';
import { type GuardedPage, guardedPage, origin, wide } from './guarded-page.js';
import { lookAtFocus, lookForTraps } from './look-at-focus.js';
import { lookAtFiles, lookWithAxe } from './look-with-axe.js';
import { PageWorld } from './page-world.js';

/** Two pages at a time: more of them only make each one slower. */
const slots = limiter({ concurrency: 2 });
const mostRemembered = 60;
/** All criteria of a review hear of the same failure; a later review tries again. */
const failureMs = 5000;

interface Visiting {
  readonly visit: Promise<PageVisit>;
  failedAt?: number;
}

const visits = new Map<string, Visiting>();

/**
 * Returns what visits a page. All criteria share the visit, also later, as long as neither the
 * settings, nor the browser, nor the files that the page may ask for change. The visit rejects with
 * `browser_missing`, `browser_failed` or `peer_missing`.
 */
export function visitsOf(
  scope: PageScope,
  settings: PageSettings,
  browser: string,
): (page: Page) => Promise<PageVisit> {
  const { artifacts, folderState } = scope;
  const others = artifacts.filter((artifact) => !isHtml(artifact));
  const about = hashText(JSON.stringify([settings, browser, folderState, others]));
  return (page) => {
    // scripts and frames may load other pages
    const loadsAll = settings.scripts || /<(?:i?frame|object|embed)\b/i.test(page.source);
    const own = [page.file, page.source, page.isDocument, loadsAll ? artifacts : []];
    const key = hashText(JSON.stringify([about, ...own]));
    const known = visits.get(key);
    const failedAt = known?.failedAt ?? Number.POSITIVE_INFINITY;
    if (known !== undefined && systemClock.now() - failedAt <= failureMs) return known.visit;
    const visiting: Visiting = { visit: inSlot(() => newVisit(page, scope, settings)) };
    visiting.visit.catch(() => {
      visiting.failedAt = systemClock.now();
    });
    visits.delete(key);
    visits.set(key, visiting);
    const [oldest] = visits.keys();
    if (visits.size > mostRemembered && oldest !== undefined) visits.delete(oldest);
    return visiting.visit;
  };
}

function inSlot<Value>(work: () => Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) =>
    slots.enter(slots.age(), () => work().then(resolve, reject)),
  );
}

const aboutDocuments =
  'html-has-lang document-title landmark-one-main page-has-heading-one region bypass';

function newVisit(page: Page, scope: PageScope, settings: PageSettings): Promise<PageVisit> {
  const reader = settings.folder === undefined ? undefined : folderReader(settings.folder);
  const files = pageFiles(scope.artifacts, page.file, reader);
  const off = page.isDocument ? [] : aboutDocuments.split(' ');
  return withBrowser(settings, (browser) =>
    visitPage(browser, { ...settings, file: page.file, files, off }),
  );
}

interface VisitRequest extends PageSettings {
  readonly file: string;
  readonly files: PageFiles;
  /** Rules of axe that do not apply, for example to a part of a page. */
  readonly off: readonly string[];
}

const closingMs = 2000;
const mostElements = 20_000;

async function visitPage(browser: Browser, request: VisitRequest): Promise<PageVisit> {
  const { file, files, scripts, timeoutMs } = request;
  const guarded = await guardedPage(browser, files, scripts);
  try {
    return await within(systemClock, timeoutMs, file, looked(browser, guarded, request));
  } catch (error) {
    if (error instanceof ReviewLoopError && error.code === 'browser_failed') throw error;
    const isLate = error instanceof ReviewLoopError && error.code === 'timeout';
    const broken = guarded.traffic.crashed ? 'crashed' : 'could not be checked';
    throw failed(file, isLate ? `did not finish in ${timeoutMs} ms (timeoutMs)` : broken, error);
  } finally {
    // a browser in which a page does not close is closed as a whole
    await within(systemClock, closingMs, file, guarded.page.context().close()).catch(() =>
      dropBrowser(browser),
    );
  }
}

function failed(file: string, why: string, cause?: unknown): ReviewLoopError {
  const about = { cause, value: file };
  return new ReviewLoopError(criteriaErrors.browser_failed, `${file} ${why}`, about);
}

const loaded = `new Promise((done) => document.readyState === 'complete' ? done()
  : addEventListener('load', () => done(), { once: true }))`;

async function looked(
  browser: Browser,
  guarded: GuardedPage,
  request: VisitRequest,
): Promise<PageVisit> {
  const { page, traffic } = guarded;
  const { file, scripts } = request;
  const address = sitePath(file).split('/').map(encodeURIComponent).join('/');
  await page.goto(`${origin}/${address}`, { waitUntil: 'commit', timeout: request.timeoutMs });
  const world = await PageWorld.of(page);
  await world.run(loaded);
  if (!page.url().startsWith(`${origin}/`))
    throw failed(file, `leads on to ${page.url().slice(0, 80)}`);
  const count = z.number().parse(await world.run('document.getElementsByTagName("*").length'));
  if (count > mostElements)
    throw failed(file, `is too large (${count} of at most ${mostElements} elements)`);
  await world.call(settle, z.null());
  const blank = (await showsNothing(world, browser)) ? [blankReason(scripts)] : [];
  const looks = Object.entries(await looksAt(world, guarded, request)).map(
    ([id, { unsure = [], ...look }]) => {
      const open = [...unsure, ...(look.judged > 0 ? blank : []), ...traffic.limits];
      return [id, { ...look, unsure: open }] as const;
    },
  );
  const version = browser.version().split('.')[0] ?? '';
  return { browser: `Chromium ${version}`, looks: Object.fromEntries(looks) };
}

async function looksAt(
  world: PageWorld,
  { page, traffic }: GuardedPage,
  { files, scripts, screenshots, tags, off }: VisitRequest,
): Promise<Record<string, Look>> {
  const lacked = [...traffic.missing.values(), ...traffic.refused.values()].includes('script');
  const mayFill = scripts ? lacked : Number(await world.run('document.scripts.length')) > 0;
  const { looks: focus, stops } = await lookAtFocus(world, mayFill);
  const looks: Record<string, Look> = {
    ...focus,
    ...(await lookWithAxe(world, { tags, off })),
    'page-resources': await lookAtFiles(world, files, traffic),
    ...(scripts && { 'page-errors': errorsOf(traffic) }),
  };
  const picture = screenshots ? pictures(world) : undefined;
  for (const [id, look] of Object.entries(looks)) looks[id] = (await picture?.(look)) ?? look;
  await page.setViewportSize(narrow);
  const reflow = await lookAtWidth(world);
  looks['page-reflow'] = (await picture?.(reflow)) ?? reflow;
  await page.setViewportSize(wide);
  if (scripts) looks['page-keyboard-trap'] = await lookForTraps(world, stops);
  return looks;
}

function errorsOf({ refused, errors }: GuardedPage['traffic']): Look {
  if (errors.size > 0 && [...refused.values()].includes('script'))
    return { judged: 0, faults: [], unsure: ['scripts of other addresses did not load'] };
  return {
    judged: 1,
    faults: [...errors].map((text) => ({
      description: `a script failed: ${text}`,
      suggestedFix: 'Correct the script, so that the console shows no error',
    })),
  };
}

/** The window of a small telephone, or of a screen at 400 %. */
const narrow = { width: 320, height: 256 };

const WideSchema = z.object({
  window: z.number(),
  judged: z.number(),
  places: z.array(PlaceSchema.extend({ right: z.number() })),
});

async function lookAtWidth(world: PageWorld): Promise<Look> {
  const { window, judged, places } = await world.call(tooWide, WideSchema);
  const suggestedFix =
    'Let it shrink with the window: `max-width: 100%`, `flex-wrap`, or no fixed width';
  return {
    judged,
    faults: places.map(({ right, ...place }) => ({
      ...{ place, suggestedFix },
      description: `reaches to ${right} px in a window of ${window} px`,
    })),
  };
}

const mostHeight = 20_000;

/**
 * Returns whether a person sees nothing on a page: it is hidden, covered, beside the window, or as
 * bright as its background. What is in its source does not matter.
 */
async function showsNothing(world: PageWorld, browser: Browser): Promise<boolean> {
  // nothing of the visited page can reach the page that reads the pictures
  const context = await browser.newContext();
  try {
    const empty = await context.newPage();
    const isBlank = async (picture: string): Promise<boolean> =>
      empty.evaluate(`(${String(isOneColour)})(${JSON.stringify(picture)})`);
    if (!(await isBlank(await world.shot({ x: 0, y: 0, ...wide })))) return false;
    const whole = Number(await world.run('document.documentElement.scrollHeight'));
    if (whole <= wide.height) return true;
    const clip = { x: 0, y: 0, width: wide.width, height: Math.min(whole, mostHeight) };
    return await isBlank(await world.shot(clip, { scale: 0.5, beyond: true }));
  } finally {
    await context.close();
  }
}

function blankReason(scripts: boolean): string {
  const why = scripts ? '' : ', and the scripts of pages are off (`scripts: true` runs them)';
  return `shows nothing: all its pixels have one colour${why}`;
}

const crop = { width: 400, height: 200 };
const [mostPictures, lowest] = [24, 10_000];

function pictures(world: PageWorld): (look: Look) => Promise<Look> {
  let left = mostPictures;
  const pictured = async (fault: Fault): Promise<Fault> => {
    const { x, y, width, height } = fault.place?.box ?? { x: 0, y: 0, width: 0, height: 0 };
    if (width === 0 || y > lowest || left === 0) return fault;
    left -= 1;
    const startX = Math.round(x - Math.max(20, (crop.width - width) / 2));
    const startY = Math.round(y - Math.max(20, (crop.height - height) / 2));
    const clip = { x: Math.max(0, startX), y: Math.max(0, startY), ...crop };
    const shot = await world.shot(clip, { jpeg: true, beyond: true });
    return { ...fault, picture: `data:image/jpeg;base64,${shot}` };
  };
  return async (look) => {
    const faults: Fault[] = [];
    for (const fault of look.faults) faults.push(await pictured(fault));
    return { ...look, faults };
  };
}
