import { resolve } from 'node:path';
import type { PreparedReview } from '../../cli-kit/inputs/review-settings.js';
import { digestOf } from '../../core/json.js';
import type { RunRequest } from '../../reports/run-request.js';

/** What a run is asked, as it is kept for the answer that another process gives. */
export function requestOf(
  runId: string,
  cwd: string,
  { settings, loaded, task, inputs, criteria: judges }: PreparedReview,
): RunRequest {
  const {
    paths,
    fix,
    write,
    iterations,
    criteria,
    types,
    exclude,
    maxFileSize,
    maxFiles,
    checkTimeoutMs,
    failOn,
    provider,
    trust,
    confirmWith,
  } = settings;
  return {
    schemaVersion: 1,
    runId,
    cwd,
    paths: [...paths],
    task: { source: task.source, text: task.request.context.task.description ?? '' },
    fix,
    write,
    ...(iterations !== undefined && { iterations }),
    config: loaded.file === undefined ? false : resolve(cwd, loaded.file),
    ...(criteria !== undefined && { criteria }),
    types: [...types],
    exclude: [...exclude],
    ...{ maxFileSize, maxFiles, checkTimeoutMs },
    ...(provider !== undefined && { provider }),
    ...(trust !== undefined && { trust }),
    ...(confirmWith !== undefined && { confirmWith: [...confirmWith] }),
    ...(failOn !== undefined && { failOn }),
    files: inputs.sources.map(({ path, artifact, absolute, digest, bom }) => ({
      path,
      type: artifact.type,
      digest: digestOf(artifact.content),
      absolute,
      onDisk: digest,
      bom,
    })),
    plan: inputs.output.result !== undefined || judges.chosen.includes('plan'),
  };
}
