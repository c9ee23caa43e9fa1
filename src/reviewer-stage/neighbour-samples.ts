import type { DiffFile, FileSource } from '../diff/diff-source.js';
import type { TokenCounter } from '../ports/token-counter.js';
import type { CompletedWork } from './completed-work.js';

export interface SampleBounds {
  /** The number of files; a whole number from 0. */
  readonly files: number;
  /** The tokens of each file. A larger file is cut after a line and marked. */
  readonly tokens: number;
}

interface SamplingOptions extends SampleBounds {
  readonly counter: TokenCounter;
  readonly clean: (text: string) => Promise<string>;
  readonly signal: AbortSignal | undefined;
}

/** The maximum number of files read in each folder. Binary files do not count as samples. */
const maxTries = 20;

/** The maximum number of folders to search. */
const maxFolders = 50;

/**
 * Returns unchanged files from the folders of the changed ones, with the same extension. The
 * changed files take turns until enough samples are found.
 */
export async function neighbourSamples(
  changed: readonly DiffFile[],
  source: FileSource,
  options: SamplingOptions,
): Promise<NonNullable<CompletedWork['samples']>> {
  const { files, signal } = options;
  const taken = new Set(changed.flatMap(({ path, oldPath }) => [path, oldPath ?? path]));
  const kinds = [
    ...new Set(
      changed
        .filter(({ binary, submodule, status }) => !binary && !submodule && status !== 'deleted')
        .map(({ path }) => `${folderOf(path)}\0${extensionOf(path)}`),
    ),
  ];
  const listed = new Map<string, Promise<readonly string[]>>();
  const queueOf = async (kind: string): Promise<readonly string[]> => {
    const [folder = '', extension = ''] = kind.split('\0');
    if (extension === '') return [];
    const names = listed.get(folder) ?? source.list(folder, { signal });
    listed.set(folder, names);
    return [...(await names)]
      .filter((path) => !taken.has(path) && extensionOf(path) === extension)
      .sort();
  };
  const samples: { path: string; content: string }[] = [];
  for await (const path of takeTurns(kinds.slice(0, files === 0 ? 0 : maxFolders), queueOf)) {
    const content = await source.read(path, { signal });
    if (content !== undefined && content.trim() !== '')
      samples.push({ path, content: await truncated(await options.clean(content), options) });
    if (samples.length >= files) break;
  }
  return samples;
}

/**
 * Yields the first path of each queue, then the second of each, and so on. It loads a queue on its
 * turn.
 */
async function* takeTurns(
  kinds: readonly string[],
  queueOf: (kind: string) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  const queues: (readonly string[])[] = [];
  for (let turn = 0; turn < maxTries; turn += 1) {
    for (const [index, kind] of kinds.entries()) {
      const queue = queues[index] ?? (await queueOf(kind));
      queues[index] = queue;
      const path = queue[turn];
      if (path !== undefined) yield path;
    }
  }
}

async function truncated(text: string, { tokens, counter }: SamplingOptions): Promise<string> {
  const size = await counter.count(text);
  if (size <= tokens) return text;
  const kept = text.slice(0, Math.floor((text.length * tokens) / size));
  const whole = kept.slice(0, Math.max(kept.lastIndexOf('\n'), 0) || kept.length);
  return `${whole}\n[${text.length - whole.length} characters left out]`;
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.lastIndexOf('.') > 0 ? name.slice(name.lastIndexOf('.')) : '';
}
