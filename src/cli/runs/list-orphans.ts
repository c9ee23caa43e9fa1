import type { Io } from '../../cli-kit/io.js';
import { openStores } from '../../cli-kit/run-stores.js';
import { listing } from '../../cli-kit/show/listing.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { placeName } from '../../node/mounted-folder.js';
import type { OrphanRun, Store } from '../../ports/store.js';
import { terminalSafeJson } from '../../terminal/sanitise.js';

/** How many runs are asked for at a time. */
const page = 500;

/**
 * Lists the runs that are not ended, wait for nobody, and that no process works on.
 *
 * @throws ReviewLoopError `usage` for a store that cannot tell
 */
export async function listOrphans(io: Io, folder: string, format: 'text' | 'json'): Promise<void> {
  const runs = await orphansOf(openStores(folder).store);
  if (format === 'json')
    return io.out(`${terminalSafeJson({ schemaVersion: 1, orphans: runs })}\n`);
  const rows = runs.map(({ runId, pipeline }) => [runId, pipeline]);
  const lines =
    rows.length === 0
      ? [`no run without a process in ${placeName(folder)}`]
      : listing(io, rows, ['id', 'pipeline']);
  await io.out(`${lines.join('\n')}\n`);
}

async function orphansOf({ orphans }: Store): Promise<readonly OrphanRun[]> {
  if (orphans === undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      '--orphans requires a store that knows which process works on a run: pass --store postgres://HOST/NAME',
    );
  const found: OrphanRun[] = [];
  let after: string | undefined;
  do {
    const { runs, next } = await orphans({ limit: page, ...(after !== undefined && { after }) });
    found.push(...runs);
    after = next;
  } while (after !== undefined);
  return found;
}
