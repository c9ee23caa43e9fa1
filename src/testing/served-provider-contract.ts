import type { LLMProvider } from '../core/llm-provider.js';
import { checkKeys } from '../core/options.js';
import type { ContractCase } from './contract-case.js';
import type { ServedAnswer, ServedFeature, ServedProvider } from './served-provider.js';
import { servedCases } from './served-provider-cases.js';

export interface ServedContractOptions {
  /** The key of the provider. Errors must not contain it. @default none */
  readonly secret?: string | undefined;
  /** Features that the protocol does not have. @default [] */
  readonly without?: readonly ServedFeature[] | undefined;
}

/**
 * Returns the test cases that every {@link LLMProvider} of a service must pass. They cover complete
 * and truncated answers, refusals, errors, malformed bodies and silence.
 *
 * @param serve - Starts a fake service with one answer for every question, and creates its
 *   provider.
 * @example
 * ```ts
 * const cases = servedProviderContract(serve, { secret: 'key-123' });
 * for (const { name, run } of cases) test(name, run);
 * ```
 */
export function servedProviderContract(
  serve: (answer: ServedAnswer) => Promise<ServedProvider>,
  options: ServedContractOptions = {},
): readonly ContractCase[] {
  checkKeys('servedProviderContract', options, ['secret', 'without']);
  const { secret, without = [] } = options;
  return servedCases(secret)
    .filter(({ needs }) => needs === undefined || !without.includes(needs))
    .map(({ name, answer, run }) => ({
      name,
      run: async () => {
        const served = await serve(answer);
        try {
          await run(served);
        } finally {
          await served.close();
        }
      },
    }));
}
