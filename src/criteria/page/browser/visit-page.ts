import type { Browser } from 'playwright-core';
import * as z from 'zod';
import { ReviewLoopError } from '../../../core/errors.js';
import { systemClock } from '../../../ports/clock.js';
import { criteriaErrors } from '../../errors.js';
import { cutOffWhenLarge, tooWide } from '../inside/narrow.js';
import { isOneColour } from '../inside/one-colour.js';
import { loaded, settle } from '../inside/settle.js';
import { type PageFiles, sitePath } from '../page-files.js';
import { PlaceSchema } from '../page-place.js';
import { type Fault, type Look, type PageVisit, skippedLook } from '../page-visit.js';
import { type GuardedPage, guardedPage, origin, wide } from './guarded-page.js';
import { lookAtFiles } from './look-at-files.js';
import { lookAtFocus } from './look-at-focus.js';
import { lookForTraps } from './look-for-traps.js';
import { lookWithAxe } from './look-with-axe.js';
import { PageWorld } from './page-world.js';
import { dropBrowser } from './shared-browser.js';
import { withPictures } from './with-pictures.js';

export interface VisitRequest {
  readonly file: string;
  readonly files: PageFiles;
  /** Rules of axe that do not apply, for example to a part of a page. */
  readonly off: readonly string[];
  readonly scripts: boolean;
  readonly tags: readonly string[];
  readonly timeoutMs: number;
  readonly screenshots: boolean;
}

const closingMs = 2000;
const mostElements = 20_000;

/**
 * Visits one page, and returns what all criteria read.
 *
 * @throws ReviewLoopError `browser_failed` if the page crashes or takes too long
 */
export async function visitPage(browser: Browser, request: VisitRequest): Promise<PageVisit> {
  const guarded = await guardedPage(browser, request.files, request.scripts);
  let cancel = (): void => {};
  const late = new Promise<never>((_resolve, reject) => {
    cancel = systemClock.after(request.timeoutMs, () =>
      reject(failed(request, `did not finish in ${request.timeoutMs} ms (timeoutMs)`, undefined)),
    );
  });
  try {
    return await Promise.race([looked(browser, guarded, request), late]);
  } catch (error) {
    if (error instanceof ReviewLoopError) throw error;
    const what = guarded.traffic.crashed ? 'crashed' : 'could not be checked';
    throw failed(request, what, error);
  } finally {
    cancel();
    await closeFirmly(browser, guarded);
  }
}

async function looked(
  browser: Browser,
  guarded: GuardedPage,
  request: VisitRequest,
): Promise<PageVisit> {
  const { page, traffic } = guarded;
  const address = sitePath(request.file).split('/').map(encodeURIComponent).join('/');
  await page.goto(`${origin}/${address}`, { waitUntil: 'commit', timeout: request.timeoutMs });
  const world = await PageWorld.of(page);
  try {
    await world.call(loaded, z.boolean(), null);
    if (!page.url().startsWith(`${origin}/`))
      throw failed(request, `leads on to ${page.url().slice(0, 80)}`, undefined);
    const count = z.number().parse(await world.run('document.getElementsByTagName("*").length'));
    if (count > mostElements)
      throw failed(
        request,
        `is too large (${count} of at most ${mostElements} elements)`,
        undefined,
      );
    await world.do(settle, null);
    const about = {
      file: request.file,
      browser: `Chromium ${browser.version().split('.')[0] ?? ''}`,
      fonts: await world.fonts(),
    };
    const isBlank = await showsNothing(world);
    const all = await looksAt(world, guarded, request);
    const looks = isBlank ? withAside(all, [blankOf(request)], hasJudged) : all;
    return { ...about, looks: withAside(looks, [...traffic.limits]) };
  } finally {
    await world.close();
  }
}

async function lookAtReflow(world: PageWorld, { page }: Pick<GuardedPage, 'page'>): Promise<Look> {
  await page.setViewportSize(narrow);
  return lookAtWidth(world);
}

/** Returns whether the page has scripts that did not run. */
async function lacksScripts(
  world: PageWorld,
  { missing, refused }: GuardedPage['traffic'],
  scripts: boolean,
): Promise<boolean> {
  if (!scripts) return Number(await world.run('document.scripts.length')) > 0;
  return [...missing.values(), ...refused.values()].includes('script');
}

