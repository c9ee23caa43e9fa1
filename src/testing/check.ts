import * as z from 'zod';
import { type CriterionResult, CriterionResultSchema } from '../core/criterion.js';
import { ReviewLoopError } from '../core/errors.js';
import { copyJson } from '../core/json.js';
import { agentRequest } from '../self-review/agent.js';
import type { SelfReviewContext } from '../self-review/review-criterion.js';
import { fakeContext } from './fake-context.js';

/** Anything with a check in it: what `criterion()` gives, and a criterion of seed 004. */
export interface Checked<Output, Task> {
  readonly id: string;
  /** The check itself. */
  readonly validate: (
    output: Output,
    task: Task,
    context: SelfReviewContext,
  ) => Promise<CriterionResult>;
  /** What the check reads, where that is not everything. */
  readonly scope?: unknown;
}

/** What {@link check} is given beside the output. */
export interface CheckOptions<Task> {
  /** @default a request without a description */
  readonly task?: Task | undefined;
  /** @default nothing produced or reviewed before */
  readonly context?: Partial<SelfReviewContext> | undefined;
}

/**
 * Runs one criterion as a pipeline would: over a frozen copy of what it reads, its answer checked.
 *
 * @throws ReviewLoopError `criterion_invalid`, `criterion_contradiction`, and whatever the criterion throws.
 * @example
 * ```ts
 * const result = await check(hasTitle, outputOf({ 'index.html': '<title>Tea</title>' }));
 * ```
 */
export async function check<Output, Task>(
  criterion: Checked<Output, Task>,
  output: Output,
  options: CheckOptions<Task> = {},
): Promise<CriterionResult> {
  const task = copyJson(options.task ?? (agentRequest('') as Task), { freeze: true });
  const view = viewOf(criterion, task, copyJson(output, { freeze: true }));
  const answer: unknown = await criterion.validate(view, task, fakeContext(options.context));
  const parsed = CriterionResultSchema.safeParse(answer);
  if (!parsed.success) {
    throw new ReviewLoopError(
      'criterion_invalid',
      `${criterion.id} gave a result that was refused: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, value: answer },
    );
  }
  if (parsed.data.passed && parsed.data.score === 0) {
    throw new ReviewLoopError(
      'criterion_contradiction',
      `${criterion.id} answered passed with a score of 0`,
      { value: answer },
    );
  }
  return parsed.data;
}

/** What the scope selects stands in the output's place. */
function viewOf<Output, Task>(
  criterion: Checked<Output, Task>,
  task: Task,
  output: Output,
): Output {
  if (typeof criterion.scope !== 'function') return output;
  const view: unknown = criterion.scope({ task, output });
  return copyJson(view, { freeze: true }) as Output;
}
