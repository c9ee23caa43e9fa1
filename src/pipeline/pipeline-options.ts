import type * as z from 'zod';
import type { ReviewEventName, ReviewEvents } from '../core/event.js';
import type { Gap } from '../core/gap.js';
import type { HumanAnswer } from '../core/human.js';
import type { LLMProvider } from '../core/llm-provider.js';
import type { Outcome } from '../core/outcome.js';
import type { Policy } from '../core/policy.js';
import type { Ranking } from '../core/ranking.js';
import type { Review } from '../core/review.js';
import type { Reviewer } from '../core/reviewer.js';
import type { ScoreWeights } from '../core/scores.js';
import type {
  AddressContext,
  Budget,
  HumanOptions,
  ProduceContext,
  Timeouts,
} from '../engine/definition.js';
import type { RequestReference, VersionReference } from '../engine/human-answers.js';
import type { RunOptions } from '../engine/run-pipeline.js';
import type { AuditSink } from '../ports/audit-sink.js';
import type { Clock } from '../ports/clock.js';
import type { LessonStore } from '../ports/lesson-store.js';
import type { Limiter } from '../ports/limiter.js';
import type { Logger } from '../ports/logger.js';
import type { Random } from '../ports/random.js';
import type { Store } from '../ports/store.js';
import type { VerdictStore } from '../ports/verdict-store.js';
import type { Workspace } from '../ports/workspace.js';
import type { CriteriaMap } from '../reviewers/criterion.js';
import type { Trust } from './trust-presets.js';

/** What a pipeline is made of. Everything but the criteria or reviewers has a default. */
export interface PipelineOptions<Task, Output> {
  /** For logs and journals. @default 'pipeline' */
  name?: string;
  /** Makes the first output. Without it there is only `review`. */
  produce?: (task: Task, context: ProduceContext) => Promise<Output>;
  /** Improves an output for the sake of its gaps; returns the whole output. Without it there is one round, and what fixers can do. */
  address?: (
    output: NoInfer<Output>,
    gaps: Gap[],
    context: AddressContext<NoInfer<Task>>,
  ) => Promise<NoInfer<Output>>;
  /** Checks by id. */
  criteria?: CriteriaMap<NoInfer<Output>, NoInfer<Task>>;
  /** Inherited by blocks that ask a model and name none. */
  provider?: LLMProvider;
  /** Any other judges. */
  reviewers?: readonly Reviewer<NoInfer<Task>, NoInfer<Output>>[];
  /** @default noProgress(thresholds()) */
  policy?: Policy;
  /** Which of two versions is better. @default keepBest() */
  ranking?: Ranking;
  /**
   * How far verdicts are to be trusted: `fast` checks findings before they are edited and has an approval confirmed, `guarded` asks a
   * person about what judges dispute, `autonomous` has every approval confirmed twice. It sets reviewers, policy, ranking and the
   * number of reviews; what is given beside it wins. docs/trust.md has what each costs.
   *
   * @default every verdict counts as it is
   */
  trust?: Trust;
  /** Who takes second looks and confirms under `trust`; best of other families than the judges. @default the judges themselves, with a warning */
  confirmWith?: LLMProvider | readonly LLMProvider[];
  /** @default three reviews, nothing else bounded */
  budget?: Budget;
  /** How long single calls may take. @default 10 minutes for produce and address, 1 minute for checks */
  timeouts?: Partial<Timeouts>;
  /** Whether models are left out once deterministic checks rule approval out. @default true */
  failFast?: boolean;
  /** Whether a verdict is reused while what its criterion's `scope` selects is equal. @default true */
  reuse?: boolean;
  /** Keeps verdicts over runs. @default none: they are reused within a run only */
  verdicts?: VerdictStore;
  /** How often a judge that failed is asked again. @default 1 */
  retries?: number;
  /** How much each score counts. @default quality 0.4, completeness 0.4, correctness 0.2 */
  weights?: ScoreWeights;
  /** @default one for the whole process, 16 calls at a time */
  limiter?: Limiter;
  /** @default memoryStore() */
  store?: Store;
  /** What `produce` and `address` write to beside their output. @default none, and no cost */
  workspace?: Workspace;
  /** @default { policy: 'auto' } */
  human?: HumanOptions;
  /** Fills `context.lessons`, and captures afterwards. @default nothing is read or written */
  learn?: LessonStore;
  /** Records what people decide; a decision that cannot be recorded does not count. @default nothing is recorded beside the journal */
  audit?: AuditSink;
  /** @default silent */
  logger?: Logger;
  /** @default the machine's */
  clock?: Clock;
  /** @default UUIDs */
  random?: Random;
  /** Infers the type of the task, and checks it. */
  task?: z.ZodType<Task>;
  /** Infers the type of the output, and checks it. */
  output?: z.ZodType<Output>;
}

/** Produces, reviews and addresses, with verdicts that can be trusted. One pipeline serves any number of runs at a time. */
export interface Pipeline<Task, Output> {
  /** Starts, or continues what is recorded under `runId`. Rejects only for misuse; every other end is an outcome. */
  readonly run: (task: Task, options?: RunOptions) => Promise<Outcome<Output>>;
  /** Answers a question of a suspended run, and goes on with it. */
  readonly answer: (
    request: RequestReference,
    answer: HumanAnswer,
    options?: RunOptions,
  ) => Promise<Outcome<Output>>;
  /** Lets through the version that an ended run holds, although nobody approved it; the outcome is `accepted`. */
  readonly override: (
    version: VersionReference,
    override: { readonly by: string; readonly reason: string },
    options?: RunOptions,
  ) => Promise<Outcome<Output>>;
  /** One review of an output that already exists. Nothing is recorded. */
  readonly review: (
    task: Task,
    output: Output,
    options?: { signal?: AbortSignal },
  ) => Promise<Review>;
  /** How many of its runs `runAll` starts at a time: as the limiter has slots, 64 at most; 1 with a workspace. */
  readonly concurrency: number;
  /** Calls back on an event of every run. A listener that throws is logged. */
  readonly on: <Name extends ReviewEventName>(event: Name, listener: ReviewEvents[Name]) => void;
}
