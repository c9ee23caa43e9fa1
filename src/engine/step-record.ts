import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { hashText } from '../core/hash.js';
import { copyJson, digestJson } from '../core/json.js';
import type { JournalRecord } from '../ports/store.js';
import type { Run } from './run.js';
import type { StepResult } from './step-result.js';

/** Which step, done on which input. */
export interface StepKey {
  readonly name: string;
  /** The digest of the input. */
  readonly input: string;
}

/** Returns the digest of a step's input, its idempotency key and the number of this attempt. */
export function stepIdentity(
  run: Run,
  name: string,
  value: unknown,
): { readonly input: string; readonly key: string; readonly attempt: number } {
  const input = digestJson(copyJson(value, { freeze: false }));
  const key = hashText(`${run.id}\u0000${name}\u0000${input}`);
  return { input, key, attempt: (run.journal?.attempts(name) ?? 0) + 1 };
}

/** The recorded result of a step; `undefined` where there is none, or one that no longer fits its schema. */
export function replayStep<Value>(
  run: Run,
  { name, input }: StepKey,
  schema: z.ZodType<Value>,
): StepResult<Value> | undefined {
  const record = run.journal?.step(name, input);
  if (record === undefined) return undefined;
  const parsed = z.safeParse(schema, record.value);
  if (parsed.success)
    return { value: parsed.data, usage: record.usage, workspace: record.workspace };
  run.ports.logger.warn(
    { run: run.id, step: name },
    'a recorded value no longer fits its schema; the step is done again',
  );
  return undefined;
}

/**
 * Records a success; answers at once where the store does.
 *
 * @throws ReviewLoopError `not_json`, `journal_write_failed`
 */
export function recordStep(
  run: Run,
  { name, input }: StepKey,
  { value, usage, workspace }: StepResult<unknown>,
): Promise<void> | void {
  if (run.journal === undefined) return;
  const kept = copyJson(value ?? null, { freeze: false });
  if (run.neverReplays) return;
  const at = run.ports.clock.now();
  const record: JournalRecord =
    usage === undefined
      ? { type: 'step', name, input, value: kept, at }
      : { type: 'step', name, input, value: kept, usage, at };
  return run.journal.append(workspace === undefined ? record : { ...record, workspace });
}

/** Records an attempt that failed; it is tried again on resume. */
export async function recordFailure(
  run: Run,
  { name, input }: StepKey,
  error: unknown,
): Promise<void> {
  const code = error instanceof ReviewLoopError ? error.code : 'error';
  if (run.ended !== undefined) return;
  try {
    await run.journal?.append({
      type: 'attempt',
      name,
      input,
      code,
      message: messageOf(error).slice(0, 2000),
      at: run.ports.clock.now(),
    });
  } catch {
    // The run has already been ended by its journal; the first error is the one to tell.
  }
}

/**
 * The value of a step as its schema gives it.
 *
 * @throws ReviewLoopError `step_invalid`
 */
export function parseStep<Value>(name: string, schema: z.ZodType<Value>, value: Value): Value {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw new ReviewLoopError(
    'step_invalid',
    `the value of ${name} was refused: ${z.prettifyError(parsed.error)}`,
    { cause: parsed.error, value, retryable: true },
  );
}

/** The names that one scope has given to its calls. */
export class StepNames {
  readonly #scope: string;
  /** Most scopes make one call. */
  #first: string | undefined;
  #more: Set<string> | undefined;

  constructor(scope: string) {
    this.#scope = scope;
  }

  /**
   * The full name of a call.
   *
   * @throws ReviewLoopError `step_reused`
   */
  claim(name: string): string {
    const fullName = `${this.#scope}/${name}`;
    if (fullName === this.#first || this.#more?.has(fullName))
      throw new ReviewLoopError('step_reused', `${this.#scope} used the name \`${name}\` twice`);
    if (this.#first === undefined) this.#first = fullName;
    else {
      this.#more ??= new Set();
      this.#more.add(fullName);
    }
    return fullName;
  }
}
