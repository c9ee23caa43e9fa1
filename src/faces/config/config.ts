import type { TrustName } from '../../blocks/pipeline/trust-names.js';
import type { CommandOptions } from '../../blocks/reviewers/command/command-options.js';
import type { CriteriaMap } from '../../blocks/reviewers/criterion.js';
import type { Gap } from '../../core/gap.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import type { Policy } from '../../core/policy.js';
import type { Reviewer } from '../../core/reviewer.js';
import type { StepContext } from '../../core/step.js';
import type { ThresholdOptions } from '../../engine/policies/thresholds.js';
import type { VerdictStore } from '../../ports/verdict-store.js';
import type { ConfiguredReviewer } from '../../products/reviewer-stage/config.js';
import type { AgentOutput, AgentRequest } from '../../products/self-review/agent.js';
import type {
  AgentReviewCriteria,
  ReviewCriterion,
} from '../../products/self-review/review-criterion.js';
import type { ConfiguredExecutor } from '../../products/task-review/config.js';
import type {
  ConfiguredHook,
  ConfiguredLearning,
  ConfiguredLimits,
  ConfiguredPages,
  ConfiguredSecrets,
  ConfiguredTool,
} from './config-parts.js';
import type { criteriaNames } from './config-schema.js';

/** `auto` chooses sets by the types of the files. */
export type CriteriaName = (typeof criteriaNames)[number];

export type ConfiguredCriteria =
  | CriteriaName
  | CriteriaMap<AgentOutput, AgentRequest>
  | AgentReviewCriteria
  | readonly (
      | CriteriaName
      | ReviewCriterion
      | Reviewer<AgentRequest, AgentOutput>
      | AgentReviewCriteria
    )[];

export interface ConfiguredBudget {
  /** The maximum number of reviews. @default 3 with --fix, else 1 */
  readonly reviews?: number | undefined;
  /** The maximum number of tokens. @default unlimited */
  readonly tokens?: number | undefined;
  /** The maximum cost, in US dollars. @default unlimited */
  readonly costUsd?: number | undefined;
  /** The time limit of the run, in milliseconds. @default unlimited */
  readonly timeoutMs?: number | undefined;
}

export interface ConfiguredAddressContext extends StepContext {
  readonly task: AgentRequest;
  /**
   * A prompt that asks a model for improvements. It contains the fenced files and the id of each
   * gap.
   */
  readonly prompt: string;
  /** The gaps that the last rejected attempt added. They must not return. */
  readonly regressed: readonly Gap[];
}

