import * as z from 'zod';
import { ReviewLoopError } from '../../core/errors.js';
import { modelErrors } from '../errors.js';
import type { AnswerReading } from './ask-options.js';

/** How many problems an error shows. */
const mostProblems = 5;

/**
 * Reads the answers to one question: first the schema, then the caller's function. Each answer is
 * read once.
 */
export class AnswerReader<Data, Value> {
  readonly #schema: z.ZodType<Data>;
  readonly #read: (data: Data) => AnswerReading<Value>;
  #last: { readonly raw: string; readonly value: Value } | undefined;

  constructor(schema: z.ZodType<Data>, read: (data: Data) => AnswerReading<Value>) {
    this.#schema = schema;
    this.#read = read;
  }

  /**
   * Returns the value of an answer.
   *
   * @throws ReviewLoopError `answer_mismatch`, and errors of the caller's function
   */
  async read(given: unknown, raw: string): Promise<Value> {
    const parsed = await z.safeParseAsync(this.#schema, given);
    if (!parsed.success)
      throw mismatch(`does not match the schema: ${problemsOf(parsed.error)}`, raw, parsed.error);
    const reading = this.#read(parsed.data);
    if ('problem' in reading) throw mismatch(`was refused: ${reading.problem}`, raw);
    this.#last = { raw, value: reading.value };
    return reading.value;
  }

  /** Returns the value of a recorded attempt. An attempt of an earlier process is read again. */
  async valueOf(recorded: unknown, raw: string): Promise<Value> {
    return this.#last?.raw === raw ? this.#last.value : this.read(recorded, raw);
  }
}

/** Returns the problems of an answer, each with the path of its member. */
function problemsOf({ issues }: z.ZodError): string {
  const shown = issues
    .slice(0, mostProblems)
    .map(({ path, message }) => (path.length === 0 ? message : `${pathOf(path)}: ${message}`));
  const rest = issues.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) =>
      typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`,
    )
    .join('');
}

function mismatch(why: string, raw: string, cause?: unknown): ReviewLoopError {
  return new ReviewLoopError(modelErrors.answer_mismatch, `the answer ${why}`, {
    ...(cause === undefined ? {} : { cause }),
    value: raw,
    retryable: true,
  });
}
