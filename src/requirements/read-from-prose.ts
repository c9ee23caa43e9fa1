import { isCommand, isUserStory } from './demand.js';
import { isObligation } from './obligation.js';
import type { Requirement } from './requirement.js';

/** The minimum share of requirements from plain sentences that makes a task prose. */
const leastShare = 1 / 3;
const fewest = 2;

/**
 * Returns how many requirements were read from plain sentences, if these are a third of all. Rules
 * err most there, because an explanation looks like a demand. Otherwise returns 0.
 */
export function readFromProse(requirements: readonly Requirement[]): number {
  const prose = requirements.filter(
    ({ kind, text }) =>
      kind === 'statement' && !isObligation(text) && !isCommand(text) && !isUserStory(text),
  ).length;
  return prose >= fewest && prose >= requirements.length * leastShare ? prose : 0;
}
