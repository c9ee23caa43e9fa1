import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { makeFolder, writeFileAtomic } from '../../node/files.js';
import { insideFolder } from '../../node/safe-path.js';

const StageRequestSchema = z.strictObject({
  kind: z.literal('stage'),
  schemaVersion: z.literal(1),
  runId: z.string(),
  sessionId: z.string(),
  at: z.string(),
  /** The folder that paths are meant from. */
  cwd: z.string(),
  task: z.strictObject({ source: z.string(), text: z.string() }),
  diff: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('range'), range: z.string() }),
    z.strictObject({ kind: z.literal('staged') }),
    z.strictObject({ kind: z.literal('working-tree'), base: z.string() }),
  ]),
  paths: z.array(z.string()),
  /** Files of the review itself, which are not reviewed. */
  own: z.array(z.string()),
  /** The commit that the changes were against when the review began. */
  base: z.string(),
  /** The path of the configuration; `false` when there was none. */
  config: z.union([z.string(), z.literal(false)]),
  provider: z
    .strictObject({
      name: z.string(),
      model: z.string().optional(),
      baseUrl: z.string().optional(),
    })
    .optional(),
  humanReview: z.enum(['auto', 'prompt', 'require']).optional(),
  verify: z.array(z.string()),
  allowTruncated: z.array(z.string()),
  /** Whether earlier verdicts are left aside. */
  again: z.boolean(),
});

/** What a kept review of a diff was asked, so that the same stage can be built again. */
export type StageRequest = z.infer<typeof StageRequestSchema>;

/**
 * Keeps what a review of a diff is asked, before it starts.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function saveStageRequest(store: string, request: StageRequest): Promise<void> {
  const place = insideFolder(join(store, 'runs'), request.runId);
  await makeFolder(place);
  await writeFileAtomic(join(place, 'request.json'), `${JSON.stringify(request, null, 2)}\n`);
}

/**
 * What a kept review of a diff was asked; `undefined` for a run of another kind.
 *
 * @throws ReviewLoopError `file_unreadable`
 */
export async function readStageRequest(folder: string): Promise<StageRequest | undefined> {
  const file = join(folder, 'request.json');
  let given: unknown;
  try {
    given = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `${file} cannot be read: ${messageOf(error)}`,
      {
        cause: error,
        value: file,
      },
    );
  }
  if (typeof given !== 'object' || given === null || !('kind' in given)) return undefined;
  const parsed = StageRequestSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ReviewLoopError(
    nodeErrors.file_unreadable,
    `${file} is nothing that this version has written: ${z.prettifyError(parsed.error)}`,
    { cause: parsed.error, value: file },
  );
}
