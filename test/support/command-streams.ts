import { join } from 'node:path';
import type { StoredCall } from '@/faces/cli-kit/flags/command.js';
import type { Io } from '@/faces/cli-kit/io.js';
import { folderStore } from '@/faces/cli-kit/open-store.js';

/** The streams of a command, and what it wrote. */
export function streams(
  cwd: string,
  more: Partial<Io> = {},
): { readonly io: Io; readonly written: { out: string; err: string } } {
  const written = { out: '', err: '' };
  const io: Io = {
    ...{ cwd, outColumns: undefined, errColumns: undefined, colours: false, watched: false },
    out: async (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    readStdin: async () => Buffer.from(''),
    signal: new AbortController().signal,
    ...more,
  };
  return { io, written };
}

/** The call of a command over the store in a folder. */
export function callIn(io: Io, folder = '.reviewloop'): StoredCall {
  return { io, entry: new URL(import.meta.url), store: folderStore(join(io.cwd, folder)) };
}
