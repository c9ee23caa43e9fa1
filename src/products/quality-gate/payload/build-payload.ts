import type { CopiedFiles } from '../../../node/copied-files.js';
import { placeIn, type Root } from '../../../node/inside-root.js';
import { type FoundFile, readFiles, yieldToEventLoop } from '../../../node/read-files.js';
import { estimatedTokens, type TokenCounter } from '../../../ports/token-counter.js';
import type { GateOutput } from './gate-outputs.js';

export interface PayloadInput {
  readonly outputs: readonly GateOutput[];
  readonly notes?: string | undefined;
  readonly root: Root;
  /** Copies to read and to name in place of the files. @default the files themselves */
  readonly copies?: CopiedFiles | undefined;
  /** The maximum number of inlined files. With more files, the payload lists only paths. */
  readonly maxInlineFiles: number;
  /** The maximum number of inlined bytes. Further files are only named. @default no limit */
  readonly maxInlineBytes?: number | undefined;
  /** The maximum number of inlined tokens. Further files are only named. @default no limit */
  readonly maxInlineTokens?: number | undefined;
  /** Counts tokens. @default an estimate */
  readonly tokens?: TokenCounter | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Payload {
  readonly text: string;
  readonly files: number;
  /** Paths of text files that are only named. */
  readonly listed: readonly string[];
  /** Paths of binary files, which are never inlined. */
  readonly binary: readonly string[];
  /** Paths of files that do not exist or cannot be read. */
  readonly unread: readonly string[];
  readonly altered: Readonly<Record<string, number>>;
}

const line = '='.repeat(20);

const dashes = '-'.repeat(20);

/** DeepWork's format: parts joined by an empty line. */
export async function buildPayload(input: PayloadInput): Promise<Payload> {
  const { outputs, notes = '' } = input;
  const paths = outputs.flatMap((output) => output.paths);
  const payload = new PayloadText();
  if (paths.length > 0 || outputs.some(({ type }) => type === 'string')) {
    payload.add(`${line} BEGIN OUTPUTS ${line}`);
    for (const { name, type, text } of outputs) if (type === 'string') payload.section(name, text);
    if (paths.length > input.maxInlineFiles) await listPaths(payload, input, paths.length);
    else await inlineFiles(payload, input, paths);
    payload.add(`${line} END OUTPUTS ${line}`);
  }
  if (notes.trim() !== '') {
    payload.add(`${line} AUTHOR NOTES ${line}`);
    payload.plain('author notes', notes);
    payload.add(`${line} END AUTHOR NOTES ${line}`);
  }
  return {
    text: payload.text === '' ? '[No files provided]' : payload.text,
    files: paths.length,
    listed: payload.listed,
    binary: payload.binary,
    unread: payload.unread,
    altered: payload.altered,
  };
}

/** DeepWork's format has two spaces before the bracket. */
function pathEntry(path: string, output: string): string {
  return `- ${inOneLine(path)}  (output: ${inOneLine(output)})`;
}

function placesOf({ root, copies }: PayloadInput): {
  readonly root: Root;
  readonly name: (path: string) => string;
  readonly shown: (path: string) => string;
} {
  if (copies === undefined) return { root, name: (path) => path, shown: (path) => path };
  const { folder, nameOf } = copies;
  return { root: copies.root, name: nameOf, shown: (path) => `${folder}/${nameOf(path)}` };
}

async function listPaths(payload: PayloadText, input: PayloadInput, count: number): Promise<void> {
  payload.add(
    `[${count} files \u2014 too many to include inline. Paths listed below. Read files as needed to evaluate criteria.]`,
  );
  const { root, shown } = placesOf(input);
  const { signal } = input;
  let next = 0;
  for (const { name, paths } of input.outputs) {
    for (const path of paths) {
      if (!placeIn(root, shown(path)).exists) payload.unread.push(path);
      payload.add(pathEntry(shown(path), name));
      payload.listed.push(path);
      next += 1;
      if (next % 500 !== 0) continue;
      await yieldToEventLoop();
      signal?.throwIfAborted();
    }
  }
}

/** A file with more bytes than the remaining tokens allow need not be read. */
const maxBytesPerToken = 16;

async function inlineFiles(
  payload: PayloadText,
  input: PayloadInput,
  paths: readonly string[],
): Promise<void> {
  const {
    maxInlineBytes = Number.POSITIVE_INFINITY,
    maxInlineTokens,
    tokens = estimatedTokens,
    signal,
  } = input;
  const { root, name, shown } = placesOf(input);
  let bytesLeft = maxInlineBytes;
  let tokensLeft = maxInlineTokens ?? Number.POSITIVE_INFINITY;
  const take = (path: string, text: string): void => {
    bytesLeft -= Buffer.byteLength(text);
    payload.section(path, text);
  };
  const omit = (path: string, what: string): void => {
    payload.listed.push(path);
    const file = input.copies === undefined ? 'the file' : inOneLine(shown(path));
    payload.placeholder(path, `[Not included inline: ${what}. Read ${file} to evaluate it.]`);
  };
  const visit = (index: number, found: FoundFile): void | Promise<void> => {
    const path = paths[index] ?? '';
    if (found.kind === 'left_out')
      return omit(path, `${found.bytes} bytes, more than the budget leaves`);
    if (found.kind !== 'text') return payload.notText(path, found);
    if (maxInlineTokens === undefined) return take(path, found.text);
    return tokens.count(found.text).then((count) => {
      if (count > tokensLeft)
        return omit(path, `about ${count} tokens, more than the budget leaves`);
      tokensLeft -= count;
      take(path, found.text);
    });
  };
  const mostBytes = (): number => Math.min(bytesLeft, tokensLeft * maxBytesPerToken);
  await readFiles(paths.map(name), visit, { root, signal, mostBytes });
}

/** Grows part by part, without a second copy of its text. */
class PayloadText {
  text = '';
  readonly listed: string[] = [];
  readonly binary: string[] = [];
  readonly unread: string[] = [];
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
        this.unread.push(path);
        this.placeholder(path, '[File not found]');
        break;
      case 'unreadable':
        this.unread.push(path);
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
    const { text, altered } = escapeMarkers(given);
    if (altered > 0) this.altered[name] = (this.altered[name] ?? 0) + altered;
    this.text += text;
  }
}

function header(name: string): string {
  return `${dashes} ${inOneLine(name)} ${dashes}`;
}

export interface EscapedText {
  readonly text: string;
  readonly altered: number;
}

/** Characters that look like those of markers. */
const equals = '[=\uff1d\u2550\ufe66]';

const dash = '[-\u2010-\u2015\u2212\u2500\uff0d\ufe63]';

const possible = new RegExp(`${equals}{5}|${dash}{10}`);

const breaks = '\\n\\r\\v\\f\\u0085\\u2028\\u2029';

const space = `[^\\S${breaks}]*`;

const rest = `[^${breaks}]*`;

const marker = new RegExp(
  `(^|[${breaks}])(?=${space}(?:${equals}{5,}${space}(?:BEGIN|END|AUTHOR)\\b${rest}${equals}{3}|${dash}{15,}${space}[^\\s-]${rest}${dash}{15,})${space}(?:$|[${breaks}]))`,
  'giu',
);

/** Puts a backslash before each line that looks like a marker. */
export function escapeMarkers(text: string): EscapedText {
  if (!possible.test(text)) return { text, altered: 0 };
  let altered = 0;
  const safe = text.replace(marker, (start) => {
    altered += 1;
    return `${start}\\`;
  });
  return { text: safe, altered };
}

export function inOneLine(name: string): string {
  return name.replace(
    /[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
