import { hashText } from '../../core/hash.js';
import { systemClock } from '../../ports/clock.js';
import { type Limiter, limiter } from '../../ports/limiter.js';
import type { Page } from '../html/dom.js';
import { type PageFiles, pageFiles } from './page-files.js';
import type { VisitSettings } from './page-options.js';
import type { PageScope } from './page-scope.js';
import type { PageVisit } from './page-visit.js';
import { areUnchanged, type Reads, recordedReads } from './recorded-reads.js';

/** Two pages at a time: more of them only make each one slower. */
const atATime = 2;
const mostRemembered = 60;
/** All criteria of a review hear of the same failure; a later review tries again. */
const failureMs = 5000;

interface Visiting {
  readonly visit: Promise<PageVisit>;
  failedAt: number | undefined;
}

const visits = new Map<string, Visiting>();
let slots: Limiter | undefined;

/**
 * Returns the visit of a page. All criteria share it, also later, as long as neither the settings
 * nor the files that the page asked for change.
 *
 * @throws ReviewLoopError `browser_missing`, `browser_failed`, `peer_missing`
 */
export function visitOnce(
  page: Page,
  scope: PageScope,
  settings: VisitSettings,
): Promise<PageVisit> {
  const about = JSON.stringify([page.file, page.isDocument, settings]);
  const key = hashText(`${about}${digestOf(scope)}`);
  const known = visits.get(key);
  if (known !== undefined && !isOld(known)) return known.visit;
  const visiting: Visiting = {
    visit: inSlot(() => earlierOrNew(about, page, { scope, settings })),
    failedAt: undefined,
  };
  visiting.visit.catch(() => {
    visiting.failedAt = systemClock.now();
  });
  remember(visits, key, visiting);
  return visiting.visit;
}

const digests = new WeakMap<PageScope, string>();

function digestOf(scope: PageScope): string {
  const digest = digests.get(scope) ?? hashText(JSON.stringify(scope));
  digests.set(scope, digest);
  return digest;
}

function remember<Value>(memory: Map<string, Value>, key: string, value: Value): void {
  memory.delete(key);
  memory.set(key, value);
  const [oldest] = memory.keys();
  if (memory.size > mostRemembered && oldest !== undefined) memory.delete(oldest);
}

function isOld({ failedAt }: Visiting): boolean {
  return failedAt !== undefined && systemClock.now() - failedAt > failureMs;
}

function inSlot<Value>(work: () => Promise<Value>): Promise<Value> {
  slots ??= limiter({ concurrency: atATime });
  const shared = slots;
  return new Promise((resolve, reject) =>
    shared.enter(shared.age(), () => work().then(resolve, reject)),
  );
}

/** What a visit found, and what the page read for it. */
interface Finished {
  readonly visit: PageVisit;
  readonly reads: Reads;
}

/** The last visit of each page. */
const finished = new Map<string, Finished>();

interface Around {
  readonly scope: PageScope;
  readonly settings: VisitSettings;
}

/** Returns the last visit of a page if the page would read the same again, else a new one. */
async function earlierOrNew(
  about: string,
  page: Page,
  { scope, settings }: Around,
): Promise<PageVisit> {
  const { folderReader } = await import('./browser/folder-files.js');
  const reader = settings.folder === undefined ? undefined : folderReader(settings.folder);
  const given = pageFiles(scope.artifacts, page.file, reader);
  const earlier = finished.get(about);
  if (earlier !== undefined && (await areUnchanged(given, earlier.reads))) return earlier.visit;
  const { files, reads } = recordedReads(given);
  const visit = await newVisit(page, files, settings);
  remember(finished, about, { visit, reads });
  return visit;
}

async function newVisit(page: Page, files: PageFiles, settings: VisitSettings): Promise<PageVisit> {
  const [{ withBrowser }, { visitPage }] = await Promise.all([
    import('./browser/shared-browser.js'),
    import('./browser/visit-page.js'),
  ]);
  const { executablePath, allowNoSandbox, ...how } = settings;
  const off = page.isDocument ? [] : aboutDocuments;
  return withBrowser({ executablePath, allowNoSandbox }, (browser) =>
    visitPage(browser, { ...how, file: page.file, files, off }),
  );
}

/** Rules of axe about whole documents. */
const aboutDocuments = [
  'html-has-lang',
  'document-title',
  'landmark-one-main',
  'page-has-heading-one',
  'region',
  'bypass',
];
