import type { CheckResult, CriterionResult } from '../../core/criterion.js';

/** Returns the long form of any documented answer; the schema refuses all others afterwards. */
export function normalise(answer: CheckResult): CriterionResult {
  if (answer === true) return { passed: true, score: 1, details: '' };
  if (answer === false) return { passed: false, score: 0, details: '' };
  if (typeof answer === 'string' && answer.trim() !== '')
    return { passed: false, score: 0, details: answer };
  return answer as CriterionResult;
}
