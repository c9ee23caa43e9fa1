import * as z from 'zod';
import type { Artifact, Artifacts } from '../../../core/artifact.js';

export interface PageScope extends Artifacts {
  /** Changes with the other files that pages may load. */
  readonly folderState: string;
}

export interface PageFile {
  readonly content: string | Buffer;
  readonly type: string;
}

export interface PageFiles {
  readonly read: (path: string) => Promise<PageFile | undefined>;
  readonly isKnown: (path: string) => boolean;
}

export type ReadFolder = (path: string) => Promise<Buffer | undefined>;

const utf8 = '; charset=utf-8';

const types: Readonly<Record<string, string>> = {
  ...{ html: `text/html${utf8}`, htm: `text/html${utf8}`, xhtml: `application/xhtml+xml${utf8}` },
  ...{ css: `text/css${utf8}`, vtt: `text/vtt${utf8}`, txt: `text/plain${utf8}` },
  ...{ js: `text/javascript${utf8}`, mjs: `text/javascript${utf8}` },
  ...{ json: `application/json${utf8}`, svg: 'image/svg+xml', ico: 'image/x-icon' },
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif' },
  ...{ webp: 'image/webp', avif: 'image/avif', woff: 'font/woff', woff2: 'font/woff2' },
  ...{ ttf: 'font/ttf', otf: 'font/otf', mp4: 'video/mp4', webm: 'video/webm' },
  ...{ mp3: 'audio/mpeg', ogg: 'audio/ogg', wav: 'audio/wav' },
};

export function isLoadable(path: string): boolean {
  return Object.hasOwn(types, endingOf(path));
}

function endingOf(path: string): string {
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** With `/`, without `.` and `..`. */
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
  const parts = sitePath(page).split('/').slice(0, -1);
  const above = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
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

/** A rectangle of the page, in CSS pixels from its upper left corner. */
export const BoxSchema = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
});

export type Box = z.infer<typeof BoxSchema>;

export const PlaceSchema = z.object({
  selector: z.string(),
  /** The indexes among the child elements, from `html` down. `null` inside a shadow tree. */
  path: z.array(z.number()).nullable(),
  tag: z.string(),
  html: z.string(),
  box: BoxSchema,
});

export type Place = z.infer<typeof PlaceSchema>;

export interface Fault {
  readonly description: string;
  readonly suggestedFix: string;
  readonly severity?: 'major' | 'minor' | undefined;
  readonly place?: Place | undefined;
  readonly same?: readonly string[] | undefined;
  /** A screenshot of the place, as a `data:` address. */
  readonly picture?: string | undefined;
}

export interface Look {
  readonly judged: number;
  readonly faults: readonly Fault[];
  readonly unsure?: readonly string[] | undefined;
  /** What it left out, with the reasons. It does not decide. */
  readonly aside?: readonly string[] | undefined;
}

export interface PageVisit {
  readonly browser: string;
  readonly looks: Readonly<Record<string, Look>>;
}
