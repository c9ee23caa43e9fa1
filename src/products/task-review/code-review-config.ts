import type { LLMProvider, LLMRequest } from '../../core/llm-provider.js';
import {
  checkPositive,
  checkTable,
  elsewhere,
  invalid,
  type OptionTable,
} from '../../core/options.js';
import { checkEndings } from '../../core/partial-view.js';
import type { StepContext } from '../../core/step.js';
import {
  promptTable,
  type ReviewPromptConfig,
  type ReviewPromptContext,
} from './build-review-prompt.js';
import type { ReviewRole } from './review-templates.js';

export interface CodeReviewConfig
  extends ReviewPromptConfig,
    Pick<LLMRequest, 'temperature' | 'seed' | 'maxOutputTokens' | 'providerOptions'> {
  /**
   * Endings of paths, such as `.png`, of binary files and submodules that may be approved although
   * no reviewer sees them.
   *
   * @default []
   */
  readonly allowUnseen?: readonly string[] | undefined;
  /** The model that reviews. @default the pipeline's provider */
  readonly provider?: LLMProvider | undefined;
  /**
   * The roles of reviewers. Each role is one call; the calls are concurrent.
   *
   * @default one call for quality, implementation and testing
   */
  readonly roles?: readonly ReviewRole[] | undefined;
  /** The timeout of one call, in milliseconds; above 0. @default 900000 */
  readonly timeoutMs?: number | undefined;
  /** The number of times that a model may correct an unusable answer. @default 1 */
  readonly reasks?: number | undefined;
}

export interface CodeReviewContext extends ReviewPromptContext {
  /** Cancels the review. @default none */
  readonly signal?: AbortSignal | undefined;
  /** Makes each call a recorded step. @default none: calls are not recorded */
  readonly context?: Pick<StepContext, 'step' | 'signal' | 'reportUsage' | 'budget'> | undefined;
}

const table: OptionTable<CodeReviewConfig> = {
  ...promptTable,
  ...{ provider: elsewhere(), timeoutMs: checkPositive, reasks: elsewhere() },
  ...{ temperature: elsewhere(), seed: elsewhere(), maxOutputTokens: elsewhere() },
  ...{ providerOptions: elsewhere(), allowUnseen: (_, value) => checkEndings(value) },
};

export function checkReviewConfig(config: CodeReviewConfig): void {
  if (typeof config !== 'object' || config === null)
    throw invalid('the options of the review', 'an object', config);
  checkTable('the review', table, config);
  const { roles } = config;
  if (roles !== undefined && (roles.length === 0 || new Set(roles).size < roles.length))
    throw invalid('roles', 'a list of at least one role, each once', roles);
}

export function promptConfigOf(config: CodeReviewConfig): ReviewPromptConfig {
  return Object.fromEntries(
    Object.entries(config).filter(([key]) => Object.hasOwn(promptTable, key)),
  );
}
