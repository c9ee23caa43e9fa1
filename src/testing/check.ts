import * as z from 'zod';
import { reviewerErrors } from '../blocks/reviewers/errors.js';
import { type CriterionResult, CriterionResultSchema } from '../core/criterion.js';
import { ReviewLoopError } from '../core/errors.js';
import { copyJson } from '../core/json.js';
import { checkKeys } from '../core/options.js';
import { type AgentOutput, agentRequest } from '../products/self-review/agent.js';
import type { ReviewContext } from '../products/self-review/review-criterion.js';

/** An object with a check: the result of `criterion()`, or a criterion of an agent. */
export interface Checked<Output, Task> {
  readonly id: string;
  /** The check itself. */
  readonly validate: (
    output: Output,
    task: Task,
    context: ReviewContext,
  ) => Promise<CriterionResult>;
  /** Selects what the check reads. @default the whole output */
  readonly scope?: unknown;
}

/** Options of {@link check}. */
export interface CheckOptions<Task> {
  /** The task. @default a request without a description */
  readonly task?: Task | undefined;
  /** Members of the context. @default a context without earlier outputs and reviews */
  readonly context?: Partial<ReviewContext> | undefined;
}

/**
 * Runs one criterion as a pipeline does: on a frozen copy of its input, with a check of its result.
 *
 * @throws ReviewLoopError `criterion_invalid`, `criterion_contradiction`, and errors of the
 *   criterion
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
  checkKeys('check', options, ['task', 'context']);
  const task = copyJson(options.task ?? (agentRequest('') as Task), { freeze: true });
  const view = viewOf(criterion, task, copyJson(output, { freeze: true }));
  const answer: unknown = await criterion.validate(view, task, fakeContext(options.context));
  const parsed = CriterionResultSchema.safeParse(answer);
  if (!parsed.success) {
    throw new ReviewLoopError(
      reviewerErrors.criterion_invalid,
      `${criterion.id} returned an invalid result: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, value: answer },
    );
  }
  if (parsed.data.passed && parsed.data.score === 0) {
    throw new ReviewLoopError(
      'criterion_contradiction',
      `${criterion.id} returned passed with a score of 0`,
      { value: answer },
    );
  }
  return parsed.data;
}

function viewOf<Output, Task>(
  criterion: Checked<Output, Task>,
  task: Task,
  output: Output,
): Output {
  if (typeof criterion.scope !== 'function') return output;
  const view: unknown = criterion.scope({ task, output });
  return copyJson(view, { freeze: true }) as Output;
}

/**
 * Creates the context of a criterion, without earlier outputs and reviews.
 *
 * @param overrides - Members that replace the defaults.
 * @example
 * ```ts
 * await hasTitle.validate(output, task, fakeContext({ acceptanceCriteria: ['has a title'] }));
 * ```
 */
export function fakeContext(overrides: Partial<ReviewContext> = {}): ReviewContext {
  return { previous: [], previousOutputs: [], previousReviews: [], ...overrides };
}

const types: Readonly<Record<string, string>> = {
  html: 'mockup',
  htm: 'mockup',
  css: 'stylesheet',
  md: 'document',
};

/**
 * Returns an output with files. The type follows the extension: `html` is a mockup, `css` a
 * stylesheet, `md` a document, all others are code.
 *
 * @example
 * ```ts
 * outputOf({ 'login.html': '<form></form>', 'login.css': 'form {}' });
 * ```
 */
export function outputOf(files: Readonly<Record<string, string>>): AgentOutput {
  return {
    artifacts: Object.entries(files).map(([path, content]) => ({
      type: typeOf(path),
      path,
      content,
    })),
  };
}

function typeOf(path: string): string {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return (Object.hasOwn(types, extension) ? types[extension] : undefined) ?? 'code';
}
