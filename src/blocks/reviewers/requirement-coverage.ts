import * as z from 'zod';
import type { CriterionContext } from '../../core/criterion.js';
import { digestOf } from '../../core/json.js';
import type { Reviewer, ReviewerContext } from '../../core/reviewer.js';
import { type Requirement, RequirementSchema } from '../requirements/requirement.js';
import {
  assessRequirement,
  type CoverageRules,
  type CoveredRequirement,
  checkCoverageOptions,
  coverageVersion,
  coverRequirement,
  isCovered,
  isUnsure,
  judgedByModel,
  type RequirementCoverageOptions,
} from './covered-requirement.js';
import { type ContextOf, plainContext } from './from-criterion.js';

const mostRemembered = 1000;

/** The id of the reviewer, and of its only assessment if the task states no requirement. */
const coverageId = 'requirements';

/**
 * Creates a reviewer that checks whether an output covers every requirement of its task. It returns
 * one assessment for each requirement. An uncovered mandatory requirement is a major gap. Any other
 * is a major gap below the threshold, and a minor one from the threshold on.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const coverage = requirementCoverage({
 *   extractRequirements: async (task: string) => task.split('\n'),
 *   checkRequirementCovered,
 * });
 * ```
 */
export function requirementCoverage<Output, Request>(
  options: RequirementCoverageOptions<Output, Request>,
): Reviewer<Request, Output> {
  return requirementCoverageIn(options, plainContext);
}

/** For checks that need more than the plain context. */
export function requirementCoverageIn<Output, Request, Context extends CriterionContext>(
  options: CoverageRules<Output, Request, Context>,
  contextOf: ContextOf<Request, Context>,
): Reviewer<Request, Output> {
  checkCoverageOptions(options);
  const { mandatory, threshold = 0.9 } = options;
  const requirementsOf = requirementsOnce(options.extractRequirements);
  return {
    id: coverageId,
    version: coverageVersion(options, threshold),
    ...(options.version === undefined && { reuse: 'run' as const }),
    tier: 'code',
    review: async ({ task, output }, context) => {
      const requirements = await requirementsOf(task, context);
      if (requirements.length === 0)
        return [
          { verdict: 'skipped', criterion: coverageId, reason: 'the task states no requirement' },
        ];
      const subject = { task, output };
      const checked = await Promise.all(
        requirements.map(({ text }) =>
          coverRequirement(text, subject, { options, context, contextOf }),
        ),
      );
      const { judge } = options;
      const judged =
        typeof judge === 'object' ? await judgedByModel(checked, judge, subject, context) : checked;
      const share = coveredShare(judged);
      const { leavesOpen, statedStrength } = await import('../requirements/strength.js');
      return Promise.all(
        requirements.map(async (found, index) => {
          const { text, strength } = found;
          const stated = strength ?? statedStrength(text);
          const demanded = await (mandatory?.(text, task) ?? stated === 'MUST');
          const covered = judged[index] ?? { requirement: found.text };
          return assessRequirement(covered, {
            blocks: share < threshold || demanded,
            mandatory: demanded || !mayStayOpen(found, leavesOpen(text)),
          });
        }),
      );
    },
    ...inheritance(options, contextOf),
  };
}

type ExtractRequirements<Request> = CoverageRules<never, Request, never>['extractRequirements'];

function requirementsOnce<Request>(
  extract: ExtractRequirements<Request>,
): (request: Request, context: ReviewerContext) => Promise<Found[]> {
  const extracted = new Map<string, Promise<Found[]>>();
  return (request, context) => {
    const key = `${context.runId}:${digestOf(request)}`;
    const known = extracted.get(key);
    if (known !== undefined) return known;
    const found = requirementsBy(extract, request, context);
    extracted.set(key, found);
    found.catch(() => extracted.delete(key));
    const [oldest] = extracted.keys();
    if (extracted.size > mostRemembered && oldest !== undefined) extracted.delete(oldest);
    return found;
  };
}

/** Returns `withProvider` while the source or the judge lacks a provider. */
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

interface Found {
  readonly text: string;
  readonly strength?: Requirement['strength'] | undefined;
}

/**
 * Whether a requirement may stay undecided: its source says MAY, or its own words leave it open. A
 * source that only found no stronger word does not, nor does a text that bounds or forbids.
 */
function mayStayOpen({ strength }: Found, leavesOpen: boolean): boolean {
  return strength === 'MAY' || (strength !== 'MUST' && leavesOpen);
}

/** Of the requirements that are decided; 1 if none is. */
function coveredShare(checked: readonly CoveredRequirement[]): number {
  const decided = checked.filter((one) => !isUnsure(one));
  return decided.length === 0 ? 1 : decided.filter(isCovered).length / decided.length;
}

async function requirementsBy<Request>(
  source: ExtractRequirements<Request>,
  request: Request,
  context: ReviewerContext,
): Promise<Found[]> {
  if (typeof source === 'function') {
    const texts = await context.check(
      z.array(z.string()),
      async () => distinct(await source(request)),
      'extract',
    );
    return texts.map((text) => ({ text }));
  }
  const found = source.makesSteps
    ? await source.extract(request, context)
    : await context.check(
        z.array(RequirementSchema),
        async () => [...(await source.extract(request))],
        'extract',
      );
  return found.map(({ text, strength }) => ({ text, strength }));
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
