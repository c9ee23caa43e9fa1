import {
  type AskModelOptions,
  checkAskOptions,
  type ModelAnswer,
  type ReadModelOptions,
} from './ask-options.js';

/**
 * Asks a model for one value that matches a schema. Any other answer is an error: truncated,
 * refused, filtered, empty, endless, ambiguous, or of another shape. `value` of the error is the
 * raw answer. Nothing is guessed: no value is clamped, and half an answer is not read.
 *
 * @throws ReviewLoopError `answer_...`, `provider_...`, `schema_unsupported`, `invalid_options`,
 *   `budget_exceeded`
 * @example
 * ```ts
 * const { value } = await askModel({
 *   provider,
 *   prompt: 'Is the sky blue?',
 *   schema: z.object({ blue: z.boolean() }),
 * });
 * ```
 */
export function askModel<Data, Value>(
  options: ReadModelOptions<Data, Value>,
): Promise<ModelAnswer<Value>>;
export function askModel<Data>(options: AskModelOptions<Data>): Promise<ModelAnswer<Data>>;
export async function askModel<Data, Value>(
  options: AskModelOptions<Data> | ReadModelOptions<Data, Value>,
): Promise<ModelAnswer<Data | Value>> {
  checkAskOptions(options);
  const { askUntilUsable } = await asking();
  if ('read' in options && options.read !== undefined)
    return askUntilUsable(options, options.read, undefined);
  return askUntilUsable(options, (value) => ({ value }), undefined);
}

/** The caller counts the tokens of the question. */
export async function askCounted<Data, Value>(
  options: ReadModelOptions<Data, Value>,
  countPrompt: () => Promise<number>,
): Promise<ModelAnswer<Value>> {
  checkAskOptions(options);
  return (await asking()).askUntilUsable(options, options.read, countPrompt);
}

/** Loaded on first use: a pipeline whose reviewers are code asks no model. */
function asking(): Promise<typeof import('./ask-until-usable.js')> {
  return import('./ask-until-usable.js');
}
