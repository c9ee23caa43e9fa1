import type { Diff, DiffSource } from '../../diff/diff-source.js';
import { fileText } from '../../diff/diff-text.js';
import { gitDiff } from '../../git/git-diff.js';

/**
 * Creates the source of what a task changes in a folder. What this package stores in `.reviewloop`
 * does not belong to the task, even if git does not ignore it.
 */
export function taskDiff(cwd: string): DiffSource {
  const source = gitDiff({ cwd });
  return { ...source, diff: async (...asked) => withoutStore(await source.diff(...asked)) };
}

function withoutStore(diff: Diff): Diff {
  const files = diff.files.filter(({ path }) => !path.startsWith('.reviewloop/'));
  if (files.length === diff.files.length) return diff;
  return { ...diff, files, text: files.map(fileText).join('') };
}
