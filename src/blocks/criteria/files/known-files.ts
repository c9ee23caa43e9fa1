import type { Artifact } from '../../../core/artifact.js';
import { invalid } from '../../../core/options.js';
import { onceFor } from '../parsed-once.js';

export interface KnownFiles {
  /**
   * Returns whether a file exists, `undefined` if that is unknown. The path is relative, as those of
   * the artifacts.
   */
  readonly has: (path: string) => boolean | undefined;
  /** Returns a text that changes if a file is added or removed. Verdicts are reused only with it. */
  readonly state: () => string;
}

export function checkKnownFiles(name: string, files: unknown): void {
  const isKnown =
    typeof files === 'object' &&
    files !== null &&
    'has' in files &&
    typeof files.has === 'function' &&
    'state' in files &&
    typeof files.state === 'function';
  if (files !== undefined && !isKnown) throw invalid(name, '{ has, state }', files);
}

export interface FileSearch {
  readonly from: string;
  readonly artifacts: readonly Artifact[];
  readonly files: KnownFiles | undefined;
}

export type FileState =
  | { readonly is: 'there' | 'elsewhere' }
  | {
      /** `given`: other files of its kind and folder were given. `searched`: no file has the path. */
      readonly is: 'missing';
      readonly path: string;
      readonly because: 'given' | 'searched';
    }
  | { readonly is: 'unknown'; readonly path: string };

/**
 * Returns whether the file of an address exists: among the artifacts, or beside them. A path from
 * the root is also searched in the folders above, because the site may be a part of the output.
 */
export function stateOfFile(address: string, search: FileSearch): FileState {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|\\\\|#|\?)/i.test(address)) return { is: 'elsewhere' };
  const written = decoded(address.replace(/[?#].*$/s, ''));
  const folder = parts(search.from).slice(0, -1);
  const isFromRoot = /^[/\\]/.test(written);
  const wanted = isFromRoot ? resolved([], written) : resolved(folder, written);
  if (wanted === undefined) return { is: 'unknown', path: written };
  const candidates = isFromRoot
    ? [wanted, ...folder.map((_, at) => [...folder.slice(0, at + 1), wanted].join('/'))]
    : [wanted];
  if (candidates.some((path) => isThere(path, search))) return { is: 'there' };
  if (!isFromRoot && hasSiblings(wanted, search))
    return { is: 'missing', path: wanted, because: 'given' };
  // the root of a site may be elsewhere, so a search finds only what is there
  return isFromRoot || search.files?.has(wanted) !== false
    ? { is: 'unknown', path: written }
    : { is: 'missing', path: wanted, because: 'searched' };
}

function isThere(path: string, { artifacts, files }: FileSearch): boolean {
  return path === '' || indexOf(artifacts).paths.has(path) || files?.has(path) === true;
}

function hasSiblings(path: string, { from, artifacts }: FileSearch): boolean {
  const kind = kindOf(path);
  const others = kind === undefined ? 0 : (indexOf(artifacts).kinds.get(kind) ?? 0);
  return others > (kindOf(parts(from).join('/')) === kind ? 1 : 0);
}

function kindOf(path: string): string | undefined {
  const ending = /\.[a-z0-9]+$/i.exec(path)?.[0].toLowerCase();
  return ending === undefined ? undefined : `${path.slice(0, path.lastIndexOf('/') + 1)}*${ending}`;
}

interface ArtifactIndex {
  readonly paths: ReadonlySet<string>;
  readonly kinds: ReadonlyMap<string, number>;
}

const indexOf = onceFor((artifacts: readonly Artifact[]): ArtifactIndex => {
  const paths = new Set<string>();
  const kinds = new Map<string, number>();
  for (const artifact of artifacts) {
    const names = parts(artifact.path);
    for (let at = 1; at <= names.length; at += 1) paths.add(names.slice(0, at).join('/'));
    const kind = kindOf(names.join('/'));
    if (kind !== undefined) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return { paths, kinds };
});

function parts(path: string): string[] {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part, at) => part !== '.' && (part !== '' || at === 0));
}

/** `undefined` if the target is outside of the root. */
export function resolved(folder: readonly string[], relative: string): string | undefined {
  const found = [...folder];
  for (const part of relative.replaceAll('\\', '/').split('/')) {
    if (part === '..') {
      const last = found.pop();
      if (last === undefined) return undefined;
      if (last === '..') found.push('..', '..');
    } else if (part !== '.' && part !== '') found.push(part);
  }
  return found.join('/');
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
