import { isReviewError } from '../core/errors.js';
import { canonicalJson, copyJson } from '../core/json.js';

/** One case of a contract, for any test runner. */
export interface ContractCase {
  readonly name: string;
  /** Rejects with a plain Error if the implementation breaks the contract. */
  readonly run: () => Promise<void>;
}

export function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

export function ensureEqual(actual: unknown, expected: unknown, what: string): void {
  const got = canonicalJson(actual);
  const wanted = canonicalJson(expected);
  ensure(got === wanted, `${what}: expected ${wanted}, got ${got}`);
}

export async function thrownBy(work: () => unknown, what: string): Promise<unknown> {
  let value: unknown;
  try {
    value = await work();
  } catch (error) {
    return error;
  }
  throw new Error(`${what}: expected a rejection, got ${canonicalJson(value)}`);
}

export async function ensureCode(work: () => unknown, code: string, what: string): Promise<void> {
  const error = await thrownBy(work, what);
  const got = isReviewError(error) ? error.code : error;
  ensure(got === code, `${what} must be refused with ${code}, got ${String(got)}`);
}

export async function ensureRefused<Value extends object>(
  put: (value: Value) => Promise<unknown>,
  whole: Value,
  wrong: Readonly<Record<string, readonly unknown[]>>,
): Promise<void> {
  for (const [member, values] of Object.entries(wrong))
    for (const value of values)
      await ensureCode(
        () => put({ ...whole, [member]: value }),
        'invalid_options',
        `${member} ${JSON.stringify(value)}`,
      );
}

export interface StoreCase<Store> {
  readonly name: string;
  /** `reopen` opens the same place again, as another process would. */
  readonly run: (
    store: Store,
    reopen: () => Store | Promise<Store>,
    place: string,
  ) => Promise<void>;
}

/** The cases of a contract: for every store, and for one that can be opened again. */
export interface StoreCases<Store> {
  readonly cases: readonly StoreCase<Store>[];
  readonly reopened: readonly StoreCase<Store>[];
}

export interface KeptValue<Store, Value extends object> {
  readonly noun: string;
  readonly put: (store: Store, value: Value) => Promise<unknown>;
  /** Returns the value under the key of another one. */
  readonly get: (store: Store, like: Value) => Promise<Value | undefined>;
  readonly whole: Value;
  /** Another value under the same key. */
  readonly next: Value;
  /** Values under other keys, by what differs. */
  readonly others: Readonly<Record<string, Value>>;
  readonly spoil: (value: Value) => void;
}

export function keptCases<Store, Value extends object>(
  { noun, put, get, whole, next, others, spoil }: KeptValue<Store, Value>,
  more: readonly StoreCase<Store>[],
): StoreCases<Store> {
  return {
    cases: [
      {
        name: `a new store has no ${noun}`,
        run: async (store) => ensure((await get(store, whole)) === undefined, `it has a ${noun}`),
      },
      ...more,
      {
        name: `each ${noun} is returned only under its own key`,
        run: async (store) => {
          await put(store, whole);
          for (const [what, other] of Object.entries(others)) {
            ensure((await get(store, other)) === undefined, `another ${what} has a ${noun}`);
            await put(store, other);
          }
          for (const [what, other] of Object.entries({ ...others, first: whole }))
            ensureEqual(await get(store, other), other, `the ${noun} of the other ${what}`);
        },
      },
      {
        name: `storing again replaces the earlier ${noun}`,
        run: async (store) => {
          for (const value of [whole, next]) await put(store, value);
          ensureEqual(await get(store, whole), next, `the ${noun}`);
        },
      },
      {
        name: `${noun}s are read back equal, with any text, also frozen ones`,
        run: async (store) => {
          await put(store, copyJson(whole, { freeze: true }));
          ensureEqual(await get(store, whole), whole, `the ${noun}`);
        },
      },
      {
        name: `changes of stored or returned ${noun}s do not change the store`,
        run: async (store) => {
          const mine = structuredClone(whole);
          await put(store, mine);
          spoil(mine);
          ensureEqual(await get(store, whole), whole, `after a change of the stored ${noun}`);
          const returned = await get(store, whole);
          if (returned !== undefined) spoil(returned);
          ensureEqual(await get(store, whole), whole, `after a change of the returned ${noun}`);
        },
      },
    ],
    reopened: [
      {
        name: `${noun}s survive when the store is opened again`,
        run: async (store, reopen) => {
          await put(store, whole);
          ensureEqual(await get(await reopen(), whole), whole, `the ${noun}`);
        },
      },
    ],
  };
}
