/** Criteria that need files which a diff does not contain. */
const ids = new Set(['text-links', 'text-task-files', 'code-task-files', 'responsive']);

/** Returns whether a criterion needs the files around the changed ones. */
export function needsWholeWork(id: string): boolean {
  return ids.has(id);
}
