import type { Assessment } from '../core/assessment.js';
import {
  coverageState,
  type RequirementCoverage,
  RequirementCoverageSchema,
} from '../core/coverage.js';
import type { CriterionContext } from '../core/criterion.js';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { hashText } from '../core/hash.js';
import type { ReviewerContext } from '../core/reviewer.js';
import { requirementPrefix } from '../core/scores.js';
import type { CheckCall } from '../core/step.js';
import type { CoverageRules } from './coverage-options.js';
import type { ContextOf } from './criterion-context.js';
import { decidedByChecks } from './decided-requirement.js';
import { reviewerErrors } from './errors.js';
import type { CoverageModel } from './model-coverage.js';

/** A requirement with its coverage, or with the error of its check. */
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
  const { judge } = options;
  try {
    const decided = await decidedByChecks(requirement, subject.output, {
      deciders: options.deciders ?? [],
      context,
      about,
    });
    if (decided !== undefined) return { requirement, coverage: decided };
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

/** Whether a requirement is known to be covered. */
export function isCovered({ coverage }: CoveredRequirement): boolean {
  return coverage !== undefined && coverageState(coverage) === 'covered';
}

/** Whether nothing has decided about a requirement. */
export function isUnsure({ coverage }: CoveredRequirement): boolean {
  return coverage !== undefined && coverageState(coverage) === 'unsure';
}

/** What follows if a requirement is not covered. */
export interface RequirementRules {
  /** Whether it is a major gap while it is not covered. */
  readonly blocks: boolean;
  /** Whether nothing is approved while it is undecided. */
  readonly mandatory: boolean;
}

/** Returns the assessment of a requirement; an uncovered one is a gap. */
export function assessRequirement(
  { requirement, coverage, error }: CoveredRequirement,
  rules: RequirementRules,
): Assessment {
  const criterion = `${requirementPrefix}${hashText(requirement).slice(0, 16)}`;
  if (coverage === undefined) {
    const known =
      error instanceof ReviewLoopError
        ? error
        : new ReviewLoopError(
            reviewerErrors.criterion_threw,
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
