import { copyJson } from '../core/json.js';
import type { Outcome } from '../core/outcome.js';
import { type AgentOutput, AgentOutputSchema } from './agent.js';
import type { SelfReviewResult } from './self-review-result.js';

/** Matches the notes that self-review itself writes into routing hints. */
const ownNotes = /^(Self-review |Max review iterations )/;

/**
 * Returns a copy of an output. A copy of an `AgentOutput` also contains its review. If it is
 * neither approved nor accepted, a routing hint says that a person must decide.
 */
export function annotated<Output>(
  output: Output,
  outcome: Outcome<Output>,
  reviews: readonly SelfReviewResult[],
  maxIterations: number,
): Output {
  const copy = copyJson(output, { freeze: false });
  if (!isAgentOutput(copy)) return copy;
  const place = outcome.review === undefined ? -1 : outcome.reviews.indexOf(outcome.review);
  const review = reviews[place];
  if (review !== undefined) {
    copy.selfReviewResult = review;
    copy.qualityScore = review.overallScore;
  }
  const hints = hintsOf(copy, outcome, review, maxIterations);
  if (hints === undefined) delete copy.routingHints;
  else copy.routingHints = hints;
  return copy;
}

/**
 * Returns an output without the review of an earlier run: judges must not read it, and the review
 * of this run takes its place.
 */
export function unreviewed<Output>(output: Output): Output {
  if (!isAgentOutput(output)) return output;
  const { selfReviewResult: _, qualityScore: _score, ...own } = output as AgentOutput;
  return own as Output;
}

function hintsOf(
  output: AgentOutput,
  outcome: Outcome<unknown>,
  review: SelfReviewResult | undefined,
  maxIterations: number,
): AgentOutput['routingHints'] {
  const { needsApproval, notes, ...others } = output.routingHints ?? {};
  if (outcome.approved || outcome.status === 'accepted') {
    if (notes !== undefined && ownNotes.test(notes))
      return Object.keys(others).length > 0 ? others : undefined;
    return output.routingHints;
  }
  return { ...others, needsApproval: true, notes: noteOf(outcome, review, maxIterations) };
}

function noteOf(
  outcome: Outcome<unknown>,
  review: SelfReviewResult | undefined,
  maxIterations: number,
): string {
  if (outcome.status === 'escalated') return `Self-review escalation: ${outcome.reason}`;
  if (outcome.code === 'iterations')
    return `Max review iterations (${maxIterations}) reached. Final score: ${review?.overallScore ?? 'unknown'}`;
  return `Self-review ${outcome.status}: ${outcome.reason}`;
}

function isAgentOutput(output: unknown): output is AgentOutput {
  return AgentOutputSchema.safeParse(output).success;
}
