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

/** A requirement with its coverage, or with the error of its check. */
export interface CoveredRequirement {
  readonly requirement: string;
  readonly coverage?: RequirementCoverage | undefined;
  readonly error?: unknown;
}

/** Checks one requirement, and asks the judge if the check is unsure. */
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

/** Whether a requirement is known to be covered. */
export function isCovered({ coverage }: CoveredRequirement): boolean {
  return coverage !== undefined && coverageState(coverage) === 'covered';
}

/** Returns the assessment of a requirement; an uncovered one is a gap. */
export function assessRequirement(
  { requirement, coverage, error }: CoveredRequirement,
  blocks: boolean,
): Assessment {
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
  if (isCovered({ requirement, coverage })) return { ...base, verdict: 'pass', score: 1, gaps: [] };
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
