import * as z from 'zod';
import type { Assessment } from '../core/assessment.js';
import {
  coverageState,
  type RequirementCoverage,
  RequirementCoverageSchema,
} from '../core/coverage.js';
import type { CriterionContext } from '../core/criterion.js';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { hashText } from '../core/hash.js';
import { digestOf } from '../core/json.js';
import type { LLMProvider } from '../core/llm-provider.js';
import { invalid } from '../core/options.js';
import type { Reviewer, ReviewerContext } from '../core/reviewer.js';
import { requirementPrefix } from '../core/scores.js';
import type { CheckCall } from '../core/step.js';
import { type Requirement, RequirementSchema } from '../requirements/requirement.js';
import type { StrategyContext } from '../requirements/strategy.js';
import { type ContextOf, plainContext } from './criterion-context.js';
import type { CoverageModel } from './model-coverage.js';

/** How coverage is judged. */
export interface RequirementCoverageOptions<Output, Request>
  extends CoverageRules<Output, Request, CriterionContext> {}

/** The same for checks that learn more than the plain context tells. */
export interface CoverageRules<Output, Request, Context> {
  /** Reads the requirements: a function, or a `RequirementExtractor`, whose strategies may ask a model. */
  readonly extractRequirements:
    | ((request: Request) => Promise<string[]>)
    | RequirementSource<Request>;
  /** Whether an output covers one of them. */
  readonly checkRequirementCovered: (
    requirement: string,
    output: Output,
    context: Context,
  ) => Promise<RequirementCoverage>;
  /** Whether a requirement blocks whenever it is not covered. @default by its words (MUST, SHALL and REQUIRED do), or by the strength that an extractor gives it */
  readonly mandatory?:
    | ((requirement: string, request: Request) => boolean | Promise<boolean>)
    | undefined;
  /** The share of covered requirements from which on the others are minor gaps, from 0 to 1. @default 0.9 */
  readonly threshold?: number | undefined;
  /** Change it when the rules change. Without one, no verdict is kept over runs. @default a hash of the functions' texts */
  readonly version?: string | undefined;
  /**
   * Asked about each requirement of which the evidence shows neither that it is covered nor that it is not (`unsure`); what it
   * says counts: a function, or `modelCoverage()`. @default nobody: what is unsure is not covered
   */
  readonly judge?: CoverageJudge<Output, Request> | CoverageModel | undefined;
}

/** Reads requirements, perhaps with steps of its own: a `RequirementExtractor`. */
export interface RequirementSource<Request> {
  readonly makesSteps: boolean;
  /** The same with this provider. Present only while it needs one. */
  readonly withProvider?: ((provider: LLMProvider) => RequirementSource<Request>) | undefined;
  /** Reads the requirements of a task. */
  readonly extract: (request: Request, context?: StrategyContext) => Promise<Requirement[]>;
}

/** Says whether an unsure requirement is covered, with more understanding than words give. */
export type CoverageJudge<Output, Request> = (
  unsure: RequirementCoverage,
  subject: { readonly task: Request; readonly output: Output },
  context: CriterionContext,
) => Promise<RequirementCoverage>;

/** Of how many runs requirements are remembered. */
const mostRemembered = 1000;

/** The id of the reviewer, and of its own assessment where there is no requirement to assess. */
const coverageId = 'requirements';

const mandatoryWords = /\b(must|shall|required)\b/i;

/**
 * Judges whether every requirement of the task is covered: one assessment, and perhaps one gap, for each. An uncovered
 * mandatory requirement is a major gap; any other is a major gap below the threshold and a minor one from it on (D004-05).
 */
export function requirementCoverage<Output, Request>(
  options: RequirementCoverageOptions<Output, Request>,
): Reviewer<Request, Output> {
  return requirementCoverageIn(options, plainContext);
}

