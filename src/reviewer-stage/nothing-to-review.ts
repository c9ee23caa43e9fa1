import { isBlank } from '../core/empty-output.js';
import type { ChangedFile, CompletedWork } from './completed-work.js';

/** Returns why there is nothing to review; `undefined` if there is something. */
export function nothingToReview({ changedFiles }: CompletedWork): string | undefined {
  if (changedFiles.length === 0) return 'no file was changed';
  return changedFiles.some(isVisible) ? undefined : 'the changes have no visible content';
}

/** A file without content and diff is visible by its name, as the deleted and binary ones are. */
function isVisible({ status, diff, content, omitted }: ChangedFile): boolean {
  if (status === 'deleted' || status === 'renamed' || omitted !== undefined) return true;
  if (diff === undefined) return content === undefined || !isBlank(content);
  return diff
    .split('\n')
    .some(
      (line) =>
        /^(?:old|new) mode /.test(line) ||
        (/^[+-](?!\+\+ |-- )/.test(line) && !isBlank(line.slice(1))),
    );
}
