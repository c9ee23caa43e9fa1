import type { Config } from './config.js';

/**
 * Returns a configuration unchanged. An editor then knows the types of its members.
 *
 * @example
 * ```ts
 * export default defineConfig({
 *   criteria: [
 *     'auto',
 *     criterion('few-files', (output) => output.artifacts.length < 9 || 'too many files'),
 *   ],
 *   policy: { quality: 0.9 },
 * });
 * ```
 */
export function defineConfig(config: Config): Config {
  return config;
}
