import type { LLMProvider } from '../core/llm-provider.js';
import {
  checkTable,
  checkWhole,
  invalid,
  nested,
  type OptionTable,
  required,
  whole,
} from '../core/options.js';
import type { Reviewer } from '../core/reviewer.js';
import { checkProvider } from '../model/answer/ask-options.js';

/** How many passes in a row a text needs. */
export interface Passes {
  /** For a text that was never edited; from 1. @default 3 */
  readonly first?: number | undefined;
  /** For an edited text; at least `first`, because more of them are wrong. @default 5 */
  readonly edited?: number | undefined;
}

/** Options of `inTurn`. */
export interface InTurnOptions {
  /** The judges, in the order of their turns; the first one begins. */
  readonly providers: readonly LLMProvider[];
  /** A criterion of severity `minor` needs one pass. @default 3 first, 5 edited */
  readonly passes?: Passes | undefined;
  /**
   * After this many edits of a text, a failure needs a second one; from 1. It protects a good text
   * that one judge always fails.
   *
   * @default 3
   */
  readonly after?: number | undefined;
  /**
   * How often a judge is asked in its turn while it fails, the first time included; from 1. After
   * that the criterion is `errored`.
   *
   * @default 12
   */
  readonly tries?: number | undefined;
}

/** The judges that take turns, and their passes. */
export const turnTable = {
  providers: required<object>((name, value) => {
    if (!Array.isArray(value) || value.length === 0)
      throw invalid(name, 'a list of providers that is not empty', value);
    for (const provider of value) checkProvider(provider);
  }),
  passes: nested<Passes>({ first: whole(1), edited: whole(1) }),
} as const;

const table: OptionTable<InTurnOptions> = { ...turnTable, after: whole(1), tries: whole(1) };

/** The options of a reviewer in turn with their defaults. */
export interface TurnRules {
  readonly providers: readonly LLMProvider[];
  readonly first: number;
  readonly edited: number;
  readonly after: number;
  readonly tries: number;
}

/** @throws ReviewLoopError `invalid_options`, `provider_missing` */
export function turnRules(
  reviewer: Pick<Reviewer<never, never>, 'id' | 'asks'>,
  options: InTurnOptions,
): TurnRules {
  if (typeof reviewer?.asks?.asking !== 'function')
    throw invalid('reviewer', 'one that asks a model, such as llmCriterion(...)', reviewer?.id);
  checkTable('inTurn', table, options);
  const { providers, passes = {}, after = 3, tries = 12 } = options;
  const { first = 3, edited = Math.max(5, first) } = passes;
  checkWhole('passes.edited', edited, first);
  return { providers: [...providers], first, edited, after, tries };
}
