import type { StoreFiles } from '../../node/store-file.js';
import type { WaitingRun } from '../../ports/store.js';
import { hasReport } from '../../reports/run-folder.js';
import { ownerOf } from './find-stored.js';

/**
 * Returns where a suspended run is answered, in words, if no command started it; `undefined` if
 * commands can answer it.
 *
 * @param isTask - Returns whether a run is that of a task.
 */
export async function answeredElsewhere(
  files: StoreFiles,
  run: Pick<WaitingRun, 'runId' | 'pipeline'>,
  isTask: (runId: string) => Promise<boolean>,
): Promise<string | undefined> {
  const { runId } = run;
  if ((await hasReport(files, runId)) || (await isTask(runId))) return undefined;
  return (
    `Asked by ${ownerOf(run)}: answer it where that pipeline runs, with \`pipeline.answer\` ` +
    'or an inbox of its own (`serveInbox`).'
  );
}
