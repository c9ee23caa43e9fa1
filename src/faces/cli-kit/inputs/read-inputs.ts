import { relative, resolve, sep } from 'node:path';
import type { Artifact } from '../../../core/artifact.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { jsonIn } from '../../../core/json-or-text.js';
import type { Reviewer } from '../../../core/reviewer.js';
import { nodeErrors } from '../../../node/errors.js';
import { type FileContent, readTextFile, textOf } from '../../../node/files.js';
import { globMatcher } from '../../../node/glob.js';
import { type ListedFile, listFiles } from '../../../node/list-files.js';
import type { AgentOutput, AgentRequest } from '../../../products/self-review/agent.js';
import { usageError } from '../errors.js';
import type { Io } from '../io.js';

export interface SourceFile extends ListedFile {
  readonly artifact: Artifact & { readonly content: string };
  readonly bom: boolean;
  readonly bytes: number;
  readonly digest: string;
}

export interface Inputs {
  readonly output: AgentOutput;
  readonly sources: readonly SourceFile[];
  readonly notReviewed: readonly { readonly path: string; readonly reason: string }[];
}

export function inputsOf(
  sources: readonly SourceFile[],
  notReviewed: Inputs['notReviewed'],
): Inputs {
  const artifacts = sources.map(({ artifact }) => artifact);
  const plan = planIn(artifacts);
  return {
    sources,
    notReviewed,
    output: { ...(plan !== undefined && { result: plan.value }), artifacts },
  };
}

export interface InputOptions {
  /** Largest size of a file, in bytes. */
  readonly maxFileSize: number;
  readonly maxFiles: number;
  readonly exclude: readonly string[];
  readonly typeOf: TypeOf;
  /** Files and folders of the run itself, such as the task, which are not reviewed. */
  readonly own: readonly string[];
}

const stdinPath = 'stdin';

/**
 * Reads files, folders, globs and the standard input (`-`). Files that are not text are listed,
 * never dropped silently.
 */
export async function readInputs(
  io: Io,
  paths: readonly string[],
  options: InputOptions,
): Promise<Inputs> {
  const { maxFiles, exclude } = options;
  const listing = await listFiles(
    paths.filter((path) => path !== '-'),
    { cwd: io.cwd, maxFiles, exclude },
  );
  const sources: SourceFile[] = [];
  const notReviewed = [...listing.skipped];
  const take = (file: ListedFile, content: FileContent): void => {
    if (content.kind === 'text') sources.push(sourceOf(file, content, options.typeOf));
    else
      notReviewed.push({
        path: file.path,
        reason: content.kind === 'binary' ? 'binary' : 'not UTF-8',
      });
  };
  if (paths.includes('-'))
    take({ absolute: '', path: stdinPath }, textOf(await io.readStdin(options.maxFileSize)));
  const own = options.own.map((path) =>
    relative(io.cwd, resolve(io.cwd, path)).split(sep).join('/'),
  );
  const isOwn = (file: ListedFile): boolean =>
    own.some((path) => file.path === path || file.path.startsWith(`${path}/`));
  for (const file of listing.files) {
    io.signal.throwIfAborted();
    if (!isOwn(file))
      take(
        file,
        await readTextFile(file.absolute, { shown: file.path, maxBytes: options.maxFileSize }),
      );
  }
  if (sources.length === 0) throw nothingToReview(paths, notReviewed);
  return inputsOf(sources, notReviewed);
}

function sourceOf(
  file: ListedFile,
  content: Extract<FileContent, { kind: 'text' }>,
  typeOf: TypeOf,
): SourceFile {
  const { text, bom, bytes, digest } = content;
  return {
    ...file,
    artifact: { type: typeOf(file.path), path: file.path, content: text },
    bom,
    bytes,
    digest,
  };
}

function nothingToReview(
  paths: readonly string[],
  notReviewed: Inputs['notReviewed'],
): ReviewLoopError {
  if (paths.length === 0) return new ReviewLoopError(nodeErrors.no_artifacts, 'no path was given');
  const shown = paths.join(' ');
  if (notReviewed.length === 0)
    return new ReviewLoopError(nodeErrors.no_artifacts, `no files to review in ${shown}`);
  const list = notReviewed.slice(0, 5).map(({ path, reason }) => `${path} (${reason})`);
  return new ReviewLoopError(
    nodeErrors.no_artifacts,
    `no text files to review in ${shown}; ` +
      `not reviewed: ${list.join(', ')}${notReviewed.length > 5 ? ' ...' : ''}`,
  );
}

const types: Readonly<Record<string, string>> = {
  ...spread('mockup', 'html htm xhtml'),
  ...spread('stylesheet', 'css scss sass less'),
  ...spread('document', 'md markdown txt rst adoc'),
  ...spread('data', 'json yaml yml toml csv tsv xml'),
  ...spread('image', 'svg'),
  ...spread(
    'code',
    'ts tsx mts cts js jsx mjs cjs py rb go rs java kt c h cc cpp hpp cs php swift scala ' +
      'sh bash sql vue svelte',
  ),
};

function spread(type: string, extensions: string): Record<string, string> {
  return Object.fromEntries(extensions.split(' ').map((extension) => [extension, type]));
}

type TypeOf = (path: string) => string;

/** The last matching `GLOB=TYPE` rule wins; without a match, the extension decides. */
export function artifactTypes(rules: readonly string[]): TypeOf {
  const parsed = rules.map((rule) => {
    const at = rule.lastIndexOf('=');
    if (at < 1 || at === rule.length - 1)
      throw usageError(`--type expects GLOB=TYPE, got ${JSON.stringify(rule)}`, rule);
    const glob = rule.slice(0, at);
    return {
      matches: globMatcher(glob.includes('/') ? glob : `**/${glob}`),
      type: rule.slice(at + 1),
    };
  });
  return (path) => {
    const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
    return (
      parsed.findLast(({ matches }) => matches(path.replace(/^(\.\.\/)+/, '')))?.type ??
      types[extension] ??
      'text'
    );
  };
}

export interface FoundPlan {
  readonly path: string;
  readonly value: unknown;
}

/** The first artifact that is JSON with epics. */
function planIn(artifacts: readonly Artifact[]): FoundPlan | undefined {
  for (const { path, content } of artifacts) {
    const value = path.endsWith('.json') && content !== undefined ? jsonIn(content) : undefined;
    if (
      typeof value === 'object' &&
      value !== null &&
      'epics' in value &&
      Array.isArray(value.epics)
    )
      return { path, value };
  }
  return undefined;
}

/** `result` and plan file agree then. If the file changed, it wins; otherwise the result wins. */
export function withPlanFile(before: AgentOutput, after: AgentOutput): AgentOutput {
  const plan = planIn(before.artifacts);
  if (plan === undefined) return after;
  const contentIn = ({ artifacts }: AgentOutput): string | undefined =>
    artifacts.find(({ path }) => path === plan.path)?.content;
  const content = contentIn(after);
  if (content !== contentIn(before)) return { ...after, result: jsonIn(content ?? '') };
  if (JSON.stringify(after.result) === JSON.stringify(plan.value)) return after;
  const text = `${JSON.stringify(after.result, null, 2)}\n`;
  return {
    ...after,
    artifacts: after.artifacts.map((artifact) =>
      artifact.path === plan.path ? { ...artifact, content: text } : artifact,
    ),
  };
}

export type FileReviewer = Reviewer<AgentRequest, AgentOutput>;
