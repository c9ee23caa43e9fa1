import { lastHolder } from '../../node/last-holder.js';
import type { Clock } from '../../ports/clock.js';
import { pageOfOrphans } from '../../ports/run-pages.js';
import type { OrphanPage, OrphanQuery } from '../../ports/store.js';
import { runHeader } from './run-header.js';
import { pathsOf } from './run-paths.js';
import { listRuns } from './run-status.js';

/** Returns a page of the runs of a directory that are running and whose lock nobody holds. */
export async function orphanFiles(
  options: { readonly directory: string; readonly clock: Clock; readonly patienceMs: number },
  query: OrphanQuery,
): Promise<OrphanPage> {
  const { directory, clock } = options;
  const running = (await listRuns(directory)).filter(({ status }) => status === 'running');
  return pageOfOrphans(running, query, async ({ runId }, olderThanMs) => {
    const paths = await pathsOf(directory, runId);
    const holder = await lastHolder(paths.folder, options);
    if (holder?.state === 'held') return undefined;
    if ((holder?.releasedAt ?? 0) > clock.now() - olderThanMs) return undefined;
    return {
      runId,
      pipeline: (await runHeader(paths.journal))?.pipeline ?? '',
      epoch: String(holder?.epoch ?? 0),
    };
  });
}
