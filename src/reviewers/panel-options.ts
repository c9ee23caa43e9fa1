import {
  checkList,
  checkPositive,
  checkRange,
  checkTable,
  filled,
  invalid,
  nested,
  type OptionTable,
  oneOf,
  required,
  whole,
} from '../core/options.js';
import type { Reviewer } from '../core/reviewer.js';

/** Options of `panel`: how votes become one verdict. */
export interface PanelOptions {
  /** The id of the panel and of its criterion. @default the id of the first member */
  readonly id?: string | undefined;
  /**
   * The least number of members that must vote; with fewer, the panel is errored.
   *
   * @default more than half of the members
   */
  readonly quorum?: number | undefined;
  /** The verdict of an even split; never a pass. @default 'fail' */
  readonly tie?: 'fail' | 'errored' | undefined;
  /**
   * The number of fails that fail the panel, even if most members pass; 1 gives each member a veto.
   *
   * @default undefined the majority decides
   */
  readonly veto?: number | undefined;
  /**
   * The number of members that must report a finding before it may be edited; otherwise it is
   * disputed.
   *
   * @default 1
   */
  readonly toEdit?: number | undefined;
  /**
   * Asks again if the mean score is at most `within` from `bar`, or if votes are even.
   *
   * @default never
   */
  readonly borderline?:
    | {
        readonly bar: number;
        readonly within: number;
        /** The greatest number of further rounds. @default 1 */
        readonly rounds?: number | undefined;
      }
    | undefined;
}

const table: OptionTable<PanelOptions> = {
  ...{ id: filled('a non-empty string'), quorum: whole(1), tie: oneOf('fail', 'errored') },
  ...{ veto: whole(1), toEdit: whole(1) },
  borderline: nested<NonNullable<PanelOptions['borderline']>>({
    bar: required(checkRange),
    within: required(checkPositive),
    rounds: whole(1),
  }),
};

/** The options of a panel with their defaults. */
export interface PanelRules {
  readonly id: string;
  readonly quorum: number;
  readonly tie: 'fail' | 'errored';
  readonly veto: number | undefined;
  readonly toEdit: number;
  readonly borderline:
    | { readonly bar: number; readonly within: number; readonly rounds: number }
    | undefined;
}

/** @throws ReviewLoopError `invalid_options` */
export function panelRules(
  members: readonly Reviewer<never, never>[],
  options: PanelOptions,
): PanelRules {
  checkList('the members of a panel', members);
  if (members.length === 0) throw invalid('the members of a panel', 'a non-empty list', members);
  for (const member of members)
    if (typeof member?.review !== 'function')
      throw invalid('the members of a panel', 'reviewers', member);
  checkTable('panel', table, options);
  const {
    id = members[0]?.id ?? '',
    quorum = Math.floor(members.length / 2) + 1,
    tie = 'fail',
    veto,
    toEdit = 1,
    borderline,
  } = options;
  table.id('id', id);
  if (quorum > members.length)
    throw invalid('quorum', `at most ${members.length}, the number of members`, quorum);
  return {
    id,
    quorum,
    tie,
    veto,
    toEdit,
    borderline: borderline && { ...borderline, rounds: borderline.rounds ?? 1 },
  };
}
