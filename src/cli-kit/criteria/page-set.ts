import { resolve } from 'node:path';
import type { ConfiguredPages } from '../../config/pages-config.js';
import type { KnownFiles } from '../../criteria/files/known-files.js';
import { isHtml } from '../../criteria/html/page.js';
import type { AgentOutput } from '../../self-review/agent.js';
import type { CriteriaSet } from './criteria-sets.js';

/** What the criteria of the browser need. */
interface PagesAround {
  readonly cwd: string;
  readonly output: AgentOutput;
  readonly pages: { readonly options: ConfiguredPages };
}

/**
 * Loads the criteria over pages in a browser. They load pictures and fonts from the folder that the
 * paths of the pages are relative to.
 */
export async function pageSet({ cwd, output, pages }: PagesAround): Promise<CriteriaSet> {
  const { pageCriteria } = await import('../../criteria/page/index.js');
  const folder = folderOf(cwd, output);
  const { browser, ...options } = pages.options;
  const path = browser?.executablePath;
  return {
    name: 'page',
    reviewers: pageCriteria({
      ...options,
      ...(path !== undefined && { browser: { executablePath: resolve(cwd, path) } }),
      ...(folder !== undefined && { folder }),
    }),
  };
}

/** Returns the files beside the pages, for criteria over their source. */
export async function filesAround({
  cwd,
  output,
}: Pick<PagesAround, 'cwd' | 'output'>): Promise<KnownFiles | undefined> {
  const folder = folderOf(cwd, output);
  if (folder === undefined || !output.artifacts.some(isHtml)) return undefined;
  const { folderHas, folderState } = await import('../../criteria/page/browser/folder-files.js');
  return {
    // the paths of all pages begin with the same `..`
    has: (path) => folderHas(folder, path.replace(/^(?:\.\.\/)+/, '')),
    state: () => folderState(folder),
  };
}

/** Returns the folder below which all pages are, if `..` leads to it from the working directory. */
function folderOf(cwd: string, output: AgentOutput): string | undefined {
  const ups = output.artifacts.map(({ path }) => /^(?:\.\.\/)*/.exec(path)?.[0] ?? '');
  const [first = ''] = ups;
  if (ups.some((up) => up !== first) || output.artifacts.some(({ path }) => path.startsWith('/')))
    return undefined;
  return resolve(cwd, first);
}
