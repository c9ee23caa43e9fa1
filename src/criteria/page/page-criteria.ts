import { type Artifacts, artifactsOf } from '../../core/artifact.js';
import { type ArtifactCriterion, artifactCriterion } from '../artifact-criterion.js';
import { isHtml } from '../html/page.js';
import { browserMissing, findBrowser, shownBy } from './browser/chromium.js';
import { folderState } from './browser/folder-files.js';
import { judgePages } from './judge-pages.js';
import { isLoadable, type PageScope } from './page-files.js';
import { type PageOptions, pageSettings } from './page-options.js';
import { pageRules } from './page-rules.js';

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
  const { executablePath, folder, ...how } = settings;
  if (executablePath !== undefined && findBrowser(executablePath) === undefined)
    throw browserMissing(executablePath);
  const { reportedBy: already = [] } = options;
  const browser = shownBy(executablePath);
  const also = already.map(({ id, version }) => `/${id}:${version}`).join('');
  const scope = (output: Artifacts): PageScope => ({
    artifacts: artifactsOf(output).filter((one) => isHtml(one) || isLoadable(one.path)),
    folderState: folderState(folder),
  });
  return pageRules.map((rule) => {
    const { id, name, description, severity, category, wcag, version } = rule;
    return artifactCriterion({
      ...{ id, name, severity, category, scope },
      description: wcag === undefined ? description : `${description} (WCAG ${wcag})`,
      version: `${id}/${version}/${browser}/${JSON.stringify(how)}${also}`,
      check: (output) => judgePages(rule, scope(output), { settings, browser, already }),
    });
  });
}
