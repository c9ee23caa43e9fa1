import type { LLMProvider } from '../../core/llm-provider.js';
import {
  checkTable,
  checkWhole,
  invalid,
  nested,
  type OptionTable,
  required,
  whole,
} from '../../core/options.js';
import { plural } from '../../core/plural.js';
import type { Reviewer } from '../../core/reviewer.js';
import { type Logger, silentLogger } from '../../ports/logger.js';
import { portTable } from '../../ports/port-table.js';
import { checkProvider } from '../models/answer/ask-options.js';
import { isSameModel } from './confirm.js';

export interface Passes {
  /** For a text that was never edited; from 1. @default 3 */
  readonly first?: number | undefined;
  /** For an edited text; at least `first`, because more of them are wrong. @default one more */
  readonly edited?: number | undefined;
}

export interface InTurnOptions {
  /** The judges, in the order of their turns; the first one begins. One named twice counts once. */
  readonly providers: readonly LLMProvider[];
  /**
   * A criterion of severity `minor` needs one pass. No more passes are needed than there are different
   * judges.
   *
   * @default 3 first, 4 edited
   */
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
  /** Receives a warning if `passes.first` needs more judges than there are. @default silent */
  readonly logger?: Logger | undefined;
}

export const judgesTable = {
  providers: required<object>((name, value) => {
    if (!Array.isArray(value) || value.length === 0)
      throw invalid(name, 'a list of providers that is not empty', value);
    for (const provider of value) checkProvider(provider);
  }),
} as const;

const table: OptionTable<InTurnOptions> = {
  ...judgesTable,
  passes: nested<Passes>({ first: whole(1), edited: whole(1) }),
  ...{ after: whole(1), tries: whole(1), logger: portTable.logger },
};

export type TurnRules = ReturnType<typeof turnRules>;

export function turnRules(
  reviewer: Pick<Reviewer<never, never>, 'id' | 'asks'>,
  options: InTurnOptions,
) {
  if (typeof reviewer?.asks?.asking !== 'function')
    throw invalid('reviewer', 'one that asks a model, such as llmCriterion(...)', reviewer?.id);
  checkTable('inTurn', table, options);
  const { passes = {}, after = 3, tries = 12, logger = silentLogger } = options;
  const { first = 3, edited = first + 1 } = passes;
  checkWhole('passes.edited', edited, first);
  const providers = differentJudges(options.providers);
  const most = providers.length;
  if (passes.first !== undefined && first > most)
    logger.warn(
      { reviewers: [reviewer.id], passes: first, judges: most },
      `a text needs ${plural(most, 'pass', 'passes')}: ${whatJudgesBuy}`,
    );
  return { providers, first: Math.min(first, most), edited: Math.min(edited, most), after, tries };
}

/** A second call of one judge repeats its mistakes. */
export function differentJudges(given: readonly LLMProvider[]): readonly LLMProvider[] {
  return given.filter(
    (one, index) => given.findIndex((other) => isSameModel(one, other)) === index,
  );
}

/** What another pass buys, measured on recorded judges: docs/trust.md has the tables. */
export const whatJudgesBuy =
  'no judge counts twice. On recorded judges 4.7 % of the approvals of one judge are wrong; ' +
  'a second pass of the same judge makes it 4.1 %, a judge of another family 3.3 %, a third one 2.8 %';
