import * as z from 'zod';
import type { Assessment } from '../kernel/assessment.js';
import { type RequirementCoverage, RequirementCoverageSchema } from '../kernel/coverage.js';
import type { AgentReviewCriteria, ReviewContext } from '../kernel/criterion.js';
import { messageOf, ReviewLoopError } from '../kernel/errors.js';
import { hashText } from '../kernel/hash.js';
import type { Reviewer, ReviewerContext } from '../kernel/reviewer.js';
import { requirementPrefix } from '../kernel/scores.js';
import type { CheckCall } from '../kernel/step.js';
import { CriterionContext, type Surroundings } from './criterion-context.js';

/** How coverage is judged. */
export interface RequirementCoverageOptions<Output, Request> extends Pick<AgentReviewCriteria<Output, Request>, 'extractRequirements' | 'checkRequirementCovered'> {
  /** Whether a requirement blocks whenever it is not covered. @default by its words: MUST, SHALL and REQUIRED do */
  readonly mandatory?: ((requirement: string, request: Request) => boolean) | undefined;
  /** The share of covered requirements from which on the others are minor gaps, from 0 to 1. @default 0.9 */
  readonly threshold?: number | undefined;
  /** Change it when the rules change. Without one, no verdict is kept over runs. @default a hash of the functions' texts */
  readonly version?: string | undefined;
  readonly surroundings?: Surroundings<Request> | undefined;
}

/** The id of the reviewer, and of its own assessment where there is no requirement to assess. */
const coverageId = 'requirements';

const mandatoryWords = /\b(must|shall|required)\b/i;

/**
 * Judges whether every requirement of the task is covered: one assessment, and perhaps one gap, for each. An uncovered
 * mandatory requirement is a major gap; any other is a major gap below the threshold and a minor one from it on (D004-05).
 */
export function requirementCoverage<Output, Request>(options: RequirementCoverageOptions<Output, Request>): Reviewer<Request, Output> {
  const { mandatory = (requirement) => mandatoryWords.test(requirement), threshold = 0.9, surroundings } = options;
  const extracted = new WeakMap<object, Promise<string[]>>();
  const requirementsOf = (request: Request, context: ReviewerContext): Promise<string[]> => {
    const known = typeof request === 'object' && request !== null ? extracted.get(request) : undefined;
    if (known !== undefined) return known;
    const found = context.check(z.array(z.string()), async () => distinct(await options.extractRequirements(request)), 'extract');
    if (typeof request === 'object' && request !== null) {
      extracted.set(request, found);
      found.catch(() => extracted.delete(request));
    }
    return found;
  };
  return {
    id: coverageId,
    version: hashText(`${options.version ?? `${String(options.extractRequirements)}${String(options.checkRequirementCovered)}`}\u0000${threshold}`).slice(0, 16),
    ...(options.version === undefined && { reuse: 'run' as const }),
    stage: 'code',
    review: async ({ task, output }, context) => {
      const requirements = await requirementsOf(task, context);
      if (requirements.length === 0) return [{ verdict: 'skipped', criterion: coverageId, reason: 'the task states no requirement' }];
      const found = await Promise.all(
        requirements.map(async (requirement): Promise<Covered> => {
          try {
            const check = (call: CheckCall): Promise<RequirementCoverage> => {
              const about: ReviewContext = new CriterionContext(context, call, surroundings?.(task));
              return options.checkRequirementCovered(requirement, output, about);
            };
            return { requirement, coverage: await context.check(RequirementCoverageSchema, check, `covers:${hashText(requirement).slice(0, 16)}`) };
          } catch (error) {
            return { requirement, error };
          }
        }),
      );
      const share = found.filter(({ coverage }) => coverage?.covered).length / found.length;
      return found.map((entry) => assess(entry, share < threshold || mandatory(entry.requirement, task)));
    },
  };
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
      error instanceof ReviewLoopError ? error : new ReviewLoopError('criterion_threw', `checking the requirement "${requirement}" threw: ${messageOf(error)}`, { cause: error, retryable: true });
    return { verdict: 'errored', criterion, error: known };
  }
  const base = { criterion, explanation: coverage.coverageDetails, category: 'missing', coverage: { ...coverage, requirement } } as const;
  if (coverage.covered) return { ...base, verdict: 'pass', score: 1, gaps: [] };
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
  return [...new Set(requirements.map((requirement) => requirement.trim()).filter((requirement) => requirement !== ''))];
}
