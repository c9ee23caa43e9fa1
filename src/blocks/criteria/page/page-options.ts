import {
  checkTable,
  flag,
  invalid,
  nested,
  type OptionCheck,
  type OptionTable,
  oneOf,
  whole,
} from '../../../core/options.js';
import { type ArtifactCriterion, isBuiltIn } from '../artifact-criterion.js';

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
  /** Whether a browser without its sandbox may be used. Then scripts never run. @default false */
  readonly allowNoSandbox?: boolean | undefined;
}

export interface PageBrowser {
  /** The path of a Chromium. @default searched on the PATH */
  readonly executablePath?: string | undefined;
}

/** All that decides a visit beside the files. */
export interface PageSettings
  extends Pick<PageBrowser, 'executablePath'>,
    Pick<PageOptions, 'folder'> {
  readonly scripts: boolean;
  readonly maxPages: number;
  readonly timeoutMs: number;
  readonly tags: readonly string[];
  readonly screenshots: boolean;
  readonly allowNoSandbox: boolean;
}

const path: OptionCheck<string> = (name, value) => {
  if (typeof value !== 'string' || value.trim() === '') throw invalid(name, 'a path', value);
};

const table: OptionTable<PageOptions> = {
  browser: nested<PageBrowser>({ executablePath: path }),
  folder: path,
  reportedBy: (name, value) => {
    if (!Array.isArray(value) || !value.every(isBuiltIn))
      throw invalid(name, 'criteria of reviewloop over the source', value);
  },
  ...{ scripts: flag, allowNoSandbox: flag, maxPages: whole(1), timeoutMs: whole(1) },
  tags: (name, value) => {
    const tags: unknown[] = Array.isArray(value) ? value : [undefined];
    if (tags.length === 0 || !tags.every((tag) => typeof tag === 'string' && isTag.test(tag)))
      throw invalid(name, 'names of tags of axe, such as "wcag2a"', value);
  },
  screenshots: oneOf('gaps', 'none'),
};

const isTag = /^[\w.-]+$/;
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

export function pageSettings(options: PageOptions): PageSettings {
  checkTable('pageCriteria', table, options);
  const { browser, folder, tags = wcag, screenshots = 'gaps' } = options;
  const { scripts = false, allowNoSandbox = false, maxPages = 20, timeoutMs = 20_000 } = options;
  if (scripts && allowNoSandbox)
    throw invalid('scripts', 'false with `allowNoSandbox`, because pages are not trusted', scripts);
  const how = { scripts, allowNoSandbox, maxPages, timeoutMs, screenshots: screenshots === 'gaps' };
  return { ...how, executablePath: browser?.executablePath, folder, tags: [...tags] };
}