/** A configuration file of the command line. */
export interface Config {
  /**
   * The criteria that judge the files. `auto` chooses criteria by the types of the files, and adds
   * the coverage of the task's requirements.
   *
   * @default 'auto'
   */
  readonly criteria?: ConfiguredCriteria | undefined;
  /**
   * Whether the ESLint of the project also judges JavaScript and TypeScript.
   *
   * @default false
   */
  readonly lint?: boolean | ConfiguredTool | undefined;
  /**
   * Whether pages are also judged as a browser shows them, and how.
   *
   * @default false
   */
  readonly pages?: boolean | ConfiguredPages | undefined;
  /**
   * Whether the CSpell of the project judges the spelling of texts.
   *
   * @default false
   */
  readonly spelling?: boolean | ConfiguredTool | undefined;
  /**
   * `false` leaves the requirements of the task out of the review on purpose.
   *
   * @default they are judged
   */
  readonly requirements?: false | undefined;
  /**
   * Whether words that occur in the files decide a requirement. With `hint` they only show where to
   * look: checks, a model or a person decide.
   *
   * @default 'hint'
   */
  readonly words?: 'decide' | 'hint' | undefined;
  /** Reviewers in addition to the criteria. @default none */
  readonly reviewers?: readonly Reviewer<AgentRequest, AgentOutput>[] | undefined;
  /**
   * Commands that judge, too; they run code. Without `cwd`, each runs in a new folder that contains
   * the reviewed files.
   *
   * @default none
   */
  readonly commands?: readonly CommandOptions<AgentOutput>[] | undefined;
  /** A policy, or the thresholds of the default policy. @default noProgress(thresholds()) */
  readonly policy?: Policy | ThresholdOptions | undefined;
  /** The limits of a run. @default one review, three with --fix */
  readonly budget?: ConfiguredBudget | undefined;
  /**
   * Limits on what models are asked, over runs. With `--store postgres://...`, all commands over
   * that store share them.
   *
   * @default 120 calls of a provider in any minute
   */
  readonly limits?: ConfiguredLimits | undefined;
  /**
   * Whether to ask a person about what the reviewers approve. `expiresAfterMs` is the time to
   * answer, in milliseconds.
   *
   * @default { policy: 'auto' }
   */
  readonly human?:
    | {
        readonly policy: 'auto' | 'prompt' | 'require';
        readonly expiresAfterMs?: number | undefined;
      }
    | undefined;
  /**
   * Default provider for blocks that need a model: `openai:MODEL`, `anthropic:MODEL`,
   * `ollama:MODEL`, `cli:claude`, `cli:codex`, `auto` with a `model`, or a provider. `--provider`
   * takes precedence.
   *
   * @default none: no model is asked
   */
  readonly provider?: string | LLMProvider | undefined;
  /** The model, if the name in `provider` does not contain one. */
  readonly model?: string | undefined;
  /**
   * The address of another service with the protocol of `provider`.
   *
   * @default the service of its vendor
   */
  readonly baseUrl?: string | undefined;
  /**
   * For Ollama, the largest number of tokens of prompt and answer together.
   *
   * @default the setting of the server
   */
  readonly contextTokens?: number | undefined;
  /**
   * Who enforces the schema of an answer: the service (`strict`), its JSON mode (`json`), or only the
   * `prompt`.
   *
   * @default 'strict', and the prompt where the service refuses the schema
   */
  readonly structured?: 'strict' | 'json' | 'prompt' | undefined;
  /**
   * How many passes of models a text needs: `fast`, `guarded` or `autonomous`, as in `trust` of a
   * pipeline.
   *
   * @default one verdict counts
   */
  readonly trust?: TrustName | undefined;
  /**
   * The models that take turns with the judges under `trust`: names or providers. Two of other
   * families are best.
   *
   * @default one model judges, and one pass is enough
   */
  readonly confirmWith?: string | LLMProvider | readonly (string | LLMProvider)[] | undefined;
  /**
   * Caches verdicts of criteria that ask a model, across runs. An example is
   * `fileVerdicts('.reviewloop/cache/verdicts')`.
   *
   * @default none
   */
  readonly verdicts?: VerdictStore | undefined;
  /**
   * Whether runs store lessons in `--store`, from which `reviewloop lessons` drafts criteria, and
   * whether reviews of files follow the accepted rules about judges. An object also says how.
   *
   * @default false
   */
  readonly learn?: boolean | ConfiguredLearning | undefined;
  /**
   * Lines that look like secrets and are allowed.
   *
   * @default none
   */
  readonly secrets?: ConfiguredSecrets | undefined;
  /**
   * Which lines of a diff may weaken a test or another check; `false` does not look for any.
   *
   * @default every such line is reported
   */
  readonly honestWork?: false | Pick<ConfiguredSecrets, 'allow'> | undefined;
  /** Fixes the gaps that remain after the fixes of criteria, with --fix. */
  readonly address?:
    | ((
        output: AgentOutput,
        gaps: Gap[],
        context: ConfiguredAddressContext,
      ) => Promise<AgentOutput>)
    | undefined;
  /** The reviewers of finished work, for `reviewloop review --diff`. */
  readonly reviewer?: ConfiguredReviewer | undefined;
  /** The settings of `reviewloop tasks run`. */
  readonly executor?: ConfiguredExecutor | undefined;
  /** The settings of `reviewloop hook`. */
  readonly hook?: ConfiguredHook | undefined;
}

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
