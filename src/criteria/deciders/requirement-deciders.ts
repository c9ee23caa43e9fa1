import type { Artifacts } from '../../core/artifact.js';
import type { RequirementDecider } from '../../core/criterion.js';
import { claimsVersion, readClaims } from '../../requirements/claim/read-claims.js';
import { dataIsValid, fileExists } from '../files/claims/file-claims.js';
import {
  conflictClaims,
  linkClaims,
  placeholderClaims,
  secretClaims,
  todoClaims,
} from '../files/claims/problem-claims.js';
import { htmlClaims } from '../html/claims/html-claims.js';
import { numberOfMarkdownThings, textInDocuments } from '../text/claims/document-claims.js';
import { lengthClaims } from '../text/claims/length-claims.js';
import { type ClaimCheck, decidersOf, decidesBy } from './claim-check.js';

/** The checks of all rooms. */
const checks: readonly ClaimCheck[] = [
  ...htmlClaims,
  numberOfMarkdownThings,
  textInDocuments,
  lengthClaims,
  fileExists,
  dataIsValid,
  placeholderClaims,
  todoClaims,
  secretClaims,
  conflictClaims,
  linkClaims,
];

/**
 * Creates the checks that decide requirements without a model: elements, names, texts and lengths,
 * files, data, links, placeholders and secrets. They read the whole sentence, and leave undecided
 * what they do not understand. The last one decides sentences with several parts.
 *
 * @example
 * ```ts
 * const coverage = requirementCoverage({
 *   extractRequirements,
 *   checkRequirementCovered,
 *   deciders: requirementDeciders(),
 *   words: 'hint',
 * });
 * ```
 */
export function requirementDeciders(): RequirementDecider<Artifacts>[] {
  const several: RequirementDecider<Artifacts> = {
    id: 'several-checks',
    version: `decides/several-checks/${checks.map(({ id, version }) => `${id}:${version}`).join()}/${claimsVersion}`,
    decides: (requirement, ...given) =>
      (readClaims(requirement)?.length ?? 0) > 1
        ? decidesBy(...checks)(requirement, ...given)
        : undefined,
  };
  return [...decidersOf(checks), several];
}
