import * as z from 'zod';
import type { Pipeline } from '../../../blocks/pipeline/pipeline-options.js';
import { checkKeys } from '../../../core/options.js';
import type { RunListeners } from '../../../engine/events.js';
import { type ReviewSummary, reviewParts, reviewSummary } from '../shared/review-parts.js';

export interface ReviewToolOptions<Task> {
  /** The task that texts are reviewed against. */
  readonly task: Task;
  /** What the model reads about the tool. @default that it reviews a text */
  readonly description?: string | undefined;
}

/** A tool of the AI SDK that reviews a text. */
export interface ReviewTool {
  readonly description: string;
  readonly inputSchema: z.ZodType<{ output: string }>;
  /** Reviews a text. */
  readonly execute: (
    input: { readonly output: string },
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<ReviewSummary>;
}

/**
 * Returns a tool with which an agent of the AI SDK has its draft reviewed. It only advises: the agent
 * may end with another text. What must be approved belongs into a pipeline round the agent.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function reviewTool<Task>(
  pipeline: Pipeline<Task, string>,
  options: ReviewToolOptions<Task>,
): ReviewTool {
  checkKeys('reviewTool', options, ['task', 'description']);
  const { task, description = 'Reviews a text. Returns whether it is approved, and its gaps.' } =
    options;
  return {
    description,
    inputSchema: z.object({ output: z.string().describe('the whole text') }),
    execute: async ({ output }, { abortSignal } = {}) =>
      reviewSummary(
        await pipeline.review(
          task,
          output,
          abortSignal === undefined ? {} : { signal: abortSignal },
        ),
      ),
  };
}

export interface UIStreamWriter {
  write(part: never): void;
}

/**
 * Returns listeners that write what a review finds into a stream of UI messages, for the option `on`
 * of `run` and `answer`:
 *
 * - `data-review`: `iteration`, `approved`, `reason`, `scores`, one part for each review
 * - `data-gaps`: `iteration` and `gaps`, one part that each review replaces
 * - `data-request`: the question to a person, with `id` and `digest` for the answer
 * - `data-outcome`: `status`, `code` and `reason` of the run
 *
 * Events of replayed work are left out.
 *
 * @example
 * ```ts
 * createUIMessageStream({
 *   execute: async ({ writer }) => {
 *     await article.run(topic, { runId, on: reviewUIStream(writer) });
 *   },
 * });
 * ```
 */
export function reviewUIStream(writer: UIStreamWriter): RunListeners {
  // the types of a message are the user's, so the writer takes no type of ours
  return reviewParts((part) => writer.write(part as never));
}
