import { fromScorer, type Scorer } from '@/adapters/scorers/from-scorer.js';
import type { FromScorerOptions } from '@/adapters/scorers/scorer-options.js';
import type { Assessment } from '@/core/assessment.js';
import { definePipeline, type PipelineOptions, type Reviewer } from '@/index.js';

/** Options of a scorer that every test may use. */
export const about = { id: 'tone', threshold: 0.6, version: 'model-1/prompt-1' } as const;

/** Returns what a pipeline without retries says about `# Tea` by a reviewer. */
export async function assessmentsBy(
  reviewer: Reviewer<string, string>,
  options: Partial<PipelineOptions<string, string>> = {},
): Promise<readonly Assessment[]> {
  const pipeline = definePipeline({ reviewers: [reviewer], retries: 0, ...options });
  return (await pipeline.review('tea', '# Tea')).assessments;
}

export function answering(
  answer: unknown,
  options: Partial<FromScorerOptions> = {},
): ReturnType<typeof fromScorer<string, string>> {
  const scorer: Scorer<unknown> = async () => answer as null;
  return fromScorer(scorer, { ...about, ...options });
}
