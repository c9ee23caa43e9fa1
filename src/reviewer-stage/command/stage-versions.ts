import type { RunVersions } from '../../reports/run-versions.js';
import type { StageResult } from '../stage-result.js';

/**
 * Returns the content of the reviewed files, for reports that count columns. Files with a removed
 * secret are left out: their columns have moved.
 */
export function stageVersions({ run }: StageResult): RunVersions {
  if (run.version === undefined) return {};
  const files = run.output?.changedFiles ?? [];
  return {
    [run.version]: files.flatMap(({ path, content }) =>
      content === undefined || content.includes('[REDACTED:')
        ? []
        : [{ path, type: 'code', content }],
    ),
  };
}
