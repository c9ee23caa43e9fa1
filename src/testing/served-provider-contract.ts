import type { LLMProvider } from '../core/llm-provider.js';
import type { ContractCase } from './contract-case.js';
import type { ServedAnswer, ServedFeature, ServedProvider } from './served-provider.js';
import { servedCases } from './served-provider-cases.js';

/** The properties of a double of a service. */
export interface ServedContractOptions {
  /** The key of the provider; errors must not contain it. @default undefined */
  readonly secret?: string | undefined;
  /** The features that the protocol lacks. @default [] */
  readonly without?: readonly ServedFeature[] | undefined;
}

/**
 * Returns the contract of every {@link LLMProvider} of a service: how it handles whole and partial answers,
 * refusals, errors, nonsense, and silence.
 *
 * @param serve - Starts a double of the service with one answer for every question, and creates its provider.
 * @example
 * ```ts
 * for (const { name, run } of servedProviderContract(serve, { secret: 'key-123' })) test(name, run);
 * ```
 */
export function servedProviderContract(
  serve: (answer: ServedAnswer) => Promise<ServedProvider>,
  { secret, without = [] }: ServedContractOptions = {},
): readonly ContractCase[] {
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
