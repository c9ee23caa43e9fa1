import { hashText } from '../../core/hash.js';
import type { PageFile, PageFiles } from './page-files.js';

/** What a page asked for, and what it got. */
export interface Reads {
  /** Digests of what was read, by path. */
  readonly read: ReadonlyMap<string, string>;
  /** Whether a missing file was known to be missing, by path. */
  readonly known: ReadonlyMap<string, boolean>;
}

export function recordedReads(files: PageFiles): {
  readonly files: PageFiles;
  readonly reads: Reads;
} {
  const read = new Map<string, string>();
  const known = new Map<string, boolean>();
  return {
    files: {
      read: async (path) => {
        const file = await files.read(path);
        const digest = digestOf(file);
        const earlier = read.get(path) ?? digest;
        read.set(path, earlier === digest ? digest : 'changed during the visit');
        return file;
      },
      isKnown: (path) => {
        const isKnown = files.isKnown(path);
        known.set(path, isKnown);
        return isKnown;
      },
    },
    reads: { read, known },
  };
}

/** Returns whether a page would get the same from other files. */
export async function areUnchanged(files: PageFiles, { read, known }: Reads): Promise<boolean> {
  for (const [path, isKnown] of known) if (files.isKnown(path) !== isKnown) return false;
  for (const [path, digest] of read) if (digestOf(await files.read(path)) !== digest) return false;
  return true;
}

function digestOf(file: PageFile | undefined): string {
  if (file === undefined) return 'missing';
  const { content, type } = file;
  const text =
    typeof content === 'string' ? `text ${content}` : `bytes ${content.toString('base64')}`;
  return `${type} ${hashText(text)}`;
}
