import type { Location } from '../core/gap.js';
import type { LLMProvider } from '../core/llm-provider.js';
import type { ChecklistDraft, ChecklistItem, ChecklistPhase } from './checklist.js';

/** What a verifier says: `true`, what is wrong, what is wrong with its repair, quote and place, or why it cannot tell. */
export type ItemAnswer =
  | true
  | string
  | {
      readonly finding: string;
      readonly fix?: string | undefined;
      readonly evidence?: string | undefined;
      readonly location?: Location | undefined;
    }
  | { readonly skipped: string };

/** What a verifier may know beside what it judges. */
export interface VerifyContext {
  readonly signal: AbortSignal;
}

/** A check by code that items can name as their `rule`. */
export interface ChecklistRule<Work> {
  readonly id: string;
  /** Change it with the rule: items that passed are verified anew. */
  readonly version: string;
  /** What it reads, as JSON data: an item counts as unchanged while that is equal. @default what the scope selects */
  readonly view?: ((work: Work, scope: string) => unknown) | undefined;
  /** Judges what `view` gave. */
  readonly check: (
    view: unknown,
    item: ChecklistItem,
    context: VerifyContext,
  ) => ItemAnswer | Promise<ItemAnswer>;
}

/** What a module may know beside the work. */
export interface DecomposeContext {
  /** The items of the modules before it. */
  readonly drafts: readonly ChecklistDraft[];
  /** What was asked for. */
  readonly request?: string | undefined;
  readonly provider?: LLMProvider | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A ready checklist: one aspect of a phase, its items and the rules that verify some of them by code. */
export interface ChecklistModule<Work> {
  readonly name: string;
  readonly phase: ChecklistPhase;
  /** What it validates, in words. */
  readonly aspect: string;
  readonly rules: readonly ChecklistRule<Work>[];
  /** The items for a work. Modules are asked one after another. */
  readonly decompose: (
    work: Work,
    context?: DecomposeContext,
  ) => readonly ChecklistDraft[] | Promise<readonly ChecklistDraft[]>;
}
