import {
  finishes,
  type LLMProvider,
  type LLMRequest,
  type LLMResult,
} from '../core/llm-provider.js';
import { UsageSchema } from '../core/usage.js';
import { type ContractCase, ensure, thrownBy } from './contract-case.js';

/**
 * Returns the test cases that every {@link LLMProvider} must pass. The answers of the model may be
 * any text.
 *
 * @param makeProvider - Creates a provider for each case, with a fake service.
 * @example
 * ```ts
 * const cases = providerContract(() => scriptedProvider(() => 'hello'));
 * for (const { name, run } of cases) test(name, run);
 * ```
 */
export function providerContract(
  makeProvider: () => LLMProvider | Promise<LLMProvider>,
): readonly ContractCase[] {
  return cases.map(({ name, run }) => ({ name, run: async () => run(await makeProvider()) }));
}

interface ProviderCase {
  readonly name: string;
  readonly run: (provider: LLMProvider) => Promise<void>;
}

const cases: readonly ProviderCase[] = [
  {
    name: 'has an id and capabilities',
    run: async ({ id, capabilities }) => {
      ensure(typeof id === 'string' && id !== '', 'a provider needs an id');
      ensure(typeof capabilities === 'object', 'a provider needs `capabilities`, an object');
      ensure(
        ['strict', 'tool', 'json', 'prompt'].includes(capabilities.structured),
        `unknown capability structured: ${capabilities.structured}`,
      );
      ensure(
        ['full', 'openai', 'anthropic'].includes(capabilities.schemaSubset),
        `unknown capability schemaSubset: ${capabilities.schemaSubset}`,
      );
      for (const flag of ['streaming', 'reportsUsage', 'reportsCost'] as const)
        ensure(typeof capabilities[flag] === 'boolean', `capability ${flag} must be a boolean`);
    },
  },
  {
    name: 'answers a question with a complete result',
    run: async (provider) => ensureResult(await provider.generate(question('Say hello.'))),
  },
  {
    name: 'does not change the request',
    run: async (provider) => {
      const messages = Object.freeze([
        Object.freeze({ role: 'user' as const, content: 'Say hello.' }),
      ]);
      ensureResult(await provider.generate(Object.freeze({ ...question(''), messages })));
    },
  },
  {
    name: 'serves concurrent calls',
    run: async (provider) => {
      for (const result of await Promise.all(
        [1, 2, 3].map((number) => provider.generate(question(`Say ${number}.`))),
      ))
        ensureResult(result);
    },
  },
  {
    name: 'rejects a call whose signal is already aborted',
    run: async (provider) =>
      void (await thrownBy(
        () => provider.generate({ ...question('Say hello.'), signal: AbortSignal.abort() }),
        'a call with an aborted signal',
      )),
  },
  {
    name: 'settles when the signal is aborted during the call',
    run: async (provider) => {
      const controller = new AbortController();
      const call = provider.generate({ ...question('Say hello.'), signal: controller.signal });
      controller.abort();
      await Promise.allSettled([call]);
    },
  },
];

function question(content: string): LLMRequest {
  return { messages: [{ role: 'user', content }], signal: new AbortController().signal };
}

function ensureResult(result: LLMResult): void {
  ensure(typeof result.text === 'string', '`text` must be a string');
  ensure(finishes.includes(result.finish), `unknown finish: ${result.finish}`);
  ensure(
    UsageSchema.safeParse(result.usage).success,
    '`usage` must contain numbers from 0; unknown numbers are omitted',
  );
  ensure(
    typeof result.model === 'string' && result.model !== '',
    '`model` must name the model that answered',
  );
  ensure(Array.isArray(result.warnings), '`warnings` must be a list');
  ensure(
    Number.isInteger(result.attempts) && result.attempts >= 1,
    '`attempts` must be a whole number from 1',
  );
}
