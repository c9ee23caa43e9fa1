import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import { isThere } from '../../node/files.js';
import type { StoreFiles } from '../../node/store-file.js';
import type { TaskFile } from '../../reports/formats/findings-of.js';
import type { RunReport } from '../../reports/run-report.js';
import { runPath } from '../../reports/run-versions.js';

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
  { files, from }: { readonly files: StoreFiles; readonly from: string },
): Promise<RunPaths> {
  const request = await readRequest(files, runId);
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

async function readRequest(
  files: StoreFiles,
  runId: string,
): Promise<z.infer<typeof RequestSchema> | undefined> {
  try {
    return RequestSchema.parse(JSON.parse(await files.read(runPath(runId, 'request.json'))));
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
