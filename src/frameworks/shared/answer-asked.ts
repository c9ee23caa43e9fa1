import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { ReviewLoopError } from '../../core/errors.js';
import { HumanAnswerSchema, type HumanRequest } from '../../core/human.js';
import type { Outcome } from '../../core/outcome.js';
import type { RunOptions } from '../../engine/run-options.js';
import type { Pipeline } from '../../pipeline/pipeline-options.js';

/** The reply of a person to a question that went through another framework. */
export const ReplySchema = builtOnUse(() =>
  z.object({ id: z.string(), digest: z.string(), answer: HumanAnswerSchema }),
);
/** A run, and why the last reply did not count. */
export interface Replied<Output> {
  readonly outcome: Outcome<Output>;
  readonly refused?: string | undefined;
}

/**
 * Gives a reply to the first open question of a run. A reply to another question, or about another
 * version, does not count, and neither does one that the question does not allow: the run then still
 * waits.
 *
 * @param again - Continues the run, to see what it waits for now.
 */
export async function answerAsked<Task, Output>(
  pipeline: Pipeline<Task, Output>,
  request: HumanRequest,
  {
    reply,
    again,
    options,
  }: {
    readonly reply: unknown;
    readonly again: () => Promise<Outcome<Output>>;
    readonly options: RunOptions;
  },
): Promise<Replied<Output>> {
  const { data, error } = ReplySchema.safeParse(reply);
  if (data === undefined)
    return { outcome: await again(), refused: `the reply is invalid: ${z.prettifyError(error)}` };
  if (data.id !== request.id || data.digest !== request.digest)
    return { outcome: await again(), refused: 'the reply is about another question or version' };
  try {
    return { outcome: await pipeline.answer(request, data.answer, options) };
  } catch (error) {
    if (!(error instanceof ReviewLoopError) || !refusals.has(error.code)) throw error;
    return { outcome: await again(), refused: error.message };
  }
}

/** Codes of answers that do not count; the question stays open, or another one does. */
const refusals: ReadonlySet<string> = new Set([
  'request_unknown',
  'request_answered',
  'request_stale',
  'request_expired',
  'answer_not_allowed',
  'answer_invalid',
  'reason_required',
]);
