import { copyJson } from '../core/json.js';
import { checkKeys, checkWhole } from '../core/options.js';
import type { StoredVerdict, VerdictStore } from './verdict-store.js';

export interface MemoryVerdictsOptions {
  /**
   * Largest number of verdicts; from 1. The least recently used is removed first.
   * @default 10000
   */
  readonly max?: number | undefined;
}

/**
 * Creates a verdict cache in the memory of this process. Several pipelines can share it.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ ...options, verdicts: memoryVerdicts({ max: 1000 }) });
 * ```
 */
export function memoryVerdicts(options: MemoryVerdictsOptions = {}): VerdictStore {
  checkKeys('memoryVerdicts', options, ['max']);
  const { max = 10_000 } = options;
  checkWhole('max', max, 1);
  // least recently used first
  const verdicts = new Map<string, StoredVerdict>();
  const use = (key: string, verdict: StoredVerdict): void => {
    verdicts.delete(key);
    verdicts.set(key, verdict);
  };
  return {
    get: async (key) => {
      const verdict = verdicts.get(key);
      if (verdict !== undefined) use(key, verdict);
      return verdict;
    },
    put: async (key, verdict) => {
      use(key, copyJson(verdict, { freeze: true }));
      for (const oldest of verdicts.keys()) {
        if (verdicts.size <= max) return;
        verdicts.delete(oldest);
      }
    },
  };
}
