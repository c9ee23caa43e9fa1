import type { Artifact } from '../../core/artifact.js';
import { type RunRecorder, recordRun } from '../../reports/run-recorder.js';
import { CompletedWorkSchema } from '../completed-work.js';
import type { ReviewerStage } from '../reviewer-stage.js';

/** Gathers what a report shows of a review of a diff: the changed files, and what each judge did. */
export function recordStage(stage: ReviewerStage): RunRecorder {
  return recordRun(stage, {
    reviewers: stage.dimensions.map(({ id, needsProvider }) => ({
      id,
      tier: needsProvider === true ? 'model' : 'code',
    })),
    filesOf: changedFiles,
  });
}

/** Returns the changed files; a file without text is shown by its diff. */
function changedFiles(output: unknown): Artifact[] {
  const { data } = CompletedWorkSchema.safeParse(output);
  return (data?.changedFiles ?? []).map(({ path, content, diff }) => {
    const text = content ?? diff;
    return { type: 'code', path, ...(text !== undefined && { content: text }) };
  });
}
