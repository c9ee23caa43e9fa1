import type { LLMProvider, LLMRequest } from '../core/llm-provider.js';
import { checkKeys, checkPositive, invalid } from '../core/options.js';
import type { StepContext } from '../core/step.js';
import {
  checkPromptConfig,
  type ReviewPromptConfig,
  type ReviewPromptContext,
} from './build-review-prompt.js';
import type { ReviewRole } from './review-templates.js';

/** Who reviews code, and how. */
export interface CodeReviewConfig
  extends ReviewPromptConfig,
    Pick<LLMRequest, 'temperature' | 'seed' | 'maxOutputTokens' | 'providerOptions'> {
  /** Who is asked. @default the pipeline's */
  readonly provider?: LLMProvider | undefined;
  /** One call for each, side by side. @default one call for quality, implementation and testing */
  readonly roles?: readonly ReviewRole[] | undefined;
  /** For one call. @default 900000 */
  readonly timeoutMs?: number | undefined;
  /** How often a model may try again whose answer cannot be used. @default 1 */
  readonly reasks?: number | undefined;
}

/** What a review knows, and where its calls are recorded. */
export interface CodeReviewContext extends ReviewPromptContext {
  readonly signal?: AbortSignal | undefined;
  /** Makes each call a recorded step. @default bare calls */
  readonly context?: Pick<StepContext, 'step' | 'signal' | 'reportUsage' | 'budget'> | undefined;
}

const own = [
  'provider',
  'timeoutMs',
  'reasks',
  'temperature',
  'seed',
  'maxOutputTokens',
  'providerOptions',
];
const ofPrompt = [
  'cliName',
  'template',
  'verdicts',
  'roles',
  'redact',
  'diffBytes',
  'testBytes',
  'lintCharacters',
  'errorBytes',
];

/** @throws ReviewLoopError `invalid_options` */
export function checkReviewConfig(config: CodeReviewConfig): void {
  if (typeof config !== 'object' || config === null)
    throw invalid('the options of the review', 'an object', config);
  checkKeys('the review', config, [...own, ...ofPrompt]);
  checkPromptConfig(promptConfigOf(config));
  checkPositive('timeoutMs', config.timeoutMs);
  if (
    config.roles !== undefined &&
    (config.roles.length === 0 || new Set(config.roles).size < config.roles.length)
  )
    throw invalid('roles', 'roles, at least one, each once', config.roles);
}

/** The part of a configuration that the prompt is made by. */
export function promptConfigOf(config: CodeReviewConfig): ReviewPromptConfig {
  return Object.fromEntries(Object.entries(config).filter(([key]) => ofPrompt.includes(key)));
}
