import { fits, isCallable, port } from '../core/options.js';

export const portTable = {
  limiter: port('enter', 'age', 'spend'),
  clock: port('now', 'after'),
  random: port('id', 'nonce'),
  logger: port('debug', 'info', 'warn', 'error'),
  audit: port('record'),
  learn: port('relevantTo'),
  store: port('open', 'read', 'list'),
  verdicts: port('get', 'put'),
  provider: fits<object>(
    'an LLMProvider with an id and a `generate` function',
    (value) => isCallable(value, 'generate') && typeof Object(value).id === 'string',
  ),
} as const;
