import type { AgentRequest } from '../kernel/agent.js';
import { dedupeRequirements } from './dedupe.js';
import { explicitRequirements } from './extract-lines.js';
import type { Requirement } from './requirement.js';
import { acceptanceCriteriaOf, taskTextOf } from './task-text.js';

/**
 * Reads requirements from a text, or from a request and its acceptance criteria.
 *
 * @example
 * ```ts
 * const requirements = await new RequirementExtractor().extract('- The page must load within 2 s');
 * ```
 */
export class RequirementExtractor {
  /** The requirements in the order of the text, acceptance criteria last; an empty list for a task without text. */
  async extract(source: string | AgentRequest): Promise<Requirement[]> {
    const criteria = acceptanceCriteriaOf(source).map((text, index): Requirement => {
      return { text, source: 'explicit', kind: 'acceptance_criterion', strength: 'MUST', line: index + 1, endLine: index + 1, section: ['acceptanceCriteria'] };
    });
    return dedupeRequirements([...explicitRequirements(taskTextOf(source)), ...criteria]);
  }
}
