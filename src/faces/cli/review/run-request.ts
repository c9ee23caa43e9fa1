import { resolve } from 'node:path';
import * as z from 'zod';
import { RequirementSchema } from '../../../blocks/requirements/requirement.js';
import { judgedRequirements } from '../../../blocks/requirements/requirement-list.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { digestOf } from '../../../core/json.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import { unreadableFile } from '../../../node/files.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { cliErrors } from '../../cli-kit/errors.js';
import { argvOf } from '../../cli-kit/flags/flag.js';
import { flagSchema } from '../../cli-kit/flags/flag-schema.js';
import { type MoreArguments, reviewLine } from '../../cli-kit/show/next-command.js';
import {
  checkedJson,
  readJson,
  requestShape,
  runPath,
  startedHere,
} from '../../reports/run-folder.js';
import { requestFlags, reviewFlags } from './review-flags.js';
import { type PreparedReview, type ReviewRun, SinceSchema } from './review-settings.js';

/**
 * A file that was read, with the digests of its text and of its bytes on the disk. `absolute` is
 * empty for the standard input.
 */
const FileSchema = z.strictObject({
  path: z.string(),
  type: z.string(),
  digest: z.string(),
  absolute: z.string(),
  onDisk: z.string(),
  bom: z.boolean(),
});

const RunRequestSchema = z.strictObject({
  ...flagSchema(requestFlags),
  ...requestShape,
  /**
   * The requirements that a file listed; `false` leaves all of them out. Without them, they are read
   * from the task.
   */
  requirements: z.union([z.literal(false), z.array(RequirementSchema)]).optional(),
  files: z.array(FileSchema),
  /** Whether at least one of the files is a plan. */
  plan: z.boolean(),
  since: SinceSchema.optional(),
});

/** From it, another process builds the same pipeline. */
export type RunRequest = z.infer<typeof RunRequestSchema>;

export function requestOf(runId: string, cwd: string, prepared: PreparedReview): RunRequest {
  const { settings, loaded, task, requirements, inputs, criteria } = prepared;
  const again = againArguments(prepared);
  return {
    ...z.object(flagSchema(requestFlags)).parse(settings),
    schemaVersion: 2,
    runId,
    process: startedHere(),
    ...(again && { command: redactSecrets(reviewLine(again(settings))) }),
    cwd,
    paths: [...settings.paths],
    task: { source: task.source, text: task.request.context.task.description ?? '' },
    ...(settings.requirements === false && { requirements: false as const }),
    ...(requirements && { requirements: judgedRequirements(requirements.list) }),
    config: loaded.file === undefined ? false : resolve(cwd, loaded.file),
    files: inputs.sources.map(({ path, artifact, absolute, digest, bom }) => ({
      path,
      type: artifact.type,
      digest: digestOf(artifact.content),
      absolute,
      onDisk: digest,
      bom,
    })),
    plan: inputs.output.result !== undefined || criteria.chosen.includes('plan'),
    ...(prepared.session && { since: prepared.session.since }),
  };
}

export async function readRequest(files: StoreFiles, runId: string): Promise<RunRequest> {
  const path = runPath(runId, 'request.json');
  const file = files.at(path);
  const stored = await readJson(files, path);
  if (stored === undefined)
    throw new ReviewLoopError(
      cliErrors.run_elsewhere,
      `run ${runId} has no request that a command could continue: it is of a gate or a checklist, or ${file} was removed`,
      { value: runId },
    );
  const request = checkedJson(RunRequestSchema, stored, file);
  if (request.runId === runId) return request;
  throw unreadableFile(file, new Error(`it belongs to run ${request.runId}`));
}

/**
 * They have every option but `--again`: judges that answered are not asked once more. `undefined`
 * for the example, for a session of an agent, and if the standard input was read.
 */
export function againArguments({
  settings,
  example,
  session,
}: Pick<ReviewRun, 'settings' | 'example' | 'session'>):
  | ((more: MoreArguments) => string[])
  | undefined {
  if (example || session !== undefined || settings.paths.includes('-') || settings.task === '-')
    return undefined;
  return ({ provider = settings.provider, session: of = settings.session, ...more }) =>
    argvOf(reviewFlags, {
      ...settings,
      ...more,
      provider,
      session: of,
      allowTruncated: [...settings.allowTruncated, ...(more.allowTruncated ?? [])],
      again: false,
      watch: false,
    });
}
