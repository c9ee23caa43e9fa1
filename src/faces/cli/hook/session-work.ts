import { join } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import { mapBounded } from '../../../core/map-bounded.js';
import { nodeErrors } from '../../../node/errors.js';
import { digestOfBytes, isThere } from '../../../node/files.js';
import type { ChangedFile } from '../../../node/git/changed-files.js';
import type { SavedTrees, TreeFile } from '../../../node/git/saved-trees.js';
import { globMatcher } from '../../../node/glob.js';
import {
  artifactTypes,
  type Inputs,
  inputsOf,
  type SourceFile,
} from '../../cli-kit/inputs/read-inputs.js';
import { requirementsPath } from '../../cli-kit/inputs/read-task.js';
import type { Config } from '../../config/config.js';

const mostChanged = 1000;

const mostAround = { files: 1000, bytes: 2_000_000, modelBytes: 200_000 };

export interface WorkOptions {
  readonly root: string;
  readonly start: string;
  readonly now: string;
  /** Globs of files that are not reviewed. */
  readonly exclude: readonly string[];
  /** Files of the review itself, such as its task: paths below the root. */
  readonly own: readonly string[];
  /** Files that decide how the work is judged, and are part of it: paths from the root. */
  readonly judging: readonly string[];
  readonly asksModel: boolean;
}

export interface SessionWork {
  readonly inputs: Inputs;
  readonly changed: readonly string[];
  readonly renamed: Readonly<Record<string, string>>;
  readonly around: readonly string[];
  readonly whole: boolean;
  readonly ownChanged: readonly string[];
  /** Changed files that `exclude` names. */
  readonly excluded: readonly string[];
  /** Changed files in folders that are never reviewed. */
  readonly left: Inputs['notReviewed'];
}

export async function sessionWork(trees: SavedTrees, options: WorkOptions): Promise<SessionWork> {
  const { start, now, own, asksModel } = options;
  const isReviewed = reviewedPaths(options.exclude);
  const [differing, listed] = await Promise.all([trees.changed(start, now), trees.list(now)]);
  const all = differing.filter(({ path }) => isReviewed(path));
  const judges = new Set([...own, ...options.judging]);
  const ownChanged = differing.flatMap(({ path, oldPath = path }) =>
    [path, oldPath].filter((one) => judges.has(one) || gateFiles.test(one)),
  );
  const files = all.filter(({ path }) => !own.includes(path));
  if (files.length > mostChanged)
    throw new ReviewLoopError(
      nodeErrors.too_many_files,
      `more files changed since the session began than are reviewed (${files.length}, at most ${mostChanged}). ` +
        'Ignore generated files in .gitignore, or exclude them with hook.exclude in the configuration',
    );
  const changed = new Set(all.map(({ path }) => path));
  const inputs = await readChanged(trees, files, options);
  const rest = listed.filter(
    ({ path }) => !changed.has(path) && !own.includes(path) && isReviewed(path),
  );
  const whole = fits(rest, asksModel);
  return {
    inputs,
    changed: files.map(({ path }) => path),
    renamed: Object.fromEntries(
      files.flatMap(({ path, oldPath }) => (oldPath === undefined ? [] : [[path, oldPath]])),
    ),
    around: whole ? rest.map(({ path }) => path) : [],
    whole,
    ownChanged,
    excluded: differing.flatMap(({ path }) =>
      isReviewed(path) || leftFolders.test(path) ? [] : [path],
    ),
    left: differing.flatMap(({ path, status }) => {
      const [, , folder] = leftFolders.exec(path) ?? [];
      return folder === undefined || status === 'deleted' ? [] : [{ path, reason: `in ${folder}` }];
    }),
  };
}

/** Folders that are never reviewed. Git ignores them in most projects. */
export const leftFolders = /(^|\/)(node_modules|\.reviewloop)\//;

function reviewedPaths(exclude: readonly string[]): (path: string) => boolean {
  const excluded = exclude.map((glob) => globMatcher(glob.includes('/') ? glob : `**/${glob}`));
  return (path) => !leftFolders.test(path) && !excluded.some((matches) => matches(path));
}

const gateFiles =
  /(?:^|\/)(?:reviewloop\.(?:config\.\w+|criteria\.json|hook\.mjs)|\.(?:claude\/settings(?:\.local)?|codex\/hooks|gemini\/settings|cursor\/hooks)\.json)$/;

function fits(rest: readonly TreeFile[], asksModel: boolean): boolean {
  const bytes = rest.reduce((sum, file) => sum + file.bytes, 0);
  return (
    rest.length <= mostAround.files &&
    bytes <= (asksModel ? mostAround.modelBytes : mostAround.bytes)
  );
}

async function readChanged(
  trees: SavedTrees,
  files: readonly ChangedFile[],
  { root, now }: WorkOptions,
): Promise<Inputs> {
  const typeOf = artifactTypes([]);
  const sources: SourceFile[] = [];
  const notReviewed: { path: string; reason: string }[] = [];
  const present = files.filter(({ status, submodule }) => status !== 'deleted' && !submodule);
  await mapBounded(present, 64, async ({ path, newMode }) => {
    const isLink = newMode === '120000';
    const content = isLink ? undefined : await trees.text(now, path);
    if (content === undefined) {
      const reason = isLink ? 'a symbolic link' : 'not a text of at most 2 MB';
      notReviewed.push({ path, reason });
      return;
    }
    sources.push({
      absolute: join(root, path),
      path,
      artifact: { type: typeOf(path), path, content },
      bom: false,
      bytes: Buffer.byteLength(content),
      digest: digestOfBytes(content),
    });
  });
  sources.sort((a, b) => (a.path < b.path ? -1 : 1));
  return inputsOf(sources, notReviewed);
}

export interface SessionTask {
  readonly argv: readonly string[];
  readonly files: readonly string[];
  readonly byPrompt: boolean;
}

/** The criteria judge alone. */
const noTask = 'The change of this session meets the criteria of the project.';

/**
 * The configured file, else TASK.md, else the prompt if a model can judge it, else none. A prompt
 * is seldom written so that a check could decide it.
 */
export async function sessionTask(
  root: string,
  { hook = {}, requirements: judged }: Config,
  given: { readonly prompt: string | undefined; readonly asksModel: boolean },
): Promise<SessionTask> {
  const { requirements = judged } = hook;
  const prompt = given.prompt?.trim() ?? '';
  const byDefault = (await isThere(join(root, 'TASK.md')))
    ? 'TASK.md'
    : given.asksModel
      ? 'prompt'
      : undefined;
  const task = hook.task ?? byDefault;
  if (task === undefined || (task === 'prompt' && prompt === ''))
    return { argv: ['--task-text', noTask, '--no-requirements'], files: [], byPrompt: false };
  const left = requirements === false ? ['--no-requirements'] : [];
  const listed = typeof requirements === 'string' ? ['--requirements', requirements] : left;
  if (task === 'prompt')
    return { argv: ['--task-text', prompt, ...listed], files: filesOf(listed), byPrompt: true };
  const files = [task, ...filesOf(listed), requirementsPath(task)];
  return { argv: ['--task', task, ...listed], files, byPrompt: false };
}

function filesOf(argv: readonly string[]): string[] {
  return argv[1] === undefined ? [] : [argv[1]];
}
