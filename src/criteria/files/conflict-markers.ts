import type { Found } from '../artifact-criterion.js';
import { foundAt, type TextFile } from './file-rule.js';

const marks = /^(?:<{7}|\|{7}|>{7})(?: .*)?$/gm;

/**
 * Finds unresolved merges: each mark of a start, a base or an end, also alone, once for each merge. A
 * single `=======` is a heading, and so is a mark without a name below a word of its length. A mark
 * beside a line that begins with its sign is a quotation or a table.
 */
export function conflictMarkers(
  file: TextFile,
  hidden: readonly (readonly [number, number])[] = [],
): Found[] {
  const { source } = file;
  const found: Found[] = [];
  const isHidden = within(hidden);
  let isOpen = false;
  for (const { 0: mark, index } of source.matchAll(marks)) {
    if (isHidden(index) || isText(source, mark, index)) continue;
    if (!isOpen || mark.startsWith('<'))
      found.push(
        foundAt(
          file,
          { start: index },
          {
            description: 'unresolved merge conflict',
            suggestedFix: 'Keep one side, and remove the conflict marks',
          },
        ),
      );
    isOpen = !mark.startsWith('>') && (isOpen || mark.startsWith('<'));
  }
  return found;
}

/** Returns a test whether offsets, asked in their order, are within sorted ranges. */
function within(ranges: readonly (readonly [number, number])[]): (offset: number) => boolean {
  let next = 0;
  return (offset) => {
    while ((ranges[next]?.[1] ?? Infinity) <= offset) next += 1;
    return (ranges[next]?.[0] ?? Infinity) <= offset;
  };
}

/** Returns whether a mark is an underline, or a part of a quotation or a table. */
function isText(source: string, mark: string, index: number): boolean {
  const sign = mark.slice(0, 1);
  const above = source.slice(source.lastIndexOf('\n', index - 2) + 1, index).trimEnd();
  const [, below] =
    /^\r?\n(.)/.exec(source.slice(index + mark.length, index + mark.length + 3)) ?? [];
  const isUnderline = mark.length === 7 && above.length === 7 && !/^[<=|>]/.test(above);
  return isUnderline || (sign !== '<' && (above.startsWith(sign) || below === sign));
}
