import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import { isThere } from '../../node/files.js';
import { insideFolder } from '../../node/safe-path.js';
import { readStoreFile } from '../../node/store-file.js';
import type { TaskFile } from '../../reports/formats/findings-of.js';
import type { RunReport } from '../../reports/run-report.js';

/** Where the paths of a run stand in their repository. */
export interface RunPaths {
  /** The folder that they are relative to, as seen from the root of the repository. */
  readonly folder: string;
  readonly task?: TaskFile | undefined;
}

const RequestSchema = z.object({
  kind: z.string().optional(),
  cwd: z.string(),
  task: z.object({ source: z.string(), text: z.string() }),
});

/**
 * Returns where the paths of a stored run stand in their repository.
 *
 * @param from - The folder that they are relative to, if nothing is stored about it.
 */
export async function runPaths(
  { runId }: RunReport,
  { store, from }: { readonly store: string; readonly from: string },
): Promise<RunPaths> {
  const request = await readRequest(join(insideFolder(join(store, 'runs'), runId), 'request.json'));
  if (request === undefined) return { folder: folderInRepository(from) };
  const { cwd, kind, task } = request;
  const file = resolve(cwd, task.source);
  const root = rootAbove(cwd);
  return {
    // a diff names its files from the root
    folder: kind === 'stage' ? '' : folderInRepository(cwd),
    ...((await isThere(file)) && {
      task: { file: slashed(relative(root, file)), text: task.text },
    }),
  };
}

async function readRequest(file: string): Promise<z.infer<typeof RequestSchema> | undefined> {
  try {
    return RequestSchema.parse(JSON.parse(await readStoreFile(file)));
  } catch {
    // runs of tasks, gates and checklists store none
    return undefined;
  }
}

function folderInRepository(folder: string): string {
  return slashed(relative(rootAbove(folder), folder));
}

/** Returns the root of the repository that contains a folder; the folder itself outside of one. */
function rootAbove(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
