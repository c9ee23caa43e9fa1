import { type ArtifactCriterion, artifactCriterion } from '../artifact-criterion.js';
import { browserMissing, findBrowser } from './browser/find-browser.js';
import { folderState } from './browser/folder-files.js';
import { shownBy } from './browser/shown-by.js';
import { judgePages } from './judge-pages.js';
import { type PageOptions, pageSettings, reporters, type VisitSettings } from './page-options.js';
import { type PageRule, pageRules } from './page-rules.js';
import { pageScope } from './page-scope.js';

/**
 * Creates the criteria over pages as Chromium shows them: contrast, size of targets, narrow windows,
 * visible focus, keyboard, missing files, errors of scripts, and the rules of axe. Install
 * `playwright-core`, `axe-core` and a Chromium. Without a browser no criterion decides anything.
 *
 * @throws ReviewLoopError `invalid_options`; `browser_missing` if the named browser is not there
 * @example
 * ```ts
 * const pipeline = definePipeline({ produce: designPage, reviewers: pageCriteria() });
 * ```
 */
export function pageCriteria(options: PageOptions = {}): ArtifactCriterion[] {
  const settings = pageSettings(options);
  const named = settings.executablePath;
  const found = findBrowser(named);
  if (named !== undefined && found === undefined) throw browserMissing(named);
  const surroundings = { ...settings, shownBy: shownBy(named) };
  const already = reporters(options);
  return pageRules.map((rule) => pageCriterion(rule, surroundings, already));
}

function pageCriterion(
  rule: PageRule,
  settings: VisitSettings,
  already: readonly ArtifactCriterion[],
): ArtifactCriterion {
  const { id, name, severity, category, wcag, version } = rule;
  const { executablePath: _path, folder, shownBy: browser, ...how } = settings;
  return artifactCriterion({
    id,
    name,
    description: wcag === undefined ? rule.description : `${rule.description} (WCAG ${wcag})`,
    severity,
    category,
    version: `${id}/${version}/${browser}/${JSON.stringify(how)}${already.map((one) => `/${one.id}:${one.version}`).join('')}`,
    scope: (output) => pageScope(output, folderState(folder)),
    check: (output) =>
      judgePages(rule, pageScope(output, folderState(folder)), { settings, already }),
  });
}
