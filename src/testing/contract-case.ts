import { canonicalJson } from '../core/json.js';

/** One case of a port's contract. Throws a plain Error when the implementation breaks it; any test runner can run it. */
export interface ContractCase {
  readonly name: string;
  /** Rejects with what was expected and what was found instead. */
  readonly run: () => Promise<void>;
}

/** @throws Error with the message unless the condition holds. */
export function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** @throws Error unless both are the same JSON data. */
export function ensureEqual(actual: unknown, expected: unknown, what: string): void {
  const got = canonicalJson(actual);
  const wanted = canonicalJson(expected);
  ensure(got === wanted, `${what}: expected ${wanted}, got ${got}`);
}

/** What a function throws or rejects with. @throws Error when it does neither. */
export async function thrownBy(work: () => unknown, what: string): Promise<unknown> {
  let value: unknown;
  try {
    value = await work();
  } catch (error) {
    return error;
  }
  throw new Error(`${what}: expected a rejection, got ${canonicalJson(value)}`);
}
