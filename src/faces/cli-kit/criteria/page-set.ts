import { resolve } from 'node:path';
import { type ArtifactCriterion, isBuiltIn } from '../../../blocks/criteria/artifact-criterion.js';
import type { KnownFiles } from '../../../blocks/criteria/files/known-files.js';
import { isHtml } from '../../../blocks/criteria/html/page.js';
import type { AgentOutput } from '../../../products/self-review/agent.js';
import type { ConfiguredPages } from '../../config/config-parts.js';
import type { FileReviewer } from '../inputs/read-inputs.js';
import type { CriteriaSet } from './criteria-sets.js';

interface PagesAround {
  readonly cwd: string;
  readonly output: AgentOutput;
  readonly pages: { readonly options: ConfiguredPages };
}

/**
 * They load pictures and fonts from the folder that the paths of the pages are relative to. What
 * other sets report is not reported again.
 */
export async function pageSet(
  { cwd, output, pages }: PagesAround,
  others: readonly CriteriaSet[] = [],
): Promise<CriteriaSet> {
  const { pageCriteria } = await import('../../../blocks/criteria/page/index.js');
  const folder = folderOf(cwd, output);
  return {
    name: 'page',
    reviewers: pageCriteria({
      ...optionsFor(cwd, pages.options),
      reportedBy: others.flatMap(({ reviewers }) => reviewers.filter(isOverSource)),
      ...(folder !== undefined && { folder }),
    }),
  };
}

function isOverSource(reviewer: FileReviewer): reviewer is ArtifactCriterion {
  return isBuiltIn(reviewer);
}

function optionsFor(cwd: string, { browser, ...options }: ConfiguredPages): ConfiguredPages {
  const path = browser?.executablePath;
  return {
    ...options,
    ...(path !== undefined && { browser: { executablePath: resolve(cwd, path) } }),
  };
}

export async function filesAround({
  cwd,
  output,
}: Pick<PagesAround, 'cwd' | 'output'>): Promise<KnownFiles | undefined> {
  const folder = folderOf(cwd, output);
  if (folder === undefined || !output.artifacts.some(isHtml)) return undefined;
  const { folderHas, folderState } = await import(
    '../../../blocks/criteria/page/browser/folder-files.js'
  );
  const nameAlone = (): string => '';
  return {
    // the paths of all pages begin with the same `..`
    has: (path) => folderHas(folder, path.replace(/^(?:\.\.\/)+/, '')),
    state: () => folderState(folder, nameAlone),
  };
}

/** Set if all pages are below it, and `..` leads to it from the working directory. */
function folderOf(cwd: string, output: AgentOutput): string | undefined {
  const ups = output.artifacts.map(({ path }) => /^(?:\.\.\/)*/.exec(path)?.[0] ?? '');
  const [first = ''] = ups;
  if (ups.some((up) => up !== first) || output.artifacts.some(({ path }) => path.startsWith('/')))
    return undefined;
  return resolve(cwd, first);
}
