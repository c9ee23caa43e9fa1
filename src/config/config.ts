import type { Gap } from '../core/gap.js';
import type { LLMProvider } from '../core/llm-provider.js';
import type { Policy } from '../core/policy.js';
import type { Reviewer } from '../core/reviewer.js';
import type { StepContext } from '../core/step.js';
import type { TrustName } from '../pipeline/trust-names.js';
import type { ThresholdOptions } from '../policies/thresholds.js';
import type { VerdictStore } from '../ports/verdict-store.js';
import type { ConfiguredReviewer } from '../reviewer-stage/config.js';
import type { CommandOptions } from '../reviewers/command/command-options.js';
import type { CriteriaMap } from '../reviewers/criterion.js';
import type { AgentOutput, AgentRequest } from '../self-review/agent.js';
import type { AgentReviewCriteria, ReviewCriterion } from '../self-review/review-criterion.js';
import type { ConfiguredExecutor } from '../task-review/config.js';

/** A set of criteria of the package. */
export type CriteriaName =
  | 'auto'
  | 'html'
  | 'css'
  | 'plan'
  | 'text'
  | 'code'
  | 'ui-designer'
  | 'project-manager'
  | 'accepted';

/** Criteria by the name of a set, as a map, as the criteria of an agent, or one by one. */
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

/** The bounds of a run, as a pipeline's `budget`. */
export interface ConfiguredBudget {
  /** How many reviews there may be. @default 3 with --fix, else 1 */
  readonly reviews?: number | undefined;
  /** @default unlimited */
  readonly tokens?: number | undefined;
  /** @default unlimited */
  readonly costUsd?: number | undefined;
  /** Wall time of the run. @default unlimited */
  readonly timeoutMs?: number | undefined;
}

/** What a configured `address` receives with the files and their gaps. */
export interface ConfiguredAddressContext extends StepContext {
  readonly task: AgentRequest;
  /**
   * A prompt that asks a model for the improvements, with the files fenced and every gap by its id.
   */
  readonly prompt: string;
  /** Gaps that the last rejected attempt added, and that must not return. */
  readonly regressed: readonly Gap[];
}

/** A configuration file of the command line. */
export interface Config {
  /**
   * @default 'auto': chosen by the types of the files, and the coverage of the task's requirements
   */
  readonly criteria?: ConfiguredCriteria | undefined;
  /** Judges in addition to the criteria. */
  readonly reviewers?: readonly Reviewer<AgentRequest, AgentOutput>[] | undefined;
  /**
   * Commands that judge too; they execute code. Without `cwd` each runs in a new folder with the
   * reviewed files.
   */
  readonly commands?: readonly CommandOptions<AgentOutput>[] | undefined;
  /** A policy, or the bars of the default one. @default noProgress(thresholds()) */
  readonly policy?: Policy | ThresholdOptions | undefined;
  /** @default one review, three with --fix */
  readonly budget?: ConfiguredBudget | undefined;
  /**
   * Whether a person is asked about what the reviewers approve, and how long there is to answer.
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
   * @default no model is asked
   */
  readonly provider?: string | LLMProvider | undefined;
  /** The model, if the name in `provider` contains none. */
  readonly model?: string | undefined;
  /** Another service with the protocol of `provider`. @default the service of its vendor */
  readonly baseUrl?: string | undefined;
  /**
   * How verdicts of models are checked: `fast`, `guarded` or `autonomous`, as `trust` of a
   * pipeline.
   *
   * @default verdicts are not checked
   */
  readonly trust?: TrustName | undefined;
  /**
   * Who gives second opinions and confirms under `trust`: names of models, or providers, best of
   * other families.
   *
   * @default the judges themselves
   */
  readonly confirmWith?: string | LLMProvider | readonly (string | LLMProvider)[] | undefined;
  /**
   * Caches verdicts across runs, for criteria that ask a model:
   * `fileVerdicts('.reviewloop/cache/verdicts')`.
   *
   * @default none
   */
  readonly verdicts?: VerdictStore | undefined;
  /** Fixes the gaps that fixers leave, with --fix. */
  readonly address?:
    | ((
        output: AgentOutput,
        gaps: Gap[],
        context: ConfiguredAddressContext,
      ) => Promise<AgentOutput>)
    | undefined;
  /** How `reviewloop review --diff` judges finished work. */
  readonly reviewer?: ConfiguredReviewer | undefined;
  /** How `reviewloop tasks run` does tasks. */
  readonly executor?: ConfiguredExecutor | undefined;
}
