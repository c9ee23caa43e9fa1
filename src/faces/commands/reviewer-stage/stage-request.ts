import * as z from 'zod';
import type { StoreFiles } from '../../../node/store-file.js';
import { providerFlags } from '../../cli-kit/flags/common-flags.js';
import { flagSchema } from '../../cli-kit/flags/flag-schema.js';
import { checkedJson, readJson, runPath, writeJson } from '../../reports/run-folder.js';
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

/** From it, another process builds the same stage. */
export type StageRequest = z.infer<typeof StageRequestSchema>;

export function stageSettingsIn(given: StageSettings) {
  return z.object(settings).parse(given);
}

/** Must come before the review starts. */
export function saveStageRequest(files: StoreFiles, request: StageRequest): Promise<void> {
  return writeJson(files, runPath(request.runId, 'request.json'), request);
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