/** The same for checks that learn more than the plain context tells. */
export function requirementCoverageIn<Output, Request, Context extends CriterionContext>(
  options: CoverageRules<Output, Request, Context>,
  contextOf: ContextOf<Request, Context>,
): Reviewer<Request, Output> {
  checkOptions(options);
  const { mandatory, threshold = 0.9 } = options;
  const blocks = (requirement: Found, request: Request): boolean | Promise<boolean> =>
    mandatory?.(requirement.text, request) ??
    (requirement.must || mandatoryWords.test(requirement.text));
  const extracted = new Map<string, Promise<Found[]>>();
  const requirementsOf = (request: Request, context: ReviewerContext): Promise<Found[]> => {
    const key = `${context.runId}:${digestOf(request)}`;
    const known = extracted.get(key);
    if (known !== undefined) return known;
    const found = requirementsBy(options.extractRequirements, request, context);
    extracted.set(key, found);
    found.catch(() => extracted.delete(key));
    const [oldest] = extracted.keys();
    if (extracted.size > mostRemembered && oldest !== undefined) extracted.delete(oldest);
    return found;
  };
  return {
    id: coverageId,
    version: versionOf(options, threshold),
    ...(options.version === undefined && { reuse: 'run' as const }),
    tier: 'code',
    review: async ({ task, output }, context) => {
      const requirements = await requirementsOf(task, context);
      if (requirements.length === 0)
        return [
          { verdict: 'skipped', criterion: coverageId, reason: 'the task states no requirement' },
        ];
      const found = await Promise.all(
        requirements.map(async (requirement) => ({
          asked: requirement,
          ...(await coverOne(requirement.text, { task, output }, { options, context, contextOf })),
        })),
      );
      const share =
        found.filter(({ coverage }) => coverage !== undefined && isCovered(coverage)).length /
        found.length;
      return Promise.all(
        found.map(async ({ asked, ...entry }) =>
          assess(entry, share < threshold || (await blocks(asked, task))),
        ),
      );
    },
    ...inheritance(options, contextOf),
  };
}

/** What passes the pipeline's provider on, while something lacks one. */
function inheritance<Output, Request, Context extends CriterionContext>(
  options: CoverageRules<Output, Request, Context>,
  contextOf: ContextOf<Request, Context>,
): Pick<Reviewer<Request, Output>, 'withProvider'> {
  const { extractRequirements: source, judge } = options;
  const reads = typeof source === 'function' ? undefined : source.withProvider;
  const judges = typeof judge === 'object' ? judge.withProvider : undefined;
  if (reads === undefined && judges === undefined) return {};
  return {
    withProvider: (provider) =>
      requirementCoverageIn(
        {
          ...options,
          ...(reads && { extractRequirements: reads(provider) }),
          ...(judges && { judge: judges(provider) }),
        },
        contextOf,
      ),
  };
}

function checkOptions<Output, Request, Context>({
  extractRequirements: source,
  judge,
}: CoverageRules<Output, Request, Context>): void {
  const reads: unknown = typeof source === 'object' ? source?.extract : source;
  if (typeof reads !== 'function')
    throw invalid('extractRequirements', 'a function, or a RequirementExtractor', source);
  const judges: unknown = typeof judge === 'object' ? judge?.judge : judge;
  if (judge !== undefined && typeof judges !== 'function')
    throw invalid('judge', 'a function, or modelCoverage()', judge);
}

function versionOf<Output, Request, Context>(
  {
    version,
    extractRequirements,
    checkRequirementCovered,
    judge,
  }: CoverageRules<Output, Request, Context>,
  threshold: number,
): string {
  const model = typeof judge === 'object' ? judge.version : undefined;
  const rules =
    version ??
    `${String(extractRequirements)}${String(checkRequirementCovered)}${model === undefined ? String(judge) : ''}`;
  return hashText(`${rules}\u0000${threshold}${model === undefined ? '' : `\u0000${model}`}`).slice(
    0,
    16,
  );
}

