import type { DiffFile } from '../diff/diff-source.js';
import type { FileSource } from '../diff/file-source.js';
import type { TokenCounter } from '../ports/token-counter.js';
import type { CompletedWork } from './completed-work.js';

/** How much of the neighbours is shown. */
export interface SampleBounds {
  /** How many of them. */
  readonly files: number;
  /** Of each; a larger one is cut after a line, and says so. */
  readonly tokens: number;
}

interface Sampling extends SampleBounds {
  readonly counter: TokenCounter;
  readonly clean: (text: string) => Promise<string>;
  readonly signal: AbortSignal | undefined;
}

/** How many neighbours are tried before a folder is given up: some are no text. */
const mostTries = 20;

/** In how many folders neighbours are looked for. */
const mostKinds = 50;

/** Files that did not change, beside those that did and of the same kind: for each changed file in turn, until there are enough. */
export async function samplesOf(
  changed: readonly DiffFile[],
  source: FileSource,
  bounds: Sampling,
): Promise<NonNullable<CompletedWork['samples']>> {
  const { files, signal } = bounds;
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
  for await (const path of inTurns(kinds.slice(0, files === 0 ? 0 : mostKinds), queueOf)) {
    const content = await source.read(path, { signal });
    if (content !== undefined && content.trim() !== '')
      samples.push({ path, content: await cutTo(await bounds.clean(content), bounds) });
    if (samples.length >= files) break;
  }
  return samples;
}

/** The first of each queue, then the second of each, and so on; a queue is asked for when its turn comes. */
async function* inTurns(
  kinds: readonly string[],
  queueOf: (kind: string) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  const queues: (readonly string[])[] = [];
  for (let turn = 0; turn < mostTries; turn += 1) {
    for (const [index, kind] of kinds.entries()) {
      const queue = queues[index] ?? (await queueOf(kind));
      queues[index] = queue;
      const path = queue[turn];
      if (path !== undefined) yield path;
    }
  }
}

async function cutTo(text: string, { tokens, counter }: Sampling): Promise<string> {
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
