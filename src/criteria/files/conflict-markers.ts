import type { Found } from '../artifact-criterion.js';
import { foundAt, type TextFile } from './file-rule.js';

const starts = /^<{7}(?: [^\r\n]{0,200})?$/gm;

/**
 * Finds unresolved merges: a start mark with a middle and an end mark below it. A single `=======`
 * is a heading.
 */
export function conflictMarkers(
  file: TextFile,
  hidden: readonly (readonly [number, number])[] = [],
): Found[] {
  const { source } = file;
  return Array.from(source.matchAll(starts), ({ index }) => index)
    .filter((start) => !hidden.some(([from, to]) => from <= start && start < to))
    .flatMap((start): Found[] => {
      const next = source.indexOf('\n<<<<<<<', start + 1);
      const part = source.slice(
        start,
        next === -1 ? Math.min(source.length, start + 500_000) : next,
      );
      const isConflict = /^={7}\r?$/m.test(part) && /^>{7}(?: [^\r\n]{0,200})?\r?$/m.test(part);
      return isConflict
        ? [
            foundAt(
              file,
              { start },
              {
                description: 'unresolved merge conflict',
                suggestedFix: 'Keep one side, and remove the conflict marks',
              },
            ),
          ]
        : [];
    });
}
