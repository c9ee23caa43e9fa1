import { type Artifacts, artifactsOf } from '../../core/artifact.js';
import type {
  DecideRequirement,
  RequirementDecider,
  RequirementDecision,
} from '../../core/criterion.js';
import type { Claim } from '../../requirements/claim/claim.js';
import { claimsVersion, readClaims } from '../../requirements/claim/read-claims.js';

/** Decides one claim. Returns undefined if it is about something else, or not certain. */
export type DecideClaim = (
  claim: Claim,
  output: Artifacts,
) => RequirementDecision | undefined | Promise<RequirementDecision | undefined>;

/** A check that decides claims of requirements. */
export interface ClaimCheck {
  readonly id: string;
  readonly version: number | string;
  readonly decide: DecideClaim;
}

/** Returns the `decides` of a criterion whose claims some checks decide. */
export function decidesBy(...checks: readonly ClaimCheck[]): DecideRequirement<Artifacts> {
  return async (requirement, output) => {
    const claims = readClaims(requirement);
    if (claims === undefined || !hasContent(output)) return undefined;
    const decisions: (RequirementDecision | undefined)[] = [];
    for (const claim of claims) decisions.push(await decideClaim(claim, output, checks));
    return allOf(decisions);
  };
}

/** Returns checks as deciders for `requirementCoverage`. */
export function decidersOf(checks: readonly ClaimCheck[]): RequirementDecider<Artifacts>[] {
  return checks.map((check) => ({
    id: check.id,
    version: versionOf(check),
    decides: decidesBy(check),
  }));
}

/** Returns the version of the decisions of a check. */
function versionOf({ id, version }: ClaimCheck): string {
  return `decides/${id}/${version}/${claimsVersion}`;
}

/** Returns the first decision about a claim. A violation outweighs the others. */
async function decideClaim(
  claim: Claim,
  output: Artifacts,
  checks: readonly ClaimCheck[],
): Promise<RequirementDecision | undefined> {
  let satisfied: RequirementDecision | undefined;
  for (const { decide } of checks) {
    const decision = await decide(claim, output);
    if (decision?.satisfied === false) return decision;
    satisfied ??= decision;
  }
  return satisfied;
}

/** A violated part violates the whole; the whole is satisfied by all parts. */
function allOf(
  decisions: readonly (RequirementDecision | undefined)[],
): RequirementDecision | undefined {
  const violated = decisions.find((decision) => decision?.satisfied === false);
  if (violated !== undefined) return violated;
  const satisfied = decisions.filter((decision) => decision !== undefined);
  if (satisfied.length < decisions.length) return undefined;
  return {
    satisfied: true,
    explanation: [...new Set(satisfied.map(({ explanation }) => explanation))].join('; '),
    evidence: satisfied.flatMap(({ evidence = [] }) => evidence),
  };
}

function hasContent(output: Artifacts): boolean {
  return artifactsOf(output).some(({ content = '' }) => content.trim() !== '');
}
