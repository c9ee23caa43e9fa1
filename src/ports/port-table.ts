import { invalid, isCallable, type OptionCheck, port } from '../core/options.js';

/** The checks of the ports that pipelines and products share, by the names of their options. */
export const portTable = {
  limiter: port('enter', 'age', 'spend'),
  clock: port('now', 'after'),
  random: port('id', 'nonce'),
  logger: port('debug', 'info', 'warn', 'error'),
  audit: port('record'),
  learn: port('relevantTo'),
  store: port('open', 'read', 'list'),
  verdicts: port('get', 'put'),
  provider: ((name, value) => {
    if (!isCallable(value, 'generate') || typeof Object(value).id !== 'string')
      throw invalid(name, 'an LLMProvider with an id and a `generate` function', value);
  }) as OptionCheck<object>,
} as const;
