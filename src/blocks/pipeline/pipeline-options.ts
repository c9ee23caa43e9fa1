import type * as z from 'zod';
import { ReviewLoopError } from '../../core/errors.js';
import type { ReviewEventName, ReviewEvents } from '../../core/event.js';
import type { Gap } from '../../core/gap.js';
import type { DecisionAnswer, HumanAnswer } from '../../core/human.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { checkPlain } from '../../core/options.js';
import type { Outcome } from '../../core/outcome.js';
import type { Policy } from '../../core/policy.js';
import type { Ranking } from '../../core/ranking.js';
import type { Review } from '../../core/review.js';
import type { Reviewer } from '../../core/reviewer.js';
import type { ScoreWeights } from '../../core/scores.js';
import type { Around } from '../../core/span.js';
import type {
  AddressContext,
  Budget,
  HumanOptions,
  ProduceContext,
  Timeouts,
} from '../../engine/definition.js';
import type { RequestReference, VersionReference } from '../../engine/human-answers.js';
import type { RunOptions } from '../../engine/run-options.js';
import type { RunStream } from '../../engine/run-stream.js';
import type { AuditSink } from '../../ports/audit-chain.js';
import type { Clock } from '../../ports/clock.js';
import type { LessonStore } from '../../ports/lesson-store.js';
import type { Limiter } from '../../ports/limiter.js';
import type { Logger } from '../../ports/logger.js';
import type { Random } from '../../ports/random.js';
import type { Store } from '../../ports/store.js';
import type { VerdictStore } from '../../ports/verdict-store.js';
import type { Workspace } from '../../ports/workspace.js';
import type { CriteriaMap } from '../reviewers/criterion.js';
import type { Trust } from './trust-presets.js';

/** The options of {@link definePipeline}. Only `criteria` or `reviewers` are required. */
export interface PipelineOptions<Task, Output> extends Misnomers {
  /** The name in logs and journals. @default 'pipeline' */
  name?: string;
  /**
   * Stands for the code of `produce`, `address` and the policy: change it when they change. A kept
   * run compares it, the reviewers with their versions and the settings when it is continued.
   *
   * @default undefined only reviewers and settings are compared
   */
  version?: string;
  /**
   * What a kept run does that waits while its pipeline changes. `continue` replays what is recorded
   * and asks only changed and new judges, `restart` begins anew, `ask` asks a person. In each case
   * `outcome.changed` and the log tell what changed.
   *
   * @default 'continue'
   */
  onChange?: 'continue' | 'restart' | 'ask';
  /** Makes the first output. Without it, use `review`; `run` needs it. */
  produce?: (task: Task, context: ProduceContext) => Output | Promise<Output>;
  /**
   * Fixes the gaps of an output and returns the whole new output. Without it, a run makes one
   * review, plus what fixers can fix.
   */
  address?: (
    output: NoInfer<Output>,
    gaps: Gap[],
    context: AddressContext<NoInfer<Task>>,
  ) => NoInfer<Output> | Promise<NoInfer<Output>>;
  /** Checks by id: functions, or criteria from `criterion` and `llmCriterion`. */
  criteria?: CriteriaMap<NoInfer<Output>, NoInfer<Task>>;
  provider?: LLMProvider;
  /** Further reviewers; they come after the criteria. */
  reviewers?: readonly Reviewer<NoInfer<Task>, NoInfer<Output>>[];
  /** Decides after each review. @default noProgress(thresholds()) */
  policy?: Policy;
  /** Decides which of two versions is better. @default keepBest() */
  ranking?: Ranking;
  /**
   * How far verdicts are trusted. Import a preset from `reviewloop/reviewers`:
   *
   * - `fast`: a text needs 2 passes in a row from judges that take turns, an edited text 4;
   * - `guarded`: 3 and 5; a person is asked about disputes between judges;
   * - `autonomous`: 4 and 6; nobody is asked.
   *
   * A preset lets judges take turns (`inTurn`), guards `address` (`onlyAsked`), and sets policy,
   * ranking and the number of reviews. `policy`, `ranking` and `budget.reviews` win over it.
   * docs/trust.md lists what each preset costs.
   *
   * @default undefined every verdict counts as it is
   */
  trust?: Trust;
  /**
   * The models that take turns with the judge of each reviewer under `trust`. Two of other families
   * are best.
   *
   * @default undefined one model judges, and one pass is enough, with a warning
   */
  confirmWith?: LLMProvider | readonly LLMProvider[];
  /** The limits of a run. @default { reviews: 3 }, or the reviews of the `trust` preset */
  budget?: Budget;
  /**
   * Timeouts of single calls, in milliseconds.
   *
   * @default 600000 for produce and address, 60000 for checks
   */
  timeouts?: Partial<Timeouts>;
  /** Whether models are skipped when checks by code already prevent approval. @default true */
  failFast?: boolean;
  /** Whether a verdict is reused while the selection of its `scope` stays equal. @default true */
  reuse?: boolean;
  /** Stores verdicts for later runs. @default undefined verdicts are reused within a run only */
  verdicts?: VerdictStore;
  /**
   * Stores what people decide where no judge could tell. A decision is reused while the criterion,
   * the task and the output are equal.
   *
   * @default the store of `verdicts`
   */
  decisions?: VerdictStore;
  /** Whether an output without content is reviewed. Without it, that is a critical gap. @default false */
  allowEmpty?: boolean;
  /** How often a failed judge is asked again. @default 1 */
  retries?: number;
  /** The weight of each score. @default { quality: 0.4, completeness: 0.4, correctness: 0.2 } */
  weights?: ScoreWeights;
  /** Limits concurrent calls. @default one limiter per process, 16 calls at a time */
  limiter?: Limiter;
  /** Stores the journals of runs. @default memoryStore() */
  store?: Store;
  /** The files that `produce` and `address` change beside their output. @default none */
  workspace?: Workspace;
  /** How people take part. @default { policy: 'auto' } */
  human?: HumanOptions;
  /** Fills `context.lessons`, and captures lessons after a run. @default none */
  learn?: LessonStore;
  /**
   * Records the decisions of people. A decision that cannot be recorded does not count.
   *
   * @default none; the journal still records it
   */
  audit?: AuditSink;
  /**
   * Called round each piece of work of every run, for tracers. `next` does the work. docs/events.md
   * lists the spans.
   *
   * @default undefined
   */
  around?: Around;
  /** Receives log lines. @default a silent logger */
  logger?: Logger;
  /** Source of time. @default the system clock */
  clock?: Clock;
  /** Source of ids and nonces. @default random UUIDs */
  random?: Random;
  /** A schema that checks each task; it also infers the type. */
  task?: z.ZodType<Task>;
  /** A schema that checks each output; it also infers the type. */
  output?: z.ZodType<Output>;
}

