import type { Artifacts } from '../../../core/artifact.js';
import type { RequirementDecider } from '../../../core/criterion.js';
import { askedBy, checks } from './asked.js';

/**
 * Creates the checks that decide requirements without a model: quoted texts, numbers of elements,
 * lengths, names, titles, languages and files. They know some forms of whole sentences in English
 * and German, and leave every other sentence undecided.
 *
 * @example
 * ```ts
 * const deciders = requirementDeciders();
 * const coverage = requirementCoverage({ extractRequirements, checkRequirementCovered, deciders });
 * ```
 */
export function requirementDeciders(): RequirementDecider<Artifacts>[] {
  return checks.map((id) => ({
    id,
    version: `decides/${id}/2`,
    decides: async (requirement, output) => {
      const asked = askedBy(requirement);
      if (asked?.about !== id) return undefined;
      return (await import('./decide-asked.js')).decideAsked(asked, output);
    },
  }));
}
