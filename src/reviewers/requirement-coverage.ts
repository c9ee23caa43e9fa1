import * as z from 'zod';
import type { Assessment } from '../kernel/assessment.js';
import { coverageState, type RequirementCoverage, RequirementCoverageSchema } from '../kernel/coverage.js';
import type { AgentReviewCriteria, ReviewContext } from '../kernel/criterion.js';
import { messageOf, ReviewLoopError } from '../kernel/errors.js';
import { hashText } from '../kernel/hash.js';
import { digestOf } from '../kernel/json.js';
import type { Reviewer, ReviewerContext } from '../kernel/reviewer.js';
import { requirementPrefix } from '../kernel/scores.js';
import type { CheckCall } from '../kernel/step.js';
import { CriterionContext, type Surroundings } from './criterion-context.js';

/** How coverage is judged. */
export interface RequirementCoverageOptions<Output, Request> extends Pick<AgentReviewCriteria<Output, Request>, 'extractRequirements' | 'checkRequirementCovered'> {
  /** Whether a requirement blocks whenever it is not covered. @default by its words: MUST, SHALL and REQUIRED do */
  readonly mandatory?: ((requirement: string, request: Request) => boolean | Promise<boolean>) | undefined;
  /** The share of covered requirements from which on the others are minor gaps, from 0 to 1. @default 0.9 */
  readonly threshold?: number | undefined;
  /** Change it when the rules change. Without one, no verdict is kept over runs. @default a hash of the functions' texts */
  readonly version?: string | undefined;
  readonly surroundings?: Surroundings<Request> | undefined;
  /**
   * Asked about each requirement of which the evidence shows neither that it is covered nor that it is not (`unsure`); what it
   * says counts. @default nobody: what is unsure is not covered
   */
  readonly judge?: CoverageJudge<Output, Request> | undefined;
}

/** Says whether an unsure requirement is covered, with more understanding than words give. */
export type CoverageJudge<Output, Request> = (unsure: RequirementCoverage, subject: { readonly task: Request; readonly output: Output }, context: ReviewContext) => Promise<RequirementCoverage>;

/** Of how many runs requirements are remembered. */
const mostRemembered = 1000;

/** The id of the reviewer, and of its own assessment where there is no requirement to assess. */
const coverageId = 'requirements';

const mandatoryWords = /\b(must|shall|required)\b/i;

/**
 * Judges whether every requirement of the task is covered: one assessment, and perhaps one gap, for each. An uncovered
 * mandatory requirement is a major gap; any other is a major gap below the threshold and a minor one from it on (D004-05).
 */
export function requirementCoverage<Output, Request>(options: RequirementCoverageOptions<Output, Request>): Reviewer<Request, Output> {
  const { mandatory = (requirement) => mandatoryWords.test(requirement), threshold = 0.9 } = options;
  const extracted = new Map<string, Promise<string[]>>();
  const requirementsOf = (request: Request, context: ReviewerContext): Promise<string[]> => {
    const key = `${context.runId}:${digestOf(request)}`;
    const known = extracted.get(key);
    if (known !== undefined) return known;
    const found = context.check(z.array(z.string()), async () => distinct(await options.extractRequirements(request)), 'extract');
    extracted.set(key, found);
    found.catch(() => extracted.delete(key));
    const [oldest] = extracted.keys();
    if (extracted.size > mostRemembered && oldest !== undefined) extracted.delete(oldest);
    return found;
  };
  return {
    id: coverageId,
    version: hashText(`${options.version ?? `${String(options.extractRequirements)}${String(options.checkRequirementCovered)}${String(options.judge)}`}\u0000${threshold}`).slice(0, 16),
    ...(options.version === undefined && { reuse: 'run' as const }),
    stage: 'code',
    review: async ({ task, output }, context) => {
      const requirements = await requirementsOf(task, context);
      if (requirements.length === 0) return [{ verdict: 'skipped', criterion: coverageId, reason: 'the task states no requirement' }];
      const found = await Promise.all(requirements.map((requirement) => coverOne(requirement, { task, output }, { options, context })));
      const share = found.filter(({ coverage }) => coverage !== undefined && isCovered(coverage)).length / found.length;
      return Promise.all(found.map(async (entry) => assess(entry, share < threshold || (await mandatory(entry.requirement, task)))));
    },
  };
}

/** Checks one requirement, and asks the judge where the check is unsure. */
async function coverOne<Output, Request>(
  requirement: string,
  subject: { readonly task: Request; readonly output: Output },
  { options, context }: { readonly options: RequirementCoverageOptions<Output, Request>; readonly context: ReviewerContext },
): Promise<Covered> {
  const about = (call: CheckCall): ReviewContext => new CriterionContext(context, call, options.surroundings?.(subject.task));
  const name = hashText(requirement).slice(0, 16);
  const { judge } = options;
  try {
    const coverage = await context.check(RequirementCoverageSchema, (call) => options.checkRequirementCovered(requirement, subject.output, about(call)), `covers:${name}`);
    if (judge === undefined || coverageState(coverage) !== 'unsure') return { requirement, coverage };
    return { requirement, coverage: await context.check(RequirementCoverageSchema, (call) => judge({ ...coverage, requirement }, subject, about(call)), `judges:${name}`) };
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
      error instanceof ReviewLoopError ? error : new ReviewLoopError('criterion_threw', `checking the requirement "${requirement}" threw: ${messageOf(error)}`, { cause: error, retryable: true });
    return { verdict: 'errored', criterion, error: known };
  }
  const base = { criterion, explanation: coverage.coverageDetails, category: 'missing', coverage: { ...coverage, requirement } } as const;
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
  return [...new Set(requirements.map((requirement) => requirement.trim()).filter((requirement) => requirement !== ''))];
}
