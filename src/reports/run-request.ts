import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { GapSeveritySchema } from '../core/severity.js';
import { makeFolder, writeFileAtomic } from '../node/files.js';
import { insideFolder } from '../node/safe-path.js';
import { trustNames } from '../pipeline/trust-names.js';

const RunRequestSchema = z.strictObject({
  schemaVersion: z.literal(1),
  runId: z.string(),
  /** The folder that paths are meant from. */
  cwd: z.string(),
  paths: z.array(z.string()),
  task: z.strictObject({ source: z.string(), text: z.string() }),
  fix: z.boolean(),
  /** Whether the best version is written back. */
  write: z.boolean(),
  iterations: z.int().min(1).optional(),
  /** The path of the configuration; `false` when there was none. */
  config: z.union([z.string(), z.literal(false)]),
  /** The value of --criteria. */
  criteria: z.string().optional(),
  types: z.array(z.string()),
  exclude: z.array(z.string()),
  maxFileSize: z.number(),
  maxFiles: z.number(),
  checkTimeoutMs: z.number().positive(),
  /** The model that was asked, without any key. */
  provider: z
    .strictObject({
      name: z.string(),
      model: z.string().optional(),
      baseUrl: z.string().optional(),
    })
    .optional(),
  trust: z.enum(trustNames).optional(),
  /** The names of the confirming models. */
  confirmWith: z.array(z.string()).optional(),
  failOn: GapSeveritySchema.optional(),
  /** What was read, with the digest of each text and of the bytes on the disk; `absolute` is empty for the standard input. */
  files: z.array(
    z.strictObject({
      path: z.string(),
      type: z.string(),
      digest: z.string(),
      absolute: z.string(),
      onDisk: z.string(),
      bom: z.boolean(),
    }),
  ),
  /** Whether one of the files is a plan. */
  plan: z.boolean(),
});

/** What a kept run was asked, so that the same pipeline can be built again. */
export type RunRequest = z.infer<typeof RunRequestSchema>;

/**
 * Keeps what a run is asked, before it starts.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function saveRequest(store: string, request: RunRequest): Promise<void> {
  const place = insideFolder(join(store, 'runs'), request.runId);
  await makeFolder(place);
  await writeFileAtomic(join(place, 'request.json'), `${JSON.stringify(request, null, 2)}\n`);
}

/**
 * What a kept run was asked.
 *
 * @throws ReviewLoopError `file_unreadable`
 */
export async function readRequest(store: string, runId: string): Promise<RunRequest> {
  const file = join(insideFolder(join(store, 'runs'), runId), 'request.json');
  const refused = (why: string, cause: unknown): ReviewLoopError =>
    new ReviewLoopError('file_unreadable', `what run ${runId} was asked cannot be read: ${why}`, {
      cause,
      value: file,
    });
  let given: unknown;
  try {
    given = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw refused(messageOf(error), error);
  }
  const parsed = RunRequestSchema.safeParse(given);
  if (!parsed.success) throw refused(z.prettifyError(parsed.error), parsed.error);
  if (parsed.data.runId !== runId)
    throw refused(`it belongs to run ${parsed.data.runId}`, undefined);
  return parsed.data;
}
