import { proseNote } from '../../cli-kit/show/prose-note.js';
import { quoted } from '../../cli-kit/show/quoted.js';
import { readFromProse } from '../../requirements/read-from-prose.js';
import { requirementsOfTask } from '../../requirements/rest-of-task.js';
import type { PreparedReview } from './review-settings.js';

/** Returns what to do if the requirements of a review were read from plain sentences. */
export async function proseHint({
  task,
  requirements,
}: Pick<PreparedReview, 'task' | 'requirements'>): Promise<string | undefined> {
  if (requirements !== undefined) return undefined;
  const found = await requirementsOfTask(task.request);
  const prose = readFromProse(found);
  if (prose === 0) return undefined;
  const given =
    task.file === undefined ? '--task-text TEXT --write FILE' : `${quoted(task.file)} --write`;
  return `note: ${proseNote(prose, found.length)} with \`reviewloop requirements ${given}\``;
}
