import { placeIn, type Root } from '../../node/inside-root.js';
import { type FoundFile, readFiles, yieldToEventLoop } from '../../node/read-files.js';
import { estimatedTokens, type TokenCounter } from '../../ports/token-counter.js';
import { inOneLine, unmarked } from './marker-lines.js';
import type { GateOutput } from './outputs.js';

/** What a payload is made of, and within which bounds. */
export interface PayloadInput {
  readonly outputs: readonly GateOutput[];
  readonly notes?: string | undefined;
  readonly root: Root;
  /** With more files only their paths are listed. */
  readonly maxInlineFiles: number;
  /** What of the files may be inlined; what does not fit is named instead. @default everything */
  readonly maxInlineBytes?: number | undefined;
  readonly maxInlineTokens?: number | undefined;
  /** @default an estimate */
  readonly tokens?: TokenCounter | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a reviewer is given to read. */
export interface Payload {
  readonly text: string;
  readonly files: number;
  /** Paths of text files that are named but not in it. */
  readonly listed: readonly string[];
  /** Paths of binary files, which are never in it. */
  readonly binary: readonly string[];
  /** Lines that looked like markers and got a backslash before them, by file or output. */
  readonly altered: Readonly<Record<string, number>>;
}

const line = '='.repeat(20);
const dashes = '-'.repeat(20);

/**
 * The payload of a review in the format of seed 000: every part joined by an empty line.
 *
 * @throws ReviewLoopError `path_outside`
 */
export async function buildPayload(input: PayloadInput): Promise<Payload> {
  const { outputs, notes = '' } = input;
  const paths = outputs.flatMap((output) => output.paths);
  const building = new Building();
  if (paths.length > 0 || outputs.some(({ type }) => type === 'string')) {
    building.add(`${line} BEGIN OUTPUTS ${line}`);
    for (const { name, type, text } of outputs) if (type === 'string') building.section(name, text);
    if (paths.length > input.maxInlineFiles) await listPaths(building, input, paths.length);
    else await inlineFiles(building, input, paths);
    building.add(`${line} END OUTPUTS ${line}`);
  }
  if (notes.trim() !== '') {
    building.add(`${line} AUTHOR NOTES ${line}`);
    building.plain('author notes', notes);
    building.add(`${line} END AUTHOR NOTES ${line}`);
  }
  return {
    text: building.text === '' ? '[No files provided]' : building.text,
    files: paths.length,
    listed: building.listed,
    binary: building.binary,
    altered: building.altered,
  };
}

/** A path as it is listed: two spaces before the bracket. */
function pathEntry(path: string, output: string): string {
  return `- ${inOneLine(path)}  (output: ${inOneLine(output)})`;
}

async function listPaths(
  building: Building,
  { outputs, root, signal }: PayloadInput,
  count: number,
): Promise<void> {
  building.add(
    `[${count} files \u2014 too many to include inline. Paths listed below. Read files as needed to evaluate criteria.]`,
  );
  let next = 0;
  for (const { name, paths } of outputs) {
    for (const path of paths) {
      placeIn(root, path);
      building.add(pathEntry(path, name));
      building.listed.push(path);
      next += 1;
      if (next % 500 !== 0) continue;
      await yieldToEventLoop();
      signal?.throwIfAborted();
    }
  }
}

/** How many bytes a token can be at most where text is to be read at all. */
const bytesOfToken = 16;

async function inlineFiles(
  building: Building,
  input: PayloadInput,
  paths: readonly string[],
): Promise<void> {
  const {
    maxInlineBytes = Number.POSITIVE_INFINITY,
    maxInlineTokens,
    tokens = estimatedTokens,
    root,
    signal,
  } = input;
  let bytesLeft = maxInlineBytes;
  let tokensLeft = maxInlineTokens ?? Number.POSITIVE_INFINITY;
  const take = (path: string, text: string): void => {
    bytesLeft -= Buffer.byteLength(text);
    building.section(path, text);
  };
  const leaveOut = (path: string, what: string): void => {
    building.listed.push(path);
    building.placeholder(path, `[Not included inline: ${what}. Read the file to evaluate it.]`);
  };
  const visit = (index: number, found: FoundFile): void | Promise<void> => {
    const path = paths[index] ?? '';
    if (found.kind === 'left_out')
      return leaveOut(path, `${found.bytes} bytes, more than the budget leaves`);
    if (found.kind !== 'text') return building.notText(path, found);
    if (maxInlineTokens === undefined) return take(path, found.text);
    return tokens.count(found.text).then((count) => {
      if (count > tokensLeft)
        return leaveOut(path, `about ${count} tokens, more than the budget leaves`);
      tokensLeft -= count;
      take(path, found.text);
    });
  };
  const mostBytes = (): number => Math.min(bytesLeft, tokensLeft * bytesOfToken);
  await readFiles(paths, visit, { root, signal, mostBytes });
}

/** A payload that grows part by part, so that no second copy of it is held. */
class Building {
  text = '';
  readonly listed: string[] = [];
  readonly binary: string[] = [];
  readonly altered: Record<string, number> = {};

  add(part: string): void {
    this.text += this.text === '' ? part : `\n\n${part}`;
  }

  section(name: string, text: string): void {
    this.add(header(name));
    this.text += '\n';
    this.#append(name, text);
  }

  plain(name: string, text: string): void {
    this.add('');
    this.#append(name, text);
  }

  placeholder(name: string, text: string): void {
    this.add(`${header(name)}\n${text}`);
  }

  notText(path: string, found: Exclude<FoundFile, { kind: 'text' | 'left_out' }>): void {
    switch (found.kind) {
      case 'missing':
        this.placeholder(path, '[File not found]');
        break;
      case 'unreadable':
        this.placeholder(path, `[Error reading file: ${inOneLine(found.error)}]`);
        break;
      case 'binary':
        this.binary.push(path);
        this.placeholder(
          path,
          `[Binary file - not included in review. Read from: ${inOneLine(found.path)}]`,
        );
    }
  }

  #append(name: string, given: string): void {
    const { text, altered } = unmarked(given);
    if (altered > 0) this.altered[name] = (this.altered[name] ?? 0) + altered;
    this.text += text;
  }
}

function header(name: string): string {
  return `${dashes} ${inOneLine(name)} ${dashes}`;
}
