import { checkKeys, checkWhole, invalid } from '../../core/options.js';
import { type ArtifactCriterion, isBuiltIn } from '../artifact-criterion.js';

/** Options of {@link pageCriteria}. */
export interface PageOptions {
  /** The browser that shows the pages. @default an installed Chromium */
  readonly browser?: PageBrowser | undefined;
  /**
   * The folder that the paths of the artifacts are relative to. Pictures, fonts and other files that
   * are not artifacts come from it.
   *
   * @default none, only artifacts are loaded
   */
  readonly folder?: string | undefined;
  /**
   * Criteria over the source that judge the same output, such as `htmlCriteria()`. What one of them
   * reports is not reported again for the same rule and element. Give only criteria that run in the
   * same pipeline.
   *
   * @default [], so everything is reported
   */
  readonly reportedBy?: readonly ArtifactCriterion[] | undefined;
  /** Whether the scripts of the pages run. @default false */
  readonly scripts?: boolean | undefined;
  /** How many pages are visited. @default 20 */
  readonly maxPages?: number | undefined;
  /** How long a visit may take, in milliseconds. @default 20000 */
  readonly timeoutMs?: number | undefined;
  /** The tags of the rules in axe. @default WCAG 2.0, 2.1 and 2.2 at the levels A and AA */
  readonly tags?: readonly string[] | undefined;
  /** Whether findings have a picture of their place. @default 'gaps' */
  readonly screenshots?: 'gaps' | 'none' | undefined;
  /**
   * Whether a browser without its sandbox may be used. Then scripts never run.
   *
   * @default false
   */
  readonly allowNoSandbox?: boolean | undefined;
}

/** The browser of {@link PageOptions}. */
export interface PageBrowser {
  /** The path of a Chromium. @default searched on the PATH */
  readonly executablePath?: string | undefined;
}

/** Options with their defaults. */
export interface PageSettings {
  readonly executablePath: string | undefined;
  readonly folder: string | undefined;
  readonly scripts: boolean;
  readonly maxPages: number;
  readonly timeoutMs: number;
  readonly tags: readonly string[];
  readonly screenshots: boolean;
  readonly allowNoSandbox: boolean;
}

/** What decides a visit beside the files. */
export interface VisitSettings extends PageSettings {
  /** Changes with the browser and the fonts of this machine. */
  readonly shownBy: string;
}

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const names: readonly (keyof PageOptions)[] = [
  'browser',
  'folder',
  'reportedBy',
  'scripts',
  'maxPages',
  'timeoutMs',
  'tags',
  'screenshots',
  'allowNoSandbox',
];

/** Checks options and adds the defaults. @throws ReviewLoopError `invalid_options` */
export function pageSettings(options: PageOptions): PageSettings {
  checkKeys('pageCriteria', options, names);
  const { browser = {}, folder, scripts = false, tags = wcag, allowNoSandbox = false } = options;
  const { maxPages = 20, timeoutMs = 20_000, screenshots = 'gaps' } = options;
  checkKeys('browser', browser, ['executablePath']);
  checkText('browser.executablePath', browser.executablePath);
  checkText('folder', folder);
  checkWhole('maxPages', maxPages, 1);
  checkWhole('timeoutMs', timeoutMs, 1);
  checkFlag('scripts', scripts);
  checkFlag('allowNoSandbox', allowNoSandbox);
  if (screenshots !== 'gaps' && screenshots !== 'none')
    throw invalid('screenshots', '"gaps" or "none"', screenshots);
  if (
    !Array.isArray(tags) ||
    tags.length === 0 ||
    !tags.every((tag: unknown) => typeof tag === 'string' && /^[\w.-]+$/.test(tag))
  )
    throw invalid('tags', 'names of tags of axe, such as "wcag2a"', tags);
  if (scripts && allowNoSandbox)
    throw invalid('scripts', 'false with `allowNoSandbox`, because pages are not trusted', scripts);
  return {
    executablePath: browser.executablePath,
    folder,
    scripts,
    maxPages,
    timeoutMs,
    tags: [...tags],
    screenshots: screenshots === 'gaps',
    allowNoSandbox,
  };
}

/**
 * Returns the criteria that report what need not be reported again.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function reporters({ reportedBy = [] }: PageOptions): readonly ArtifactCriterion[] {
  if (!Array.isArray(reportedBy) || !reportedBy.every(isBuiltIn))
    throw invalid('reportedBy', 'criteria of reviewloop over the source', reportedBy);
  return reportedBy;
}

function checkText(name: string, value: unknown): void {
  if (value !== undefined && (typeof value !== 'string' || value.trim() === ''))
    throw invalid(name, 'a path', value);
}

function checkFlag(name: string, value: unknown): void {
  if (typeof value !== 'boolean') throw invalid(name, 'true or false', value);
}
