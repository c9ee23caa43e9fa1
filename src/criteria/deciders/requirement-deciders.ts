import type { Artifacts } from '../../core/artifact.js';
import type { RequirementDecider } from '../../core/criterion.js';
import { checkKeys } from '../../core/options.js';
import { type AllowedSecret, checkAllowedSecrets } from '../../redact/allowed-secrets.js';
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

/** Options of {@link requirementDeciders}. */
export interface DecidersOptions {
  /** Lines that look like secrets and are allowed. @default [] */
  readonly allowedSecrets?: readonly AllowedSecret[] | undefined;
}

/** Returns the checks of all rooms. */
const checksWith = (allowed: readonly AllowedSecret[]): readonly ClaimCheck[] => [
  ...htmlClaims,
  numberOfMarkdownThings,
  textInDocuments,
  lengthClaims,
  fileExists,
  dataIsValid,
  placeholderClaims,
  todoClaims,
  secretClaims(allowed),
  conflictClaims,
  linkClaims,
];

/**
 * Creates the checks that decide requirements without a model: elements, names, texts and lengths,
 * files, data, links, placeholders and secrets. They read the whole sentence, and leave undecided
 * what they do not understand. The last one decides sentences with several parts.
 *
 * @throws ReviewLoopError `invalid_options`
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
export function requirementDeciders(
  options: DecidersOptions = {},
): RequirementDecider<Artifacts>[] {
  checkKeys('requirementDeciders', options, ['allowedSecrets']);
  const { allowedSecrets = [] } = options;
  checkAllowedSecrets(allowedSecrets);
  const checks = checksWith(allowedSecrets);
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
