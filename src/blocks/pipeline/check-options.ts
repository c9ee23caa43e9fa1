import { ReviewLoopError } from '../../core/errors.js';
import {
  call,
  checkChoice,
  checkList,
  checkPositive,
  checkSchema,
  checkTable,
  elsewhere,
  fits,
  flag,
  invalid,
  list,
  nested,
  type OptionTable,
  oneOf,
  port,
  required,
  text,
  whole,
} from '../../core/options.js';
import { type Reviewer, tiers } from '../../core/reviewer.js';
import type { Budget, HumanOptions, Timeouts } from '../../engine/definition.js';
import { type Logger, silentLogger } from '../../ports/logger.js';
import { portTable } from '../../ports/port-table.js';
import type { VerdictStore } from '../../ports/verdict-store.js';
import type { Misnomers, PipelineOptions } from './pipeline-options.js';

/** The limits of a run, and how it asks people. The products pass them on. */
export const runTable = {
  retries: whole(0),
  timeouts: nested<Partial<Timeouts>>({
    produceMs: checkPositive,
    checkMs: checkPositive,
    addressMs: checkPositive,
    reviewMs: checkPositive,
    iterationMs: checkPositive,
    workspaceMs: checkPositive,
  }),
  human: nested<HumanOptions>({
    expiresAfterMs: checkPositive,
    notify: call,
    onReject: oneOf('end', 'revise'),
    policy: required(oneOf('auto', 'prompt', 'require')),
  }),
} as const;

const table: OptionTable<Omit<PipelineOptions<never, never>, keyof Misnomers>> = {
  ...{ name: text, version: text, task: checkSchema, output: checkSchema },
  ...{ produce: call, address: call, policy: call, ranking: call, around: call },
  ...{ failFast: flag, reuse: flag, allowEmpty: flag },
  ...portTable,
  ...runTable,
  workspace: port('snapshot', 'restore'),
  decisions: port('get', 'put'),
  ...{ criteria: elsewhere(), reviewers: list, weights: elsewhere(), confirmWith: elsewhere() },
  budget: nested<Budget>({
    reviews: whole(1),
    tokens: checkPositive,
    costUsd: checkPositive,
    timeoutMs: checkPositive,
  }),
  trust: fits(
    'one of `fast`, `guarded` and `autonomous` of reviewloop/reviewers',
    (value) => typeof value === 'object' && value !== null && 'reviewers' in value,
  ),
  onChange: oneOf('continue', 'restart', 'ask'),
};

export function checkOptions(options: object): void {
  checkTable('definePipeline', table, options);
}

interface Given {
  readonly verdicts?: VerdictStore;
  readonly logger?: Logger;
}

export function checkReviewers(reviewers: readonly Reviewer<never, never>[]): void {
  checkList('reviewers', reviewers);
  const ids = new Map<string, string>();
  for (const reviewer of reviewers) {
    if (
      typeof reviewer?.id !== 'string' ||
      reviewer.id === '' ||
      typeof reviewer.review !== 'function'
    )
      throw invalid('reviewers', 'reviewers with an id and a `review` function', reviewer);
    const { id, tier, after = [] } = reviewer;
    if (tier === undefined) throw invalid(`tier of ${id}`, 'set', tier);
    checkChoice(`tier of ${id}`, tier, tiers);
    checkList(`after of ${id}`, after);
    if (ids.has(reviewer.id))
      throw new ReviewLoopError('duplicate_id', `two reviewers have the id ${reviewer.id}`);
    ids.set(reviewer.id, reviewer.tier);
    const stray = after.find((id) => id === reviewer.id || ids.get(id) !== reviewer.tier);
    if (stray !== undefined)
      throw invalid(
        `after of ${reviewer.id}`,
        'ids of reviewers earlier in the list and of the same tier',
        stray,
      );
  }
}

/**
 * Returns the verdict store. Logs the reviewers whose verdicts it cannot reuse in later runs;
 * otherwise nobody would know why they are asked again.
 */
export function checkedVerdicts<Task, Output>(
  { verdicts, logger = silentLogger }: Given,
  reviewers: readonly Reviewer<Task, Output>[],
): VerdictStore | undefined {
  if (verdicts === undefined) return undefined;
  const within = reviewers.filter(({ reuse }) => reuse === 'run').map(({ id }) => id);
  if (within.length > 0)
    logger.info(
      { reviewers: within },
      'these reviewers set no `version`: their verdicts are not reused in later runs',
    );
  return verdicts;
}
