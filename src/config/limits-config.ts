import * as z from 'zod';
import type { ModelPrices } from '../model/middleware/model-budget.js';

export interface ConfiguredLimits {
  /**
   * The name of the limits in a shared store. Commands with the same name share them.
   *
   * @default 'default'
   */
  readonly key?: string | undefined;
  /** How many calls of a provider start in any minute. @default 120 */
  readonly requestsPerMinute?: number | undefined;
  /** How many tokens a provider uses in any minute. @default unlimited */
  readonly tokensPerMinute?: number | undefined;
  /**
   * Largest cost of one day of all providers, in US dollars. It requires a store that counts for all
   * commands: `--store postgres://...`.
   *
   * @default unlimited
   */
  readonly usdPerDay?: number | undefined;
  /** The time zone in which a day begins, such as `Europe/Berlin`. @default 'UTC' */
  readonly timeZone?: string | undefined;
  /**
   * The prices of tokens by provider: `{ 'openai:gpt-5.5': { inputPerMillion: 1.25, outputPerMillion: 10 } }`.
   * `usdPerDay` requires them for each provider that does not report costs.
   *
   * @default none
   */
  readonly prices?: Readonly<Record<string, ModelPrices>> | undefined;
}

const price = z.number().min(0);

/** The schema of {@link ConfiguredLimits}. */
export const LimitsConfigSchema = z.strictObject({
  key: z.string().min(1).max(200).optional(),
  requestsPerMinute: z.int().min(1).optional(),
  tokensPerMinute: z.int().min(1).optional(),
  usdPerDay: z.number().positive().optional(),
  timeZone: z.string().min(1).optional(),
  prices: z
    .record(z.string(), z.strictObject({ inputPerMillion: price, outputPerMillion: price }))
    .optional(),
});
