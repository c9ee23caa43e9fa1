import * as z from 'zod';
import { ReviewLoopError } from '../../../core/errors.js';
import { nodeErrors } from '../../../node/errors.js';
import { unreadableFile } from '../../../node/files.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { providerFlags } from '../../cli-kit/flags/common-flags.js';
import { flagSchema } from '../../cli-kit/flags/flag-schema.js';
import { runPath } from '../../reports/run-folder.js';
import { type StageSettings, stageRequestFlags } from './stage-flags.js';

const settings = flagSchema([...stageRequestFlags, ...providerFlags('')]);

const StageRequestSchema = z.strictObject({
  ...settings,
  kind: z.literal('stage'),
  schemaVersion: z.literal(2),
  runId: z.string(),
  command: z.string().optional(),
  process: z.strictObject({ pid: z.number(), place: z.string() }).optional(),
  sessionId: z.string(),
  at: z.string(),
  cwd: z.string(),
  task: z.strictObject({ source: z.string(), text: z.string() }),
  diff: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('range'), range: z.string() }),
    z.strictObject({ kind: z.literal('staged') }),
    z.strictObject({ kind: z.literal('working-tree'), base: z.string() }),
  ]),
  paths: z.array(z.string()),
  /** Files that the review itself uses. It does not review them. */
  own: z.array(z.string()),
  base: z.string(),
  /** The path of the configuration, or `false` without a configuration. */
  config: z.union([z.string(), z.literal(false)]),
});

/** The stored request of a review of a diff. From it, another process builds the same stage. */
export type StageRequest = z.infer<typeof StageRequestSchema>;

/** Returns only the settings that the request stores. */
export function stageSettingsIn(given: StageSettings) {
  return z.object(settings).parse(given);
}

/** Stores the request of a review of a diff before the review starts. */
export async function saveStageRequest(files: StoreFiles, request: StageRequest): Promise<void> {
  const text = `${JSON.stringify(request, null, 2)}\n`;
  await files.write(runPath(request.runId, 'request.json'), text);
}

/** Returns the request of a stored review of a diff, `undefined` for another kind of run. */
export async function readStageRequest(
  files: StoreFiles,
  runId: string,
): Promise<StageRequest | undefined> {
  const path = runPath(runId, 'request.json');
  const file = files.at(path);
  let given: unknown;
  try {
    given = JSON.parse(await files.read(path));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw unreadableFile(file, error);
  }
  if (typeof given !== 'object' || given === null || !('kind' in given)) return undefined;
  const parsed = StageRequestSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ReviewLoopError(
    nodeErrors.file_unreadable,
    `${file} was not written by this version: ${z.prettifyError(parsed.error)}`,
    { cause: parsed.error, value: file },
  );
}

/** Stores a summary beside its run, as JSON and as a Markdown page. */
export async function saveSummaryFiles(
  files: StoreFiles,
  runId: string,
  { json, page }: { readonly json: unknown; readonly page: string },
): Promise<void> {
  const text = `${JSON.stringify(json, null, 2)}\n`;
  await files.write(runPath(runId, 'summary.json'), text);
  await files.write(runPath(runId, 'summary.md'), page);
}

/** Reads the data of a stored summary. The caller checks the data. */
export async function readSummaryFile(files: StoreFiles, runId: string): Promise<unknown> {
  const path = runPath(runId, 'summary.json');
  try {
    return JSON.parse(await files.read(path));
  } catch (error) {
    throw unreadableFile(files.at(path), error);
  }
}
