import type { Artifacts } from '../../core/artifact.js';
import type { RequirementDecider } from '../../core/criterion.js';
import { invalid } from '../../core/options.js';
import { decidersOf } from '../deciders/claim-check.js';
import { browserMissing, findBrowser } from './browser/find-browser.js';
import { shownBy } from './browser/shown-by.js';
import { lookClaims } from './claims/look-claims.js';
import { type PageOptions, pageSettings } from './page-options.js';

/**
 * Creates the checks that decide requirements by pages as Chromium shows them: contrast, colours,
 * what is seen, order, number and narrow windows. They load artifacts only, and decide nothing
 * without a browser.
 *
 * @throws ReviewLoopError `invalid_options`; `browser_missing` if the named browser is not there
 * @example
 * ```ts
 * const coverage = requirementCoverage({
 *   extractRequirements,
 *   checkRequirementCovered,
 *   deciders: [...requirementDeciders(), ...pageDeciders()],
 *   words: 'hint',
 * });
 * ```
 */
export function pageDeciders(options: PageOptions = {}): RequirementDecider<Artifacts>[] {
  const settings = pageSettings(options);
  if (settings.folder !== undefined)
    throw invalid('folder', 'none, because decisions depend on artifacts only', settings.folder);
  const named = settings.executablePath;
  if (named !== undefined && findBrowser(named) === undefined) throw browserMissing(named);
  return decidersOf([
    lookClaims({ ...settings, screenshots: false, facts: true, shownBy: shownBy(named) }),
  ]);
}
