import { ReviewLoopError } from '../../core/errors.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { checkKeys, checkTable, elsewhere, invalid, type OptionTable } from '../../core/options.js';
import { structuredOption } from './shared/service-client.js';

export interface ProviderFromOptions {
  /** The URL of the service. @default the service of the vendor; for Ollama, this machine */
  readonly baseUrl?: string | undefined;
  /** The API key. @default the key of the environment, which only its vendor receives */
  readonly apiKey?: string | undefined;
  /**
   * Names of environment variables for `cli:claude` and `cli:codex`, besides those of the vendor.
   * `AWS_*` stands for all with that beginning.
   *
   * @default []
   */
  readonly allowEnv?: readonly string[] | undefined;
  /**
   * For Ollama, the largest number of tokens of prompt and answer together.
   *
   * @default the setting of the server
   */
  readonly contextTokens?: number | undefined;
  /**
   * How the schema of an answer is enforced: `strict` by the service, `json` as JSON of any shape, or
   * `prompt`. A service that refuses the schema is asked by the prompt from then on.
   *
   * @default 'strict'
   */
  readonly structured?: 'strict' | 'json' | 'prompt' | undefined;
}

const table: OptionTable<ProviderFromOptions> = {
  ...{ baseUrl: elsewhere(), apiKey: elsewhere(), allowEnv: elsewhere() },
  ...{ contextTokens: elsewhere(), structured: structuredOption },
};

const known =
  'openai:MODEL, anthropic:MODEL, ollama:MODEL, cli:claude, cli:codex, with a model as cli:claude:MODEL';

/**
 * Returns a provider by name: `openai:MODEL`, `anthropic:MODEL`, `ollama:MODEL`, `cli:claude`,
 * `cli:codex`.
 *
 * @throws ReviewLoopError `invalid_options` with the list of names, if the name is unknown
 * @example
 * ```ts
 * const provider = await providerFrom('openai:qwen3', { baseUrl: 'http://127.0.0.1:8000/v1' });
 * ```
 */
export async function providerFrom(
  name: string,
  options: ProviderFromOptions = {},
): Promise<LLMProvider> {
  checkTable('providerFrom', table, options);
  if (typeof name !== 'string') throw invalid('provider', known, name);
  const [kind = '', ...rest] = name.split(':');
  const model = rest.join(':');
  const { baseUrl: baseURL, apiKey, contextTokens, structured } = options;
  const common = { model, baseURL, structured };
  if (contextTokens !== undefined && kind !== 'ollama')
    throw invalid('contextTokens', `omitted for ${kind}: only Ollama takes it`, contextTokens);
  if (kind === 'cli') return commandFrom(name, rest, options);
  if (options.allowEnv !== undefined && ['openai', 'anthropic', 'ollama'].includes(kind))
    throw invalid(
      'allowEnv',
      'omitted for a service, which receives no environment',
      options.allowEnv,
    );
  if (!['openai', 'anthropic', 'ollama'].includes(kind))
    throw new ReviewLoopError(
      'invalid_options',
      `unknown provider ${JSON.stringify(name)}; use ${known}`,
      { value: name },
    );
  if (model === '')
    throw new ReviewLoopError(
      'invalid_options',
      `the provider ${JSON.stringify(name)} names no model; write ${kind}:MODEL`,
      { value: name },
    );
  if (kind === 'openai')
    return (await import('./openai/openai-provider.js')).openaiProvider({ ...common, apiKey });
  if (kind === 'anthropic')
    return (await import('./anthropic/anthropic-provider.js')).anthropicProvider({
      ...common,
      apiKey,
    });
  if (apiKey !== undefined) throw invalid('apiKey', 'omitted, as Ollama needs no key', '(a key)');
  return (await import('./ollama/ollama-provider.js')).ollamaProvider({ ...common, contextTokens });
}

async function commandFrom(
  name: string,
  [command, ...rest]: readonly string[],
  { baseUrl, apiKey, allowEnv = [], structured }: ProviderFromOptions,
): Promise<LLMProvider> {
  if (command !== 'claude' && command !== 'codex')
    throw new ReviewLoopError(
      'invalid_options',
      `unknown provider ${JSON.stringify(name)}; use ${known}`,
      { value: name },
    );
  if (baseUrl !== undefined || apiKey !== undefined)
    throw invalid(
      'baseUrl and apiKey',
      'omitted for a program, which has its own settings',
      baseUrl,
    );
  const { cliProvider } = await import('./cli/cli-provider.js');
  const program =
    command === 'claude'
      ? (await import('./cli/claude-command.js')).claudeCommand({ allowEnv })
      : (await import('./cli/codex-command.js')).codexCommand({ allowEnv });
  const model = rest.length === 0 ? undefined : rest.join(':');
  return cliProvider({ command: program, model, structured });
}

/** A provider that was found, and the reason. */
export interface FoundProvider {
  readonly provider: LLMProvider;
  /** Why this provider was chosen, for people. */
  readonly because: string;
}

export interface FindProviderOptions {
  /** The name of the model. */
  readonly model: string;
  /** The environment variables. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The services that are chosen if their key is in the environment. */
export const keyVariables = { OPENAI_API_KEY: 'openai', ANTHROPIC_API_KEY: 'anthropic' } as const;

/**
 * Returns the provider of the vendor whose key is in the environment; without a key, Ollama on this
 * machine. It sends no request.
 *
 * @throws ReviewLoopError `provider_missing` without a model; `invalid_options` if keys of
 *   several vendors are set
 * @example
 * ```ts
 * const { provider, because } = await findProvider({ model: 'gpt-5.5' });
 * ```
 */
export async function findProvider(options: FindProviderOptions): Promise<FoundProvider> {
  checkKeys('findProvider', options, ['model', 'env']);
  const { model, env = process.env } = options;
  if (typeof model !== 'string' || model === '')
    throw new ReviewLoopError('provider_missing', 'no model is named');
  const [first, ...more] = Object.entries(keyVariables).filter(
    ([name]) => (env[name] ?? '') !== '',
  );
  if (more.length > 0)
    throw new ReviewLoopError(
      'invalid_options',
      `keys of several vendors are set (${[first, ...more].map((found) => found?.[0]).join(', ')}); ` +
        `name the provider: ${known}`,
    );
  if (first === undefined)
    return {
      provider: await providerFrom(`ollama:${model}`),
      because: 'no API key is set in the environment, so Ollama on this machine is used',
    };
  return {
    provider: await providerFrom(`${first[1]}:${model}`, { apiKey: env[first[0]] }),
    because: `${first[0]} is set`,
  };
}
