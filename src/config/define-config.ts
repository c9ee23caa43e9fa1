import type { Config } from './config.js';

/**
 * Gives a configuration file its types.
 *
 * @example
 * ```ts
 * export default defineConfig({
 *   criteria: ['auto', criterion('no-lorem', (output) => !JSON.stringify(output).includes('lorem ipsum') || 'placeholder text')],
 *   policy: { quality: 0.9 },
 * });
 * ```
 */
export function defineConfig(config: Config): Config {
  return config;
}
