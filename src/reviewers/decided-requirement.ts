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
  if (deciders.length === 0) return undefined;
  const decided = await context.check<Decided | null>(
    DecidedSchema,
    (call) => decidedBy(requirement, output, deciders, about(call)),
    `decides:${hashText(requirement).slice(0, 16)}`,
  );
  return decided === null ? undefined : coverageOf(requirement, decided);
}

interface Decided extends RequirementDecision {
  readonly by: string;
}

async function decidedBy<Output, Context extends CriterionContext>(
  requirement: string,
  output: Output,
  deciders: readonly RequirementDecider<Output>[],
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
