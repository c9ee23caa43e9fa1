import * as z from 'zod';
import type { Assessment } from '../../core/assessment.js';
import { builtOnUse } from '../../core/built-on-use.js';
import {
  CoverageEvidenceSchema,
  coverageState,
  type RequirementCoverage,
  RequirementCoverageSchema,
} from '../../core/coverage.js';
import type {
  CriterionContext,
  RequirementDecider,
  RequirementDecision,
} from '../../core/criterion.js';
import { hashText } from '../../core/hash.js';
import type { LLMProvider } from '../../core/llm-provider.js';
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
} from '../../core/options.js';
import type { ReviewerContext } from '../../core/reviewer.js';
import { requirementPrefix } from '../../core/scores.js';
import type { CheckCall } from '../../core/step.js';
import type { Requirement } from '../requirements/requirement.js';
import type { StrategyContext } from '../requirements/strategy.js';
import { reviewerErrors, thrownBy } from './errors.js';
import type { ContextOf } from './from-criterion.js';
import type { CoverageModel } from './model-coverage.js';

export interface CoveredRequirement {
  readonly requirement: string;
  readonly coverage?: RequirementCoverage | undefined;
  readonly error?: unknown;
}

/**
 * Finds out whether an output covers one requirement. Checks that can decide it go first. Then
 * comes the function that matches it, and last a judge that is a function, if nothing has decided.
 */
