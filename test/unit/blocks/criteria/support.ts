import type { ArtifactCriterion } from '@/blocks/criteria/artifact-criterion.js';
import type { Artifacts } from '@/core/artifact.js';
import type { CriterionResult, Finding } from '@/core/criterion.js';
import type { Gap } from '@/core/gap.js';
import type { AgentOutput } from '@/products/self-review/agent.js';

/** What a criterion is told beside the output: nothing. */
export const context = { previous: [], previousOutputs: [], previousReviews: [] };

/** An output of files of one type. */
export const outputOf = (type: string, files: Readonly<Record<string, string>>): AgentOutput => ({
  artifacts: Object.entries(files).map(([path, content]) => ({ type, path, content })),
});

/** What the criterion with this id says of an output. */
export async function judgedBy(
  criteria: readonly ArtifactCriterion[],
  id: string,
  [output, task]: readonly [output: Artifacts, task?: unknown],
): Promise<CriterionResult> {
  const found = criteria.find((criterion) => criterion.id === id);
  if (found === undefined) throw new Error(id);
  return found.validate(output, task, context);
}

/** A gap at the place of a finding, for a criterion to repair. */
export const gapAt = ({
  file = '',
  line,
  evidence,
}: Pick<Finding, 'file' | 'line' | 'evidence'>): Gap => ({
  ...{ id: 'g', severity: 'major', category: 'quality', description: '', suggestedFix: '' },
  ...{ estimatedEffort: 'small', autoFixable: true, location: { file, line }, evidence },
});

/** What a repair is told of its run. */
export const repair = <Task = undefined>(task?: Task) => ({
  task: task as Task,
  signal: new AbortController().signal,
});
