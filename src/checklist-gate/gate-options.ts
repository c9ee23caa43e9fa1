import type { StepContext } from '../core/step.js';
import type { PipelineOptions } from '../pipeline/pipeline-options.js';
import type { AgentOutput } from '../self-review/agent.js';
import type {
  ChecklistDraft,
  ChecklistItem,
  ChecklistPhase,
  ChecklistSeverity,
} from './checklist.js';
import type { ChecklistModule, ItemAnswer, VerifyContext } from './checklist-module.js';
import type { ChecklistStore } from './checklist-store.js';
import type { FixGuidance } from './fix-guidance.js';

/** The options that a gate passes to its pipeline. */
export type GatePorts = Pick<
  PipelineOptions<never, never>,
  'limiter' | 'clock' | 'random' | 'logger' | 'audit' | 'retries' | 'timeouts' | 'human'
>;

export interface FixRunContext
  extends Pick<StepContext, 'signal' | 'step' | 'reportUsage' | 'ask'> {
  /** The iteration in which the items failed, from 1. */
  readonly iteration: number;
  /** The note of a person who asked for the fix. */
  readonly note?: string | undefined;
}

/** Options of a {@link ChecklistGate}: how it decomposes, verifies, decides and fixes. */
export interface ChecklistGateOptions<Work = AgentOutput>
  extends GatePorts,
    Pick<PipelineOptions<never, never>, 'provider'> {
  /** The phase under review. */
  readonly phase: ChecklistPhase;
  /** Stores the state of the phase: `fileChecklists(folder)` or `memoryChecklists()`. */
  readonly store: ChecklistStore;
  /**
   * Breaks the work into items, once per phase: modules, or a function. Without it, the phase must
   * already have a state.
   *
   * @default none
   */
  readonly decompose?:
    | ChecklistModule<Work>
    | readonly ChecklistModule<Work>[]
    | ((work: Work) => readonly ChecklistDraft[] | Promise<readonly ChecklistDraft[]>)
    | undefined;
  /**
   * Verifies items that have no rule. Without a provider they stay TODO.
   *
   * @default the `provider` verifies them
   */
  readonly verify?:
    | ((
        item: ChecklistItem,
        view: unknown,
        context: VerifyContext,
      ) => ItemAnswer | Promise<ItemAnswer>)
    | undefined;
  /**
   * The version of `verify`. Change it with `verify`: passed items are then verified again.
   *
   * @default '1'
   */
  readonly verifyVersion?: string | undefined;
  /**
   * The lowest severity that blocks, by iteration. The first row begins with iteration 1, and
   * `from` increases.
   *
   * @default MAY from 1, SHOULD from 3, MUST from 5
   */
  readonly blocking?:
    | readonly { readonly from: number; readonly blocks: ChecklistSeverity }[]
    | undefined;
  /** The iteration after which the gate asks a person; from 1. No prompt contains it. @default 5 */
  readonly maxIterations?: number | undefined;
  /** Fixes the failed items and returns the whole work; `run` calls it. @default none */
  readonly fix?:
    | ((work: Work, guidance: FixGuidance, context: FixRunContext) => Promise<Work>)
    | undefined;
  /**
   * Returns the part of the work that a scope selects, as JSON data.
   *
   * @default `selectItems`, for a work that is an `AgentOutput`
   */
  readonly select?: ((work: Work, scope: string) => unknown) | undefined;
  /** The request that the work answers; judges read it. @default none: judges read only the work */
  readonly request?: string | undefined;
  /** Whether a phase without items passes. @default false */
  readonly allowEmpty?: boolean | undefined;
  /** Whether a PASS without digests counts, as in files of schema 1.0. @default false */
  readonly trustUnhashed?: boolean | undefined;
  /** Stores the journals of `run`. @default memoryStore() */
  readonly runs?: PipelineOptions<never, never>['store'] | undefined;
}
