import type * as z from 'zod';
import type { Gap } from '../core/gap.js';
import type { HumanRequest } from '../core/human.js';
import type { Policy } from '../core/policy.js';
import type { Ranking } from '../core/ranking.js';
import type { Reviewer } from '../core/reviewer.js';
import type { ScoreWeights } from '../core/scores.js';
import type { StepContext } from '../core/step.js';
import type { AuditSink } from '../ports/audit-sink.js';
import type { Clock } from '../ports/clock.js';
import type { LessonStore } from '../ports/lesson-store.js';
import type { Limiter } from '../ports/limiter.js';
import type { Logger } from '../ports/logger.js';
import type { Random } from '../ports/random.js';
import type { Store } from '../ports/store.js';
import type { VerdictStore } from '../ports/verdict-store.js';
import type { Workspace } from '../ports/workspace.js';
import type { EventHub } from './events.js';

/** What `produce` receives beside the task. */
export interface ProduceContext extends StepContext {
  /** What earlier runs taught; empty without a lesson store. */
  readonly lessons: string;
}

/** What `address` receives beside the output and its gaps. */
export interface AddressContext<Task> extends StepContext {
  readonly task: Task;
  /** What earlier runs taught; empty without a lesson store. */
  readonly lessons: string;
  /** A prompt that asks a model for the improvements, with the output fenced and every gap by its id. */
  readonly prompt: string;
  /** Gaps that the last rejected attempt had added; do not bring them back. */
  readonly regressed: readonly Gap[];
  /** What a person said. */
  readonly note?: string | undefined;
}

/** The bounds of a run. */
export interface Budget {
  /** How many reviews there may be. @default 3 */
  readonly reviews?: number | undefined;
  /** Tokens of produce, review and address together, as far as they are reported. @default unlimited */
  readonly tokens?: number | undefined;
  /** @default unlimited */
  readonly costUsd?: number | undefined;
  /** Wall time of one call of `run` or `answer`, queues included. @default unlimited */
  readonly timeoutMs?: number | undefined;
}

/** How long single calls may take, from the moment they have their slot. */
export interface Timeouts {
  /** @default 600000 */
  readonly produceMs: number;
  /** Each check of a criterion, and each step of a reviewer that names no timeout. @default 60000 */
  readonly checkMs: number;
  /** @default 600000 */
  readonly addressMs: number;
  /** One review, all of its tiers together. @default unlimited */
  readonly reviewMs: number | undefined;
  /** One review and the address after it. @default unlimited */
  readonly iterationMs: number | undefined;
  /** Keeping the state of a workspace, or bringing one back. @default 600000 */
  readonly workspaceMs: number;
}

/** When a person is asked about a version that the reviewers approve. */
export interface HumanOptions {
  /** `auto` never, `prompt` after an approval, `require` after an approval and without the choice to skip. */
  readonly policy: 'auto' | 'prompt' | 'require';
  /** Told of every request; at least once, keyed by `request.id`. */
  readonly notify?: ((request: HumanRequest) => Promise<void>) | undefined;
  /** What a person's rejection makes of the run: its end, or one more revision with the reason as its note while reviews are left. @default 'end' */
  readonly onReject?: 'end' | 'revise' | undefined;
  /** How long a question can be answered; afterwards the run ends `timed_out`, never approved. @default for ever */
  readonly expiresAfterMs?: number | undefined;
}

/** What the engine runs: checked options with every default filled in. */
export interface Definition<Task, Output> {
  readonly name: string;
  readonly produce: ((task: Task, context: ProduceContext) => Promise<Output>) | undefined;
  readonly address:
    | ((output: Output, gaps: Gap[], context: AddressContext<Task>) => Promise<Output>)
    | undefined;
  readonly reviewers: readonly Reviewer<Task, Output>[];
  readonly policy: Policy;
  readonly ranking: Ranking;
  readonly weights: ScoreWeights;
  readonly budget: Budget & { readonly reviews: number };
  readonly timeouts: Timeouts;
  /** Whether a tier is left out once approval is no longer possible. */
  readonly failFast: boolean;
  /** Whether verdicts over an equal view are reused. */
  readonly reuse: boolean;
  /** VerdictCache that are kept over runs. */
  readonly verdicts: VerdictStore | undefined;
  /** How often a judge that failed is asked again. */
  readonly retries: number;
  readonly limiter: Limiter;
  readonly store: Store;
  readonly workspace: Workspace | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly events: EventHub;
  readonly human: HumanOptions | undefined;
  readonly learn: LessonStore | undefined;
  readonly audit: AuditSink | undefined;
  readonly taskSchema: z.ZodType<Task> | undefined;
  readonly outputSchema: z.ZodType<Output> | undefined;
  /** Makes `context.prompt` of `address`; loaded when it is first needed. */
  readonly loadAddressPrompt: () => Promise<AddressPrompt<Task, Output>>;
}

/** Makes the prompt that asks a model for improvements. */
export type AddressPrompt<Task, Output> = (input: {
  readonly task: Task;
  readonly output: Output;
  readonly gaps: readonly Gap[];
  readonly nonce: string;
}) => string;
