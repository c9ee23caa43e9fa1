import * as z from 'zod';
import type { StoreFiles } from '../../../node/store-file.js';
import { providerFlags } from '../../cli-kit/flags/common-flags.js';
import { flagSchema } from '../../cli-kit/flags/flag-schema.js';
import { checkedJson, readJson, requestShape, runPath } from '../../reports/run-folder.js';
import { type StageSettings, stageRequestFlags } from './stage-flags.js';

const settings = flagSchema([...stageRequestFlags, ...providerFlags('')]);

const StageRequestSchema = z.strictObject({
  ...settings,
  ...requestShape,
  kind: z.literal('stage'),
  sessionId: z.string(),
  at: z.string(),
  diff: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('range'), range: z.string() }),
    z.strictObject({ kind: z.literal('staged') }),
    z.strictObject({ kind: z.literal('working-tree'), base: z.string() }),
  ]),
  /** Files that the review itself uses. It does not review them. */
  own: z.array(z.string()),
  base: z.string(),
});

/** From it, another process builds the same stage. */
export type StageRequest = z.infer<typeof StageRequestSchema>;

export function stageSettingsIn(given: StageSettings) {
  return z.object(settings).parse(given);
}

/** `undefined` for another kind of run. */
export async function readStageRequest(
  files: StoreFiles,
  runId: string,
): Promise<StageRequest | undefined> {
  const path = runPath(runId, 'request.json');
  const given = await readJson(files, path);
  return typeof given === 'object' && given !== null && 'kind' in given
    ? checkedJson(StageRequestSchema, given, files.at(path))
    : undefined;
}