/** A requirement, and whether its source says that it is binding. */
interface Found {
  readonly text: string;
  readonly must: boolean;
}

/** Read once; what makes no steps of its own is recorded as one. */
async function requirementsBy<Request>(
  source: CoverageRules<never, Request, never>['extractRequirements'],
  request: Request,
  context: ReviewerContext,
): Promise<Found[]> {
  if (typeof source === 'function') {
    const texts = await context.check(
      z.array(z.string()),
      async () => distinct(await source(request)),
      'extract',
    );
    return texts.map((text) => ({ text, must: false }));
  }
  const found = source.makesSteps
    ? await source.extract(request, context)
    : await context.check(
        z.array(RequirementSchema),
        async () => [...(await source.extract(request))],
        'extract',
      );
  return found.map(({ text, strength }) => ({ text, must: strength === 'MUST' }));
}

/** Checks one requirement, and asks the judge where the check is unsure. */
async function coverOne<Output, Request, Context extends CriterionContext>(
  requirement: string,
  subject: { readonly task: Request; readonly output: Output },
  {
    options,
    context,
    contextOf,
  }: {
    readonly options: CoverageRules<Output, Request, Context>;
    readonly context: ReviewerContext;
    readonly contextOf: ContextOf<Request, Context>;
  },
): Promise<Covered> {
  const about = (call: CheckCall): Context => contextOf(subject.task, context, call);
  const name = hashText(requirement).slice(0, 16);
  const { judge } = options;
  try {
    const coverage = await context.check(
      RequirementCoverageSchema,
      (call) => options.checkRequirementCovered(requirement, subject.output, about(call)),
      `covers:${name}`,
    );
    if (judge === undefined || coverageState(coverage) !== 'unsure')
      return { requirement, coverage };
    if (typeof judge === 'object')
      return {
        requirement,
        coverage: await judge.judge({ ...coverage, requirement }, subject, context),
      };
    return {
      requirement,
      coverage: await context.check(
        RequirementCoverageSchema,
        (call) => judge({ ...coverage, requirement }, subject, about(call)),
        `judges:${name}`,
      ),
    };
  } catch (error) {
    return { requirement, error };
  }
}

function isCovered(coverage: RequirementCoverage): boolean {
  return coverageState(coverage) === 'covered';
}

interface Covered {
  readonly requirement: string;
  readonly coverage?: RequirementCoverage | undefined;
  readonly error?: unknown;
}

function assess({ requirement, coverage, error }: Covered, blocks: boolean): Assessment {
  const criterion = `${requirementPrefix}${hashText(requirement).slice(0, 16)}`;
  if (coverage === undefined) {
    const known =
      error instanceof ReviewLoopError
        ? error
        : new ReviewLoopError(
            'criterion_threw',
            `checking the requirement "${requirement}" threw: ${messageOf(error)}`,
            { cause: error, retryable: true },
          );
    return { verdict: 'errored', criterion, error: known };
  }
  const base = {
    criterion,
    explanation: coverage.coverageDetails,
    category: 'missing',
    coverage: { ...coverage, requirement },
  } as const;
  if (isCovered(coverage)) return { ...base, verdict: 'pass', score: 1, gaps: [] };
  return {
    ...base,
    verdict: 'fail',
    score: 0,
    gaps: [
      {
        id: '',
        severity: blocks ? 'major' : 'minor',
        category: 'missing',
        description: `Requirement not addressed: ${requirement}`,
        suggestedFix: `Add implementation for: ${requirement}`,
        estimatedEffort: 'medium',
        autoFixable: true,
        affectedRequirement: requirement,
        criterionId: criterion,
      },
    ],
  };
}

function distinct(requirements: readonly string[]): string[] {
  return [
    ...new Set(
      requirements
        .map((requirement) => requirement.trim())
        .filter((requirement) => requirement !== ''),
    ),
  ];
}
