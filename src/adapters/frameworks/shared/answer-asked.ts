import * as z from 'zod';
import type { Pipeline } from '../../../blocks/pipeline/pipeline-options.js';
import { builtOnUse } from '../../../core/built-on-use.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { type HumanAnswer, HumanAnswerSchema } from '../../../core/human.js';
import { digestJson } from '../../../core/json.js';
import type { Outcome } from '../../../core/outcome.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { engineErrors } from '../../../engine/errors.js';
import type { RunOptions } from '../../../engine/run-options.js';

/** It answers a question that went through another framework. */
export const ReplySchema = builtOnUse(() =>
  z.object({ id: z.string(), digest: z.string(), answer: HumanAnswerSchema }),
);
/** `refused` says why the last reply did not count. */
export interface Replied<Output> {
  readonly outcome: Outcome<Output>;
  readonly refused?: string | undefined;
}

/**
 * The caller learns that a reply does not count: by `refused` while the run still waits, else by an
 * error. A reply that counted before, which a framework gives again, changes nothing.
 *
 * @param again - Continues the run, to see what it waits for now.
 */
export async function answerAsked<Task, Output>(
  pipeline: Pipeline<Task, Output>,
  outcome: Outcome<Output>,
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
  if (data === undefined) {
    const refused = `the reply is invalid: ${z.prettifyError(error)}`;
    if (outcome.status === 'suspended') return { outcome, refused };
    throw new ReviewLoopError(engineErrors.answer_invalid, refused, { value: reply });
  }
  const { answer, ...question } = data;
  try {
    const asked = { runId: outcome.runId, ...question };
    return { outcome: await pipeline.answer(asked, answer, options) };
  } catch (error) {
    if (!(error instanceof ReviewLoopError) || !refusals.has(error.code)) throw error;
    if (error.code === 'request_answered' && isEqual(error.value, answer)) return { outcome };
    const now = await again();
    if (now.status === 'suspended') return { outcome: now, refused: error.message };
    throw error;
  }
}

function isEqual(recorded: unknown, answer: HumanAnswer): boolean {
  return digestJson(recorded) === digestJson(redactJson(answer));
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