/** Looks at the wide page, then at the narrow one, then goes through it with scripts. */
async function looksAt(
  world: PageWorld,
  { page, traffic }: GuardedPage,
  request: VisitRequest,
): Promise<Record<string, Look>> {
  const { files, scripts, screenshots } = request;
  const mayFill = await lacksScripts(world, traffic, scripts);
  const { looks: focus, stops } = await lookAtFocus(world, mayFill);
  const large = await lookAtLargeText(world);
  const first: Record<string, Look> = {
    ...focus,
    ...(await lookWithAxe(world, request)),
    ...(await lookAtFiles(world, { files, traffic, scripts })),
    'page-errors': errorsOf(request, [...traffic.refused.values()], traffic.errors),
  };
  const shown = await withPictures(world, { looks: first, faults: large, screenshots });
  const reflow = await lookAtReflow(world, { page });
  const small = await withPictures(world, {
    looks: { 'page-reflow': reflow },
    faults: [],
    screenshots,
  });
  const faults: readonly Fault[] = [...(small.looks['page-reflow']?.faults ?? []), ...shown.faults];
  await page.setViewportSize(wide);
  return {
    ...shown.looks,
    'page-reflow': { ...reflow, faults },
    'page-keyboard-trap': scripts
      ? await lookForTraps(world, stops)
      : skippedLook('the scripts of pages are off (`scripts: true` runs them)'),
  };
}

function errorsOf(
  { scripts }: VisitRequest,
  refused: readonly string[],
  errors: readonly string[],
): Look {
  if (!scripts) return skippedLook('the scripts of pages are off (`scripts: true` runs them)');
  if (errors.length > 0 && refused.includes('script'))
    return { judged: 0, faults: [], unsure: ['scripts of other addresses did not load'] };
  return {
    judged: 1,
    faults: errors.map((error) => ({
      criterion: 'page-errors',
      description: `a script failed: ${error}`,
      suggestedFix: 'Correct the script, so that the console shows no error',
    })),
  };
}

function blankOf({ scripts }: VisitRequest): string {
  const why = scripts ? '' : ', and the scripts of pages are off (`scripts: true` runs them)';
  return `shows nothing: all its pixels have one colour${why}`;
}

const hasJudged = ({ judged }: Look): boolean => judged > 0;

/** Adds reasons why looks cannot tell. */
function withAside(
  looks: Readonly<Record<string, Look>>,
  aside: readonly string[],
  which: (look: Look) => boolean = () => true,
): Record<string, Look> {
  return Object.fromEntries(
    Object.entries(looks).map(([id, look]) => [
      id,
      which(look) ? { ...look, unsure: [...(look.unsure ?? []), ...aside] } : look,
    ]),
  );
}

function failed({ file }: VisitRequest, what: string, cause: unknown): ReviewLoopError {
  return new ReviewLoopError(criteriaErrors.browser_failed, `${file} ${what}`, {
    cause,
    value: file,
  });
}

/** Closes the page. A browser in which it does not close is closed as a whole. */
async function closeFirmly(browser: Browser, { context }: GuardedPage): Promise<void> {
  let cancel = (): void => {};
  const late = new Promise<'late'>((resolve) => {
    cancel = systemClock.after(closingMs, () => resolve('late'));
  });
  const how = await Promise.race([context.close().catch(() => undefined), late]);
  cancel();
  if (how === 'late') await dropBrowser(browser);
}

const NarrowSchema = z.object({
  wide: z.number(),
  window: z.number(),
  judged: z.number(),
  places: z.array(PlaceSchema.extend({ right: z.number() })),
});

/** The window of a small telephone, or of a screen at 400 %. */
const narrow = { width: 320, height: 256 };

/** Returns what is wider than a window of 320 px. */
async function lookAtWidth(world: PageWorld): Promise<Look> {
  const { window, judged, places } = await world.call(tooWide, NarrowSchema, null);
  return {
    judged,
    faults: places.map(
      ({ right, ...place }): Fault => ({
        criterion: 'page-reflow',
        place,
        width: narrow.width,
        description: `reaches to ${right} px in a window of ${window} px`,
        suggestedFix:
          'Let it shrink with the window: `max-width: 100%`, `flex-wrap`, or no fixed width',
      }),
    ),
  };
}

/** Returns the text that is cut off at twice the size. */
async function lookAtLargeText(world: PageWorld): Promise<Fault[]> {
  const cut = await world.call(cutOffWhenLarge, z.array(PlaceSchema), null);
  return cut.map((place) => ({
    criterion: 'page-reflow',
    place,
    description: 'cuts off its text at twice the text size',
    suggestedFix: 'Use `min-height` in place of `height`, or let the content overflow',
  }));
}

const mostHeight = 20_000;

/**
 * Returns whether a person sees nothing on a page: it is hidden, covered, beside the window, or as
 * bright as its background. What is in its source does not matter.
 */
async function showsNothing(world: PageWorld): Promise<boolean> {
  if (!(await world.compare(isOneColour, await world.shot({ x: 0, y: 0, ...wide })))) return false;
  const height = Number(await world.run('document.documentElement.scrollHeight'));
  if (height <= wide.height) return true;
  const whole = { x: 0, y: 0, width: wide.width, height: Math.min(height, mostHeight) };
  return world.compare(isOneColour, await world.shot(whole, { scale: 0.5, beyond: true }));
}
