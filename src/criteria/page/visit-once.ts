import type { Artifact } from '../../core/artifact.js';
import { hashText } from '../../core/hash.js';
import { systemClock } from '../../ports/clock.js';
import { type Limiter, limiter } from '../../ports/limiter.js';
import type { Page } from '../html/dom.js';
import { pageFiles } from './page-files.js';
import type { PageSettings } from './page-options.js';
import type { PageScope } from './page-scope.js';
import type { PageVisit } from './page-visit.js';

/** Two pages at a time: more of them only make each one slower. */
const atATime = 2;
const mostRemembered = 40;
/** All criteria of a review hear of the same failure; a later review tries again. */
const failureMs = 5000;

interface Visiting {
  readonly visit: Promise<PageVisit>;
  failedAt: number | undefined;
}

const visits = new Map<string, Visiting>();
let slots: Limiter | undefined;

/**
 * Returns the visit of a page. All criteria share it, also later, as long as neither the files nor
 * the settings change.
 *
 * @throws ReviewLoopError `browser_missing`, `browser_failed`, `peer_missing`
 */
export function visitOnce(
  page: Page,
  scope: PageScope,
  settings: PageSettings,
): Promise<PageVisit> {
  const key = hashText(JSON.stringify([page.file, scope, settings]));
  const known = visits.get(key);
  if (known !== undefined && !isOld(known)) return known.visit;
  const visiting: Visiting = {
    visit: inSlot(() => visit(page, scope.artifacts, settings)),
    failedAt: undefined,
  };
  visiting.visit.catch(() => {
    visiting.failedAt = systemClock.now();
  });
  visits.set(key, visiting);
  const [oldest] = visits.keys();
  if (visits.size > mostRemembered && oldest !== undefined) visits.delete(oldest);
  return visiting.visit;
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

async function visit(
  page: Page,
  artifacts: readonly Artifact[],
  settings: PageSettings,
): Promise<PageVisit> {
  const [{ withBrowser }, { visitPage }, { folderReader }] = await Promise.all([
    import('./browser/shared-browser.js'),
    import('./browser/visit-page.js'),
    import('./browser/folder-files.js'),
  ]);
  const { folder, executablePath, allowNoSandbox, ...how } = settings;
  const reader = folder === undefined ? undefined : folderReader(folder);
  return withBrowser({ executablePath, allowNoSandbox }, (browser) =>
    visitPage(browser, {
      ...how,
      file: page.file,
      files: pageFiles(artifacts, page.file, reader),
      off: page.isDocument ? [] : aboutDocuments,
    }),
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
