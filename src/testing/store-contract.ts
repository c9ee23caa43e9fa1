import type { Store } from '../ports/store.js';
import {
  type ContractCase,
  contractOver,
  ensureEqual,
  type ReopenOptions,
  type StoreCase,
} from './contract-case.js';
import { pagingCases } from './paging-cases.js';
import {
  end,
  header,
  idsOf,
  journalCases,
  listCases,
  step,
  waitingCases,
  write,
  writerCases,
} from './store-contract-cases.js';

/**
 * Returns the test cases that every {@link Store} must pass.
 *
 * @param makeStore - Creates a new empty store for each case.
 * @example
 * ```ts
 * for (const { name, run } of storeContract(() => memoryStore())) test(name, run);
 * ```
 */
export function storeContract(
  makeStore: () => Store | Promise<Store>,
  options: ReopenOptions<Store> = {},
): readonly ContractCase[] {
  return contractOver('storeContract', { makeStore, cases, reopened }, options);
}

const cases = [...journalCases, ...writerCases, ...listCases, ...waitingCases, ...pagingCases];

const reopened: readonly StoreCase<Store>[] = [
  {
    name: 'records survive a reopening of the store',
    run: async (store, reopen) => {
      await (await write(store, 'a', [header('a'), step('one', 1), end('suspended')])).close();
      const again = await reopen(store);
      ensureEqual(
        await again.read('a'),
        [header('a'), step('one', 1), end('suspended')],
        'records',
      );
      ensureEqual(await idsOf(again, 'suspended'), ['a'], 'suspended runs');
    },
  },
];
