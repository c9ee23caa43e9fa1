import { join } from 'node:path';
import { configErrors } from '../../config/errors.js';
import { ReviewLoopError } from '../../core/errors.js';
import { readLinked } from '../../node/store-file.js';
import { githubWorkflow, gitlabJob, preCommitRepo } from './ci-texts.js';
import { addItem, addTopKey, removeItem, removeLines } from './edit-yaml.js';
import type { PlannedFile } from './planned-file.js';

/** The services that `init` writes a review for. */
export const ciNames = ['github', 'gitlab', 'pre-commit'] as const;

/** A service that `init` writes a review for. */
export type CiName = (typeof ciNames)[number];

/** Where the review is installed, and whether it is removed instead. */
export interface CiPlan {
  readonly cwd: string;
  readonly remove: boolean;
  /** The version of this package. */
  readonly version: string;
}

const files: Readonly<Record<CiName, string>> = {
  github: '.github/workflows/reviewloop.yml',
  gitlab: '.gitlab-ci.yml',
  'pre-commit': '.pre-commit-config.yaml',
};

/** Returns the changes that install or remove the review of a service. */
export async function planCi(name: CiName, plan: CiPlan): Promise<PlannedFile[]> {
  const shown = files[name];
  const path = join(plan.cwd, shown);
  const before = await readLinked(path);
  const after = plan.remove ? removed(name, before, plan) : added(name, before, plan);
  return before === after ? [] : [{ path, before, after }];
}

function added(name: CiName, before: string | undefined, { version }: CiPlan): string {
  const yaml = { text: before ?? '', shown: files[name] };
  switch (name) {
    case 'github':
      return before ?? githubWorkflow(version);
    case 'gitlab':
      return addTopKey(yaml, 'reviewloop', gitlabJob(version));
    case 'pre-commit': {
      const lines = preCommitRepo(version);
      return addItem(yaml, 'repos', { lines, mark: 'id: reviewloop' });
    }
  }
}

/** Returns the text without the review; `undefined` if nothing else is in the file. */
function removed(
  name: CiName,
  before: string | undefined,
  { version: current }: CiPlan,
): string | undefined {
  if (before === undefined) return undefined;
  // another release may have written it
  const version = /reviewloop@v?([\w.-]+)/.exec(before)?.[1] ?? current;
  const yaml = { text: before, shown: files[name] };
  const has = name === 'pre-commit' ? 'id: reviewloop' : '# Written by `reviewloop init';
  if (name !== 'github' && !before.includes(has)) return before;
  switch (name) {
    case 'github':
      if (before === githubWorkflow(version)) return undefined;
      throw new ReviewLoopError(
        configErrors.config_invalid,
        `${files.github} was changed; remove it by hand`,
        { value: files.github },
      );
    case 'gitlab':
      return removeLines(yaml, gitlabJob(version)) || undefined;
    case 'pre-commit': {
      const after = removeItem(yaml, preCommitRepo(version));
      return after.trim() === 'repos:' ? undefined : after;
    }
  }
}
