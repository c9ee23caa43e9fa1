import type { WaitingRun } from '../ports/store.js';
import type { InboxSettings } from './inbox-options.js';

/** Returns what waits in a run outside of its suspension; `undefined` if nothing does. */
export async function otherQuestions(
  runId: string,
  { others }: Pick<InboxSettings, 'others'>,
): Promise<WaitingRun | undefined> {
  return (await others?.())?.find((run) => run.runId === runId);
}
