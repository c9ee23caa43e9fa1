import type { Criterion } from './criterion.js';
import { judge } from './judge.js';
import { judgedCriterion } from './judged-criterion.js';
import { checkLlmCriterion, type LlmCriterionOptions } from './llm-criterion-options.js';

/**
 * Creates a criterion that a model judges by yes-or-no questions. The model quotes what it finds,
 * and quotes that do not occur are dropped. The verdict is computed from the answers. It is
 * `errored` if an answer is unusable or if the judge did not see the whole output.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const clear = llmCriterion({
 *   id: 'clear',
 *   question: 'Does the text explain every term that it uses?',
 *   severity: 'minor',
 * });
 * ```
 */
export function llmCriterion<Output = unknown, Task = unknown>(
  options: LlmCriterionOptions<Output>,
): Criterion<Output, Task> {
  checkLlmCriterion(options);
  return judgedCriterion<Output, Task>(options, judge);
}
