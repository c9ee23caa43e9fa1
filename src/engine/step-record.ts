import * as z from 'zod';
import { ReviewLoopError } from '../core/errors.js';
import { hashText } from '../core/hash.js';
import { copyJson, digestOf } from '../core/json.js';
import { checkSchema } from '../core/options.js';
import type { JournalRecord } from '../ports/store.js';
import type { Run } from './run.js';
import type { StepResult } from './workspace-snapshots.js';

export interface StepKey {
  readonly name: string;
  /** The digest of the input. */
  readonly input: string;
}

export function stepIdentity(
  run: Run,
  name: string,
  value: unknown,
): { readonly input: string; readonly key: string; readonly attempt: number } {
  const input = digestOf(value);
  const key = hashText(`${run.id}\u0000${name}\u0000${input}`);
  return { input, key, attempt: (run.journal?.attempts(name) ?? 0) + 1 };
}

/** `undefined` where there is none, or one that no longer fits its schema. */
export function replayStep<Value>(
  run: Run,
  { name, input }: StepKey,
  schema: z.ZodType<Value>,
): StepResult<Value> | undefined {
  const record = run.journal?.step(name, input);
  if (record === undefined) return undefined;
  const parsed = z.safeParse(schema, copyJson(record.value, { freeze: false }));
  if (parsed.success)
    return { value: parsed.data, usage: record.usage, workspace: record.workspace };
  run.ports.logger.warn(
    { run: run.id, step: name },
    'a recorded value no longer fits its schema; the step runs again',
  );
  return undefined;
}

/** Synchronous if the store is. */
export function recordStep(
  run: Run,
  { name, input }: StepKey,
  { value, usage, workspace }: StepResult<unknown>,
): Promise<void> | void {
  if (run.journal === undefined) return;
  const kept = copyJson(value ?? null, { freeze: true });
  if (run.neverReplays) return;
  const at = run.ports.clock.now();
  const record: JournalRecord =
    usage === undefined
      ? { type: 'step', name, input, value: kept, at }
      : { type: 'step', name, input, value: kept, usage, at };
  return run.journal.append(workspace === undefined ? record : { ...record, workspace });
}

export function checkStep(name: string, options: unknown): void {
  checkSchema(`${name}.schema`, Object(options).schema);
}

export function parseStep<Value>(name: string, schema: z.ZodType<Value>, value: Value): Value {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw new ReviewLoopError(
    'step_invalid',
    `the value of ${name} was refused: ${z.prettifyError(parsed.error)}`,
    { cause: parsed.error, value, retryable: true },
  );
}

export function nestedStep(name: string, owner: string): ReviewLoopError {
  return new ReviewLoopError(
    'step_nested',
    `\`${name}\` was called from inside another step of ${owner}`,
  );
}

export class StepNames {
  readonly #scope: string;
  readonly #names = new Set<string>();

  constructor(scope: string) {
    this.#scope = scope;
  }

  claim(name: string): string {
    const fullName = `${this.#scope}/${name}`;
    if (this.#names.has(fullName))
      throw new ReviewLoopError('step_reused', `${this.#scope} used the name \`${name}\` twice`);
    this.#names.add(fullName);
    return fullName;
  }
}
