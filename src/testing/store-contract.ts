import { checkKeys } from '../core/options.js';
import type { Store } from '../ports/store.js';
import { type ContractCase, ensureEqual } from './contract-case.js';
import { pagingCases } from './paging-cases.js';
import {
  end,
  header,
  idsOf,
  journalCases,
  listCases,
  type StoreCase,
  step,
  write,
  writerCases,
} from './store-contract-cases.js';
import { waitingCases } from './waiting-cases.js';

/** Options of {@link storeContract}. */
export interface StoreContractOptions {
  /** Opens the same place again, as another process would. @default the store is not persistent */
  readonly reopen?: ((store: Store) => Store | Promise<Store>) | undefined;
}

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
  options: StoreContractOptions = {},
): readonly ContractCase[] {
  checkKeys('storeContract', options, ['reopen']);
  const { reopen } = options;
  const cases = [
    ...journalCases,
    ...writerCases,
    ...listCases,
    ...waitingCases,
    ...pagingCases,
    ...(reopen === undefined ? [] : [survives(reopen)]),
  ];
  return cases.map(({ name, run }) => ({ name, run: async () => run(await makeStore()) }));
}

function survives(reopen: NonNullable<StoreContractOptions['reopen']>): StoreCase {
  return {
    name: 'records survive a reopening of the store',
    run: async (store) => {
      await (await write(store, 'a', [header('a'), step('one', 1), end('suspended')])).close();
      const again = await reopen(store);
      ensureEqual(
        await again.read('a'),
        [header('a'), step('one', 1), end('suspended')],
        'records',
      );
      ensureEqual(await idsOf(again, 'suspended'), ['a'], 'suspended runs');
    },
  };
}