export async function coverRequirement<Output, Request, Context extends CriterionContext>(
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
): Promise<CoveredRequirement> {
  const about = (call: CheckCall): Context => contextOf(subject.task, context, call);
  const name = hashText(requirement).slice(0, 16);
  const { judge, deciders = [] } = options;
  try {
    const decided =
      deciders.length === 0
        ? null
        : await context.check<Decided | null>(
            DecidedSchema,
            (call) => decidedBy(deciders, requirement, subject.output, about(call)),
            `decides:${name}`,
          );
    if (decided !== null) return { requirement, coverage: coverageOf(requirement, decided) };
    const matched = await context.check(
      RequirementCoverageSchema,
      (call) => options.checkRequirementCovered(requirement, subject.output, about(call)),
      `covers:${name}`,
    );
    const coverage = options.words === 'hint' ? asHint(matched) : matched;
    // a model is asked about all undecided requirements together
    if (typeof judge !== 'function' || coverageState(coverage) !== 'unsure')
      return { requirement, coverage };
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

/** Asks a model about the requirements that nothing has decided; the others stay as they are. */
export async function judgedByModel(
  checked: readonly CoveredRequirement[],
  judge: CoverageModel,
  subject: { readonly output: unknown },
  context: ReviewerContext,
): Promise<readonly CoveredRequirement[]> {
  const open = checked.filter(isUnsure);
  if (open.length === 0) return checked;
  const unsure = open.flatMap(({ requirement, coverage }) =>
    coverage === undefined ? [] : [{ ...coverage, requirement }],
  );
  try {
    const judged = await judge.judgeAll(unsure, subject, context);
    const found = new Map(judged.map((coverage) => [coverage.requirement, coverage]));
    return checked.map((one) =>
      isUnsure(one) ? { ...one, coverage: found.get(one.requirement) ?? one.coverage } : one,
    );
  } catch (error) {
    return checked.map((one) => (isUnsure(one) ? { requirement: one.requirement, error } : one));
  }
}

export function isCovered({ coverage }: CoveredRequirement): boolean {
  return coverage !== undefined && coverageState(coverage) === 'covered';
}

export function isUnsure({ coverage }: CoveredRequirement): boolean {
  return coverage !== undefined && coverageState(coverage) === 'unsure';
}

export interface RequirementRules {
  /** Whether it is a major gap while it is not covered. */
  readonly blocks: boolean;
  /** Whether nothing is approved while it is undecided. */
  readonly mandatory: boolean;
}

export function requirementCriterion(requirement: string): string {
  return `${requirementPrefix}${hashText(requirement).slice(0, 16)}`;
}

/** An uncovered requirement is a gap. */
export function assessRequirement(
  { requirement, coverage, error }: CoveredRequirement,
  rules: RequirementRules,
): Assessment {
  const criterion = requirementCriterion(requirement);
  if (coverage === undefined) {
    const checking = `checking the requirement "${requirement}"`;
    const known = thrownBy(checking, error, reviewerErrors.criterion_threw);
    return { verdict: 'errored', criterion, error: known };
  }
  const base = {
    criterion,
    explanation: coverage.coverageDetails,
    category: 'missing',
    coverage: { ...coverage, requirement },
  } as const;
  if (isCovered({ requirement, coverage })) return { ...base, verdict: 'pass', score: 1, gaps: [] };
  if (coverageState(coverage) === 'unsure')
    return {
      verdict: 'undecided',
      criterion,
      reason: coverage.coverageDetails || 'no check could decide it',
      question: requirement,
      decidableBy: ['model', 'person'],
      mandatory: rules.mandatory,
      coverage: { ...coverage, requirement },
    };
  return {
    ...base,
    verdict: 'fail',
    score: 0,
    gaps: [
      {
        id: '',
        severity: rules.blocks ? 'major' : 'minor',
        category: 'missing',
        ...(coverage.decidedBy === undefined
          ? {
              description: `Requirement not addressed: ${requirement}`,
              suggestedFix: `Add implementation for: ${requirement}`,
            }
          : {
              description: `Requirement violated: ${requirement} (${coverage.coverageDetails})`,
              suggestedFix: `Change it so that this holds: ${requirement}`,
            }),
        estimatedEffort: 'medium',
        autoFixable: true,
        affectedRequirement: requirement,
        criterionId: criterion,
      },
    ],
  };
}

/** A match of words shows where to look, and decides nothing. */
function asHint(matched: RequirementCoverage): RequirementCoverage {
  const { probability: _, ...rest } = matched;
  const place = matched.evidenceLocation;
  return {
    ...rest,
    covered: false,
    state: 'unsure',
    coverageDetails:
      place === undefined ? 'no check could decide it' : `no check could decide it; see ${place}`,
  };
}

const DecidedSchema = builtOnUse(() =>
  z
    .object({
      by: z.string(),
      satisfied: z.boolean(),
      explanation: z.string(),
      evidence: z.array(CoverageEvidenceSchema).readonly().optional(),
      files: z.array(z.string()).readonly().optional(),
      reportedBy: z.string().optional(),
    })
    .nullable(),
);

interface Decided extends RequirementDecision {
  readonly by: string;
}

async function decidedBy<Output, Context extends CriterionContext>(
  deciders: readonly RequirementDecider<Output>[],
  requirement: string,
  output: Output,
  context: Context,
): Promise<Decided | null> {
  let satisfied: Decided | null = null;
  for (const { id: by, decides } of deciders) {
    const decision = await decides(requirement, output, context);
    if (decision === undefined) continue;
    if (!decision.satisfied) return { ...decision, by };
    satisfied ??= { ...decision, by };
  }
  return satisfied;
}

function coverageOf(
  requirement: string,
  { by, satisfied, explanation, evidence = [], files = [], reportedBy }: Decided,
): RequirementCoverage {
  const [first] = evidence;
  return {
    requirement,
    source: 'explicit',
    covered: satisfied,
    state: satisfied ? 'covered' : 'uncovered',
    coverageDetails: explanation,
    decidedBy: by,
    confidence: 1,
    ...(first !== undefined && { evidenceLocation: `${first.file}:${first.line}` }),
    ...(evidence.length > 0 && { evidence: [...evidence] }),
    ...(files.length > 0 && { files: [...files] }),
    ...(reportedBy !== undefined && { reportedBy }),
  };
}

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

export function checkCoverageOptions(options: object): void {
  checkTable('requirementCoverage', table, options);
}

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
