import type { Artifact } from '../../../core/artifact.js';
import type { Found } from '../artifact-criterion.js';
import { isMarkdown, isPage } from '../files/file-kind.js';
import { type FileSurroundings, foundAt, type TextFile } from '../files/file-rule.js';
import { decoded, resolved } from '../files/known-files.js';
import { anchorsOf, idsIn, readMarkdown } from './markdown.js';

interface Link {
  readonly target: string;
  readonly start: number;
}

const inline =
  /\]\(\s{0,5}(?:<([^<>\n]{1,500})>|((?:[^\s()\\]|\\.|\([^\s()]{0,200}\)){1,500}))(?:\s{1,5}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?\s{0,5}\)/g;
const defined = /^ {0,3}\[[^\]\n]{1,300}\]:[ \t]{0,10}<?([^\s<>]{1,500})>?/gm;
const attribute =
  /<(?:a|link|script|area|iframe)\s[^<>]{0,3000}?\b(?:href|src)\s*=\s*(?:"([^"<>]{0,500})"|'([^'<>]{0,500})')/gi;

/** Undefined if the file has no link whose target the artifacts tell. */
export function brokenLinks(
  file: TextFile,
  { artifacts }: FileSurroundings,
  complete: boolean,
): Found[] | undefined {
  const links = isPage({ path: file.file, type: file.type })
    ? linksOfPage(file.source)
    : linksOfMarkdown(file.source);
  const byPath = new Map(artifacts.map((artifact) => [normal(artifact.path), artifact]));
  const anchors = new Map<string, ReadonlySet<string> | undefined>();
  const anchorsIn = (path: string, artifact: Artifact): ReadonlySet<string> | undefined => {
    if (!anchors.has(path)) anchors.set(path, anchorsOfArtifact(artifact));
    return anchors.get(path);
  };
  const known = { from: normal(file.file), byPath, anchorsIn, complete };
  const told = links.flatMap(({ target, start }) => {
    const problem = problemOf(target, known);
    return problem === undefined ? [] : [{ problem, start, end: start + target.length }];
  });
  if (told.length === 0) return undefined;
  return told.flatMap(({ problem, ...range }) =>
    problem === none
      ? []
      : [
          foundAt(file, range, {
            description: problem,
            suggestedFix: 'Correct the link, or add its target',
          }),
        ],
  );
}

const none = '';

interface Known {
  readonly from: string;
  readonly byPath: ReadonlyMap<string, Artifact>;
  readonly anchorsIn: (path: string, artifact: Artifact) => ReadonlySet<string> | undefined;
  readonly complete: boolean;
}

/** Undefined if the artifacts do not tell. */
function problemOf(target: string, known: Known): string | undefined {
  const { from, byPath, complete } = known;
  if (target === '' || /^(?:[a-z][a-z0-9+.-]*:|\/|\\|\?)|\{\{|\$\{|<%/i.test(target))
    return undefined;
  const [pathPart = '', anchor] = decoded(unescaped(target)).split('#', 2);
  const relative = pathPart.split('?')[0] ?? '';
  const path = relative === '' ? from : resolved(from.split('/').slice(0, -1), relative);
  if (path === undefined) return undefined;
  const artifact =
    byPath.get(path) ?? byPath.get(`${path}/index.html`) ?? byPath.get(`${path}/README.md`);
  if (artifact !== undefined)
    return anchor === undefined ? none : anchorProblem(anchor, path, { ...known, artifact });
  return complete || hasSiblings(path, from, byPath)
    ? `the link leads to ${path.slice(0, 200)}, which is missing`
    : undefined;
}

function anchorProblem(
  anchor: string,
  path: string,
  { from, artifact, anchorsIn }: Known & { readonly artifact: Artifact },
): string | undefined {
  const known = /^(?:L\d|:~:)/.test(anchor) ? undefined : anchorsIn(path, artifact);
  if (known === undefined) return undefined;
  if (known.has(anchor) || known.has(anchor.toLowerCase().replace(/^user-content-/, '')))
    return none;
  return `the link leads to #${anchor.slice(0, 200)}, which ${path === from ? 'this file' : path} does not have`;
}

function hasSiblings(path: string, from: string, byPath: ReadonlyMap<string, Artifact>): boolean {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const extension = /\.[a-z0-9]+$/i.exec(path)?.[0].toLowerCase();
  if (extension === undefined) return false;
  return [...byPath.keys()].some(
    (other) =>
      other !== from &&
      other.startsWith(folder) &&
      !other.slice(folder.length).includes('/') &&
      other.toLowerCase().endsWith(extension),
  );
}

function anchorsOfArtifact(artifact: Artifact): ReadonlySet<string> | undefined {
  const { content } = artifact;
  if (content === undefined) return undefined;
  if (isPage(artifact))
    return /<script/i.test(content) ? undefined : new Set(['', 'top', ...idsIn(content)]);
  return isMarkdown(artifact) ? anchorsOf(readMarkdown(content)) : undefined;
}

function linksOfMarkdown(source: string): Link[] {
  const { plain } = readMarkdown(source);
  return [inline, defined, attribute].flatMap((pattern) =>
    Array.from(plain.matchAll(pattern), linkOf),
  );
}

function linksOfPage(source: string): Link[] {
  const visible = source.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, (comment) =>
    ' '.repeat(comment.length),
  );
  return Array.from(visible.matchAll(attribute), linkOf);
}

function linkOf({ 0: whole, 1: first, 2: second, index }: RegExpMatchArray): Link {
  const target = first ?? second ?? '';
  return { target: target.trim(), start: (index ?? 0) + Math.max(0, whole.lastIndexOf(target)) };
}

function unescaped(target: string): string {
  return target.replaceAll('&amp;', '&').replaceAll(/\\([()[\]_*])/g, '$1');
}

function normal(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
}
