import * as z from 'zod';
import type { ModelPrices } from '../../blocks/models/middleware/model-budget.js';
import { type AllowedSecret, allowedSecretProblem } from '../../core/redact/allowed-secrets.js';

export interface ConfiguredHook {
  /**
   * The file of the task, or `prompt` for what the person asked the agent.
   *
   * @default TASK.md if it exists, else `prompt` if a model is configured, else no task
   */
  readonly task?: string | undefined;
  /**
   * The file that lists the requirements; `false` leaves them out.
   *
   * @default the file beside the task, if it exists
   */
  readonly requirements?: string | false | undefined;
  /** Globs of files that the gate does not review. @default none */
  readonly exclude?: readonly string[] | undefined;
  /**
   * The time limit of one review, in seconds; from 1 to 480. The agent must wait at least a quarter
   * longer.
   *
   * @default 45
   */
  readonly timeoutSeconds?: number | undefined;
  /** The maximum number of blocks in one turn; from 0 to 5. @default 5 */
  readonly maxBlocks?: number | undefined;
  /**
   * What happens if a judge fails: `tell` tells the person, `block` also blocks once.
   *
   * @default 'tell'
   */
  readonly onFailure?: 'tell' | 'block' | undefined;
  /**
   * Whether the person is told about an approval, in one line: `tell`, or `silent`.
   *
   * @default 'tell'
   */
  readonly approvals?: 'tell' | 'silent' | undefined;
}

export const HookConfigSchema = z.strictObject({
  task: z.string().min(1).optional(),
  requirements: z.union([z.string().min(1), z.literal(false)]).optional(),
  exclude: z.array(z.string().min(1)).optional(),
  timeoutSeconds: z.number().min(1).max(480).optional(),
  maxBlocks: z.int().min(0).max(5).optional(),
  onFailure: z.enum(['tell', 'block']).optional(),
  approvals: z.enum(['tell', 'silent']).optional(),
});

export interface ConfiguredLearning {
  /**
   * A file of labels beside the answers in stored runs, as `calibrate --export-labels` writes it. Its
   * path is relative to the configuration.
   *
   * @default none
   */
  readonly labels?: string | undefined;
  /**
   * Least share of verdicts of a judge that people agree with, from 0 to 1. The low end of the
   * interval must reach it.
   *
   * @default 0.7
   */
  readonly minAgreement?: number | undefined;
  /** Least number of decisions about passes, or about fails, of a judge; from 1. @default 20 */
  readonly minDecisions?: number | undefined;
}

export const LearningConfigSchema = z.strictObject({
  labels: z.string().min(1).optional(),
  minAgreement: z.number().min(0).max(1).optional(),
  minDecisions: z.int().min(1).optional(),
});

export function learns(learn: boolean | ConfiguredLearning | undefined): boolean {
  return learn !== undefined && learn !== false;
}

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

export const PagesConfigSchema = z.strictObject({
  browser: z.strictObject({ executablePath: z.string().min(1).optional() }).optional(),
  scripts: z.boolean().optional(),
  maxPages: z.int().min(1).optional(),
  timeoutMs: z.int().min(1).optional(),
  screenshots: z.enum(['gaps', 'none']).optional(),
  allowNoSandbox: z.boolean().optional(),
});

export interface ConfiguredPages {
  /** The browser that shows the pages. @default an installed Chromium */
  readonly browser?: { readonly executablePath?: string | undefined } | undefined;
  /** Whether the scripts of the pages run. @default false */
  readonly scripts?: boolean | undefined;
  /** How many pages are visited. @default 20 */
  readonly maxPages?: number | undefined;
  /** How long a visit may take, in milliseconds. @default 20000 */
  readonly timeoutMs?: number | undefined;
  /** Whether findings have a picture of their place. @default 'gaps' */
  readonly screenshots?: 'gaps' | 'none' | undefined;
  /** Whether a browser without its sandbox may be used. Then scripts never run. @default false */
  readonly allowNoSandbox?: boolean | undefined;
}

export const ToolConfigSchema = z.strictObject({ config: z.string().min(1).optional() });

export interface ConfiguredTool {
  /**
   * The configuration file of the tool, relative to this configuration.
   *
   * @default the one in the working folder
   */
  readonly config?: string | undefined;
}

export interface ConfiguredSecrets {
  /** Lines that look like secrets and are allowed, each with its reason. @default [] */
  readonly allow?: readonly AllowedSecret[] | undefined;
  /**
   * A file with further allowed lines, which `reviewloop secrets --baseline` writes. Its path is
   * relative to the folder of the configuration.
   *
   * @default none
   */
  readonly baseline?: string | undefined;
}

const allowedSecret = z
  .strictObject({
    path: z.unknown().optional(),
    line: z.unknown().optional(),
    fingerprint: z.unknown().optional(),
    reason: z.unknown().optional(),
  })
  .superRefine((entry, context) => {
    const message = allowedSecretProblem(entry);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** Refuses entries without a reason. */
export const SecretsConfigSchema = z.strictObject({
  allow: z.array(allowedSecret).optional(),
  baseline: z.string().trim().min(1).optional(),
});

export const HonestWorkConfigSchema = SecretsConfigSchema.omit({ baseline: true });

export const SecretsBaselineSchema = z.strictObject({
  schemaVersion: z.literal(1),
  allow: z.array(allowedSecret),
});
