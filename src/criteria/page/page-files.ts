import type { Artifact } from '../../core/artifact.js';

/** The content of a file that a page may load. */
export interface PageFile {
  readonly content: string | Buffer;
  readonly type: string;
}

/** The files that a page may load. */
export interface PageFiles {
  /** Returns the file at a path of the virtual site, if any. */
  readonly read: (path: string) => Promise<PageFile | undefined>;
  /** Returns whether a file that is not there is surely missing. */
  readonly isKnown: (path: string) => boolean;
}

export type ReadFolder = (path: string) => Promise<Buffer | undefined>;

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  xhtml: 'application/xhtml+xml; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  vtt: 'text/vtt; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

/** Endings of files that pages load. */
export const loadable: ReadonlySet<string> = new Set(Object.keys(types));

/** Returns the ending of a path, in small letters. */
export function endingOf(path: string): string {
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** Returns a path of the virtual site: with `/`, without `.` and `..`. */
export function sitePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/**
 * Creates the files of a virtual site: the artifacts, then the files of a folder. A path from the
 * root is also searched in the folders above the page, because the site may be a part of the output.
 */
export function pageFiles(
  artifacts: readonly Artifact[],
  page: string,
  folder: ReadFolder | undefined,
): PageFiles {
  const contents = new Map(artifacts.map(({ path, content }) => [sitePath(path), content]));
  const endings = new Set([...contents.keys()].map(endingOf));
  const above = foldersAbove(sitePath(page));
  return {
    read: async (path) => {
      for (const candidate of [path, ...above.map((name) => `${name}/${path}`)]) {
        const content = contents.get(candidate) ?? (await folder?.(candidate));
        if (content === undefined) continue;
        const type = candidate === sitePath(page) ? types['html'] : types[endingOf(candidate)];
        return { content, type: type ?? 'application/octet-stream' };
      }
      return undefined;
    },
    isKnown: (path) => folder !== undefined || endings.has(endingOf(path)),
  };
}

/** Returns the folders of a path, the nearest first. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}
