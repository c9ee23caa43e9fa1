import { canonicalJson } from '../core/json.js';

/** One case of a contract, for any test runner. */
export interface ContractCase {
  readonly name: string;
  /** Rejects with a plain Error if the implementation breaks the contract. */
  readonly run: () => Promise<void>;
}

/**
 * Checks a condition.
 *
 * @throws Error with the message if the condition is false
 */
export function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/**
 * Checks that two values are equal JSON data.
 *
 * @throws Error with both values if they differ
 */
export function ensureEqual(actual: unknown, expected: unknown, what: string): void {
  const got = canonicalJson(actual);
  const wanted = canonicalJson(expected);
  ensure(got === wanted, `${what}: expected ${wanted}, got ${got}`);
}

/** Returns the error that a function throws or rejects with. @throws Error if it succeeds */
export async function thrownBy(work: () => unknown, what: string): Promise<unknown> {
  let value: unknown;
  try {
    value = await work();
  } catch (error) {
    return error;
  }
  throw new Error(`${what}: expected a rejection, got ${canonicalJson(value)}`);
}
