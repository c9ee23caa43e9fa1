import { ReviewLoopError } from '../core/errors.js';
import {
  checkChoice,
  checkKeys,
  checkList,
  checkPositive,
  checkSchema,
  checkWhole,
  invalid,
} from '../core/options.js';
import { type Reviewer, tiers } from '../core/reviewer.js';
import type { Budget, Definition, Timeouts } from '../engine/definition.js';
import { type Logger, silentLogger } from '../ports/logger.js';
import type { VerdictStore } from '../ports/verdict-store.js';
import type { Misnomers } from './misnomers.js';
import type { PipelineOptions } from './pipeline-options.js';

/** @throws ReviewLoopError `invalid_options` */
type Check = (name: string, value: unknown) => void;

const kind =
  (type: 'string' | 'function' | 'boolean', expected: string): Check =>
  (name, value) => {
    if (typeof value !== type) throw invalid(name, expected, value);
  };
const [text, call, flag] = [
  kind('string', 'a text'),
  kind('function', 'a function'),
  kind('boolean', 'true or false'),
];
/** Has the functions that the library calls on a port. */
const port =
  (...functions: string[]): Check =>
  (name, value) => {
    const called = functions.map((one) => `\`${one}\``).join(', ');
    if (!functions.every((one) => isCallable(value, one)))
      throw invalid(name, `an object with ${called}`, value);
  };
/** Checked where its parts are read. */
const elsewhere: Check = () => {};

/** The check of each option of `definePipeline`. The compiler asks for those that are missing. */
const checks: Readonly<
  Record<Exclude<keyof PipelineOptions<never, never>, keyof Misnomers>, Check>
> = {
  ...{ name: text, version: text, task: checkSchema, output: checkSchema },
  ...{ produce: call, address: call, policy: call, ranking: call, around: call },
  ...{ failFast: flag, reuse: flag, allowEmpty: flag },
  limiter: port('enter', 'age', 'spend'),
  store: port('open', 'read', 'list'),
  learn: port('relevantTo'),
  audit: port('record'),
  logger: port('debug', 'info', 'warn', 'error'),
  clock: port('now', 'after'),
  random: port('id', 'nonce'),
  workspace: port('snapshot', 'restore'),
  verdicts: port('get', 'put'),
  decisions: port('get', 'put'),
  ...{ criteria: elsewhere, reviewers: elsewhere, weights: elsewhere, budget: elsewhere },
  ...{ timeouts: elsewhere, human: elsewhere, trust: elsewhere, provider: elsewhere },
  ...{ confirmWith: elsewhere, retries: elsewhere, onChange: elsewhere },
};

/** Checks the names of the options and their values. @throws ReviewLoopError `invalid_options` */
export function checkOptions(options: object): void {
  checkKeys('definePipeline', options, Object.keys(checks));
  for (const [name, check] of Object.entries(checks)) {
    const value: unknown = Reflect.get(options, name);
    if (value !== undefined) check(name, value);
  }
}

function isCallable(given: unknown, name: string): boolean {
  return (
    ((typeof given === 'object' && given !== null) || typeof given === 'function') &&
    typeof Reflect.get(given, name) === 'function'
  );
}

/** Returns the checked budget with its defaults. @throws ReviewLoopError `invalid_options` */
export function checkedBudget(
  budget: Budget,
  preset: number | undefined,
): Definition<never, never>['budget'] {
  checkKeys('budget', budget, ['reviews', 'tokens', 'costUsd', 'timeoutMs']);
  const { reviews = preset ?? 3 } = budget;
  checkWhole('budget.reviews', reviews, 1);
  for (const name of ['tokens', 'costUsd', 'timeoutMs'] as const)
    checkPositive(`budget.${name}`, budget[name]);
  return { ...budget, reviews };
}

/** Returns the checked timeouts with their defaults. @throws ReviewLoopError `invalid_options` */
export function checkedTimeouts(timeouts: Partial<Timeouts>): Timeouts {
  checkKeys('timeouts', timeouts, [
    'produceMs',
    'checkMs',
    'addressMs',
    'reviewMs',
    'iterationMs',
    'workspaceMs',
  ]);
  for (const [key, value] of Object.entries(timeouts)) checkPositive(`timeouts.${key}`, value);
  const {
    produceMs = 600_000,
    checkMs = 60_000,
    addressMs = 600_000,
    reviewMs,
    iterationMs,
    workspaceMs = 600_000,
  } = timeouts;
  return { produceMs, checkMs, addressMs, reviewMs, iterationMs, workspaceMs };
}

interface Given {
  readonly verdicts?: VerdictStore;
  readonly logger?: Logger;
}

/** Checks ids, tiers and order. @throws ReviewLoopError `invalid_options`, `duplicate_id` */
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