/** A loop of produce, review and address. One pipeline serves any number of runs at a time. */
export interface Pipeline<Task, Output> {
  /** The name in logs and journals. */
  readonly name: string;
  /** Whether it changes files beside its output. */
  readonly hasWorkspace: boolean;
  /**
   * Starts a run, or continues the run recorded under `runId`. It rejects only on misuse; every
   * other result is an outcome.
   */
  readonly run: (task: Task, options?: RunOptions) => Promise<Outcome<Output>>;
  /**
   * Starts or continues a run like `run`, and returns its events for `for await`. `outcome` of the
   * stream is the outcome. Leaving the loop early cancels the run.
   */
  readonly stream: (task: Task, options?: RunOptions) => RunStream<Output>;
  /**
   * Continues a kept run from its record, with the task that it was started with. It rejects as
   * `run` does, and with `run_unknown`.
   */
  readonly resume: (runId: string, options?: RunOptions) => Promise<Outcome<Output>>;
  /** Answers a question of a suspended run, and continues the run. */
  readonly answer: (
    request: RequestReference,
    answer: HumanAnswer,
    options?: RunOptions,
  ) => Promise<Outcome<Output>>;
  /**
   * Decides what no judge could tell about a version of a suspended or an ended run, and continues
   * the run. The policy then judges the version with these decisions.
   */
  readonly decide: (
    version: VersionReference,
    decision: Omit<DecisionAnswer, 'kind'>,
    options?: RunOptions,
  ) => Promise<Outcome<Output>>;
  /**
   * Answers like `answer`, and returns the events of the continued run. Leaving the loop early cancels
   * the run; the answer stays recorded.
   */
  readonly streamAnswer: (
    request: RequestReference,
    answer: HumanAnswer,
    options?: RunOptions,
  ) => RunStream<Output>;
  /** Decides like `decide`, and returns the events of the continued run. */
  readonly streamDecide: (
    version: VersionReference,
    decision: Omit<DecisionAnswer, 'kind'>,
    options?: RunOptions,
  ) => RunStream<Output>;
  /** Accepts the version of an ended run that nobody approved; the outcome is `accepted`. */
  readonly override: (
    version: VersionReference,
    override: { readonly by: string; readonly reason: string },
    options?: RunOptions,
  ) => Promise<Outcome<Output>>;
  /** Reviews an existing output once. Nothing is recorded. */
  readonly review: (
    task: Task,
    output: Output,
    options?: { signal?: AbortSignal },
  ) => Promise<Review>;
  /**
   * How many runs `runAll` starts at a time: the limiter's concurrency, at most 64; 1 with a
   * workspace.
   */
  readonly concurrency: number;
  /**
   * Adds a listener for an event of every run. A listener that throws is logged. Returns a function
   * that removes the listener.
   */
  readonly on: <Name extends ReviewEventName>(
    event: Name,
    listener: ReviewEvents[Name],
  ) => () => void;
}

/** The type of an option that has another name here: the compiler shows the option to use. */
export interface Use<Option extends string> {
  readonly use: Option;
}

/** Names that other libraries have for options, refused with the name here. */
export interface Misnomers {
  /** @deprecated Use `budget.reviews`. */
  maxIterations?: Use<'budget.reviews'>;
  /** @deprecated Use `retries`. */
  maxRetries?: Use<'retries'>;
  /** @deprecated Use `policy: thresholds({ ... })`. */
  threshold?: Use<'policy: thresholds({ quality })'>;
  /** @deprecated Use `reviewers`. */
  reviewer?: Use<'reviewers'>;
  /** @deprecated Use `criteria` or `reviewers`. */
  evaluate?: Use<'criteria or reviewers'>;
  /** @deprecated Use `produce`. */
  generate?: Use<'produce'>;
  /** @deprecated Use `address`. */
  revise?: Use<'address'>;
}

const instead: { readonly [Name in keyof Misnomers]-?: NonNullable<Misnomers[Name]>['use'] } = {
  maxIterations: 'budget.reviews',
  maxRetries: 'retries',
  threshold: 'policy: thresholds({ quality })',
  reviewer: 'reviewers',
  evaluate: 'criteria or reviewers',
  generate: 'produce',
  revise: 'address',
};

export function checkMisnomers(options: object): void {
  checkPlain('definePipeline', options);
  for (const [name, use] of Object.entries(instead))
    if (Object.hasOwn(options, name))
      throw new ReviewLoopError(
        'invalid_options',
        `definePipeline has no option \`${name}\`; use \`${use}\``,
        { value: name },
      );
}
