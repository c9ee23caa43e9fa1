import { checkKeys, checkWhole } from '../core/options.js';
import type { Diff } from './diff-source.js';
import { bytesOf, fileText } from './hunk-text.js';

/** The smallest limit in bytes. It has room for the line that counts the parts. */
const leastBytes = 200;
/** The room for the line that counts the parts, in bytes. */
const lineBytes = 100;

/**
 * Returns a diff as parts of at most `maxBytes` bytes of UTF-8. Each file is whole in one part, and
 * the first line of a part says which it is. Returns undefined if a file does not fit into one part
 * or was too large to read.
 *
 * @throws ReviewLoopError `invalid_options` if `maxBytes` is below 200
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
