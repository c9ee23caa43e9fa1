import { isBlank } from '../empty-output.js';
import { checkKeys, checkWhole } from '../options.js';
import type { Diff, DiffFile, DiffHunk } from './diff-source.js';

export function hunkText({ header, lines }: DiffHunk): string {
  return `${[header, ...lines].join('\n')}\n`;
}

/** As git prints it, without lone surrogates. */
export function fileText({ header, hunks }: DiffFile): string {
  return wellFormed(`${header}${hunks.map(hunkText).join('')}`);
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function isWellFormed(text: string): boolean {
  return text.search(loneSurrogate) === -1;
}

export function wellFormed(text: string): string {
  return text.replace(loneSurrogate, '\ufffd');
}

const encoder = new TextEncoder();

export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

/**
 * Returns whether a change has anything to review: a line with a visible character, a binary file,
 * or a file that was deleted, renamed or got another mode. A new file without content has nothing.
 */
export function hasVisibleChange(files: readonly DiffFile[]): boolean {
  return files.some(
    ({ status, binary, submodule, omitted, oldMode, newMode, hunks, added, removed }) =>
      (status !== 'new' && status !== 'modified') ||
      binary ||
      submodule ||
      omitted ||
      // a source may tell how many lines it has without showing them
      (hunks.length === 0 && added + removed > 0) ||
      (oldMode !== undefined && oldMode !== newMode) ||
      hunks.some(({ lines }) =>
        lines.some((line) => /^[+-]/.test(line) && !isBlank(line.slice(1))),
      ),
  );
}

/** It has room for the line that counts the parts. */
const leastBytes = 200;

const lineBytes = 100;

/**
 * Returns a diff as parts of at most `maxBytes` bytes of UTF-8. Each file is whole in one part, and
 * the first line of a part says which it is. Returns undefined if a file does not fit into one part
 * or was too large to read.
 */
export function splitDiff(
  { files }: Pick<Diff, 'files'>,
  options: { readonly maxBytes: number },
): readonly string[] | undefined {
  checkKeys('splitDiff', options, ['maxBytes']);
  const { maxBytes } = options;
  checkWhole('maxBytes', maxBytes, leastBytes);
  const room = maxBytes - lineBytes;
  const parts: { text: string; bytes: number }[] = [];
  for (const file of files) {
    const text = fileText(file);
    const bytes = bytesOf(text);
    if (file.omitted || bytes > room) return undefined;
    const last = parts.at(-1);
    if (last !== undefined && last.bytes + bytes <= room) {
      last.text += text;
      last.bytes += bytes;
    } else parts.push({ text, bytes });
  }
  return parts.map(
    ({ text }, index) =>
      `[part ${index + 1} of ${parts.length}: other reviews see the other parts]\n${text}`,
  );
}
