import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { CoverageEvidenceSchema, type RequirementCoverage } from '../core/coverage.js';
import type {
  CriterionContext,
  RequirementDecider,
  RequirementDecision,
} from '../core/criterion.js';
import { hashText } from '../core/hash.js';
import type { ReviewerContext } from '../core/reviewer.js';
import type { CheckCall } from '../core/step.js';

const DecisionSchema = builtOnUse(() =>
  z
    .object({
      satisfied: z.boolean(),
      explanation: z.string(),
      evidence: z.array(CoverageEvidenceSchema).readonly().optional(),
    })
    .nullable(),
);

/** The checks, and where they work. */
interface Deciding<Output, Context> {
  readonly deciders: readonly RequirementDecider<Output>[];
  readonly context: ReviewerContext;
  readonly about: (call: CheckCall) => Context;
}

/**
 * Asks all checks about one requirement. One that says it is violated outweighs all others. Returns
 * undefined if none of them decides it.
 */
export async function decidedByChecks<Output, Context extends CriterionContext>(
  requirement: string,
  output: Output,
  { deciders, context, about }: Deciding<Output, Context>,
): Promise<RequirementCoverage | undefined> {
  const name = hashText(requirement).slice(0, 16);
  let satisfied: RequirementCoverage | undefined;
  for (const { id, decides } of deciders) {
    const decision = await context.check<RequirementDecision | null>(
      DecisionSchema,
      async (call) => (await decides(requirement, output, about(call))) ?? null,
      `decides:${id}:${name}`,
    );
    if (decision === null) continue;
    const coverage = coverageOf(requirement, id, decision);
    if (!decision.satisfied) return coverage;
    satisfied ??= coverage;
  }
  return satisfied;
}

function coverageOf(
  requirement: string,
  decidedBy: string,
  { satisfied, explanation, evidence = [] }: RequirementDecision,
): RequirementCoverage {
  const [first] = evidence;
  return {
    requirement,
    source: 'explicit',
    covered: satisfied,
    state: satisfied ? 'covered' : 'uncovered',
    coverageDetails: explanation,
    decidedBy,
    confidence: 1,
    ...(first !== undefined && { evidenceLocation: `${first.file}:${first.line}` }),
    ...(evidence.length > 0 && { evidence: [...evidence] }),
  };
}
