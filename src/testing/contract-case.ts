import { canonicalJson } from '../core/json.js';

/** One case of a port's contract, for any test runner. It throws a plain Error if the implementation breaks the contract. */
export interface ContractCase {
  readonly name: string;
  /** Rejects with the expected and the actual value. */
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

/** Returns what a function throws or rejects with. @throws Error if it does neither */
export async function thrownBy(work: () => unknown, what: string): Promise<unknown> {
  let value: unknown;
  try {
    value = await work();
  } catch (error) {
    return error;
  }
  throw new Error(`${what}: expected a rejection, got ${canonicalJson(value)}`);
}
