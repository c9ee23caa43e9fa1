import type { Location } from '../../core/gap.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import type { ChecklistItem, ChecklistPhase } from '../../ports/checklist/checklist-state.js';
import type { ChecklistDraft } from './checklist.js';

/**
 * The answer of a verifier: `true` for PASS; a finding, alone or with fix, quote and place, for
 * FAIL; `{ skipped: reason }` where the verifier cannot decide.
 */
export type ItemAnswer =
  | true
  | string
  | {
      /** The reason for the failure. */
      readonly finding: string;
      /** The fix. @default derived from the item's check */
      readonly fix?: string | undefined;
      /** A quote from the work that shows the problem. */
      readonly evidence?: string | undefined;
      /** The place of the problem. */
      readonly location?: Location | undefined;
    }
  | { readonly skipped: string };

/** The context of a verifier, besides its view and item. */
export interface VerifyContext {
  /** Aborts when the run is cancelled or the check times out. */
  readonly signal: AbortSignal;
}

/** A check in code. An item refers to it by `rule`. */
export interface ChecklistRule<Work> {
  /** Unique among the rules of a gate. */
  readonly id: string;
  /** The version of the rule. Change it with the rule: passed items are then verified again. */
  readonly version: string;
  /**
   * Returns what the rule reads, as JSON data. An item counts as unchanged while its view is
   * equal. @default what the gate's `select` returns for the scope
   */
  readonly view?: ((work: Work, scope: string) => unknown) | undefined;
  /** Judges the view. */
  readonly check: (
    view: unknown,
    item: ChecklistItem,
    context: VerifyContext,
  ) => ItemAnswer | Promise<ItemAnswer>;
}

/** The context of a module, besides the work. */
export interface DecomposeContext {
  /** The items of the modules before this one. */
  readonly drafts: readonly ChecklistDraft[];
  /** The request that the work answers: the gate's option `request`. */
  readonly request?: string | undefined;
  /** The gate's model. @default none */
  readonly provider?: LLMProvider | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A checklist for one aspect of a phase: its items, and the rules that verify some of them. */
export interface ChecklistModule<Work> {
  readonly name: string;
  readonly phase: ChecklistPhase;
  /** The subject of the module's review, in words. */
  readonly aspect: string;
  readonly rules: readonly ChecklistRule<Work>[];
  /** Returns the items for a work. The gate calls its modules one after another. */
  readonly decompose: (
    work: Work,
    context?: DecomposeContext,
  ) => readonly ChecklistDraft[] | Promise<readonly ChecklistDraft[]>;
}
