import type { CoverageEvidence } from '../core/coverage.js';
import { requirementKey } from './dedupe.js';
import { isObligation } from './obligation.js';

const planned =
  /\b(?:TODO|FIXME|TBD|XXX|HACK)\b|\b(?:not (?:yet )?(?:implemented|supported|available|done|built|included|handled|covered|part of)|not yet|yet to be|to be (?:done|implemented|added|written|decided)|coming soon|is missing|are missing|left out|out of scope|unsupported|unimplemented|placeholder for)\b|^\s*(?:[-*+]|\d+[.)])\s+\[ \]/i;
const negation = /\b(?:no|not|never|without|neither|nor|cannot|lacks?|omit(?:s|ted)?)\b|n['’]t\b/i;

/**
 * Returns why a passage with the words of a requirement does not prove it, or `undefined` without a
 * doubt.
 */
export function weaknessOf(requirement: string, passage: string): CoverageEvidence['doubt'] {
  if (planned.test(passage)) return 'planned';
  if (isRestated(requirement, passage)) return 'restated';
  return negation.test(passage) && !negation.test(requirement) && isProse(passage)
    ? 'negated'
    : undefined;
}

/**
 * Returns whether the passage only repeats the requirement as an obligation, as in a task pasted
 * into the output.
 */
function isRestated(requirement: string, passage: string): boolean {
  if (!isObligation(passage)) return false;
  const [asked, said] = [requirementKey(requirement), requirementKey(passage)];
  return asked.split(' ').length > 3 && said.includes(asked);
}

/**
 * Returns whether a passage is prose. Negations in code ("if not found", "!not") do not mean that
 * something is missing.
 */
function isProse(passage: string): boolean {
  return !/[{};=<>]|\(\)/.test(passage);
}
