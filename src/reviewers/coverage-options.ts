import type { RequirementCoverage } from '../core/coverage.js';
import type { CriterionContext, RequirementDecider } from '../core/criterion.js';
import { hashText } from '../core/hash.js';
import type { LLMProvider } from '../core/llm-provider.js';
import {
  call,
  checkRange,
  checkTable,
  fits,
  isCallable,
  type OptionTable,
  oneOf,
  required,
  text,
} from '../core/options.js';
import type { Requirement } from '../requirements/requirement.js';
import type { StrategyContext } from '../requirements/strategy.js';
import type { CoverageModel } from './model-coverage.js';

/** How `requirementCoverage` reads requirements and judges coverage. */
export interface RequirementCoverageOptions<Output, Request>
  extends CoverageRules<Output, Request, CriterionContext> {}

/** The options for checks that need more than the plain context. */
export interface CoverageRules<Output, Request, Context> {
  /**
   * Reads the requirements: a function, or a `RequirementExtractor`, whose strategies may ask a
   * model.
   */
  readonly extractRequirements:
    | ((request: Request) => Promise<string[]>)
    | RequirementSource<Request>;
  /** Checks whether an output covers one requirement. */
  readonly checkRequirementCovered: (
    requirement: string,
    output: Output,
    context: Context,
  ) => Promise<RequirementCoverage>;
  /**
   * Checks that can decide requirements, for example criteria with `decides`. They go first, and
   * one that finds a requirement violated outweighs the others.
   *
   * @default []
   */
  readonly deciders?: readonly RequirementDecider<Output>[] | undefined;
  /**
   * Whether `checkRequirementCovered` decides, or only shows where to look. With `hint`, a
   * requirement that no check and no judge decides is undecided.
   *
   * @default 'decide'
   */
  readonly words?: 'decide' | 'hint' | undefined;
  /**
   * Whether a requirement blocks while it is uncovered.
   *
   * @default true for the strength MUST, of an extractor or of its own words
   */
  readonly mandatory?:
    | ((requirement: string, request: Request) => boolean | Promise<boolean>)
    | undefined;
  /** From this share of covered requirements on, the others are minor gaps; 0 to 1. @default 0.9 */
  readonly threshold?: number | undefined;
  /**
   * Change it when the rules change. Without it, verdicts are reused within a run only.
   *
   * @default undefined
   */
  readonly version?: string | undefined;
  /**
   * Decides about requirements whose evidence is `unsure`: a function, or `modelCoverage()`.
   *
   * @default undefined an unsure requirement is uncovered
   */
  readonly judge?: CoverageJudge<Output, Request> | CoverageModel | undefined;
}

/** A source of requirements that may make its own steps, such as a `RequirementExtractor`. */
export interface RequirementSource<Request> {
  readonly makesSteps: boolean;
  /** Returns the same source with this provider. Present only while it needs one. */
  readonly withProvider?: ((provider: LLMProvider) => RequirementSource<Request>) | undefined;
  /** Returns the requirements of a task. */
  readonly extract: (request: Request, context?: StrategyContext) => Promise<Requirement[]>;
}

/** Decides whether an unsure requirement is covered. */
export type CoverageJudge<Output, Request> = (
  unsure: RequirementCoverage,
  subject: { readonly task: Request; readonly output: Output },
  context: CriterionContext,
) => Promise<RequirementCoverage>;

const table: OptionTable<CoverageRules<never, never, never>> = {
  extractRequirements: required(
    fits('a function, or a RequirementExtractor', (source) => isAsked(source, 'extract')),
  ),
  ...{ checkRequirementCovered: required(call), mandatory: call, words: oneOf('decide', 'hint') },
  deciders: fits(
    'checks with `decides`',
    (deciders) => Array.isArray(deciders) && deciders.every((one) => isCallable(one, 'decides')),
  ),
  ...{ threshold: checkRange, version: text },
  judge: fits('a function, or modelCoverage()', (judge) => isAsked(judge, 'judgeAll')),
};

function isAsked(value: unknown, name: string): boolean {
  return typeof value === 'function' || isCallable(value, name);
}

/** @throws ReviewLoopError `invalid_options` */
export function checkCoverageOptions(options: object): void {
  checkTable('requirementCoverage', table, options);
}

/** Returns the version of a coverage reviewer: a hash of its rules. */
export function coverageVersion<Output, Request, Context>(
  {
    version,
    extractRequirements,
    checkRequirementCovered,
    judge,
    words = 'decide',
    deciders = [],
  }: CoverageRules<Output, Request, Context>,
  threshold: number,
): string {
  const checks = deciders.map(({ id, version: own }) => `${id}:${own}`).join();
  const model = typeof judge === 'object' ? judge.version : undefined;
  const rules =
    version ??
    `${String(extractRequirements)}${String(checkRequirementCovered)}${model === undefined ? String(judge) : ''}`;
  return hashText(
    `${rules}\u0000${threshold}\u0000${words}\u0000${checks}${model === undefined ? '' : `\u0000${model}`}`,
  ).slice(0, 16);
}
