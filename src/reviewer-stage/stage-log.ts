import type { Review } from '../core/review.js';
import type { Logger } from '../ports/logger.js';
import type { CompletedWork } from './completed-work.js';
import type { StageDimension } from './stage-dimension.js';
import type { StageResult } from './stage-result.js';

export function logLifecycle(
  logger: Logger,
  moment: 'enter' | 'execute',
  work: CompletedWork,
): void {
  logger.info(
    {
      event: `stage_${moment}`,
      stage: 'reviewer',
      session_id: work.sessionId,
      changed_files: work.changedFiles.length,
    },
    `reviewer stage: ${moment}`,
  );
}

/** Logs one review, with the explanation of every dimension. */
export function logCycle(
  logger: Logger,
  { iteration, decision, durationMs }: Review,
  dimensions: readonly StageDimension[],
): void {
  logger.info(
    {
      event: 'review_cycle',
      cycle: iteration,
      decision: decision.kind,
      reasoning: decision.reason,
      duration_ms: durationMs,
      dimensions: Object.fromEntries(dimensions.map(({ id, level }) => [id, level ?? 'failed'])),
      explanations: Object.fromEntries(dimensions.map(({ id, explanation }) => [id, explanation])),
    },
    `review ${iteration}: ${decision.kind}`,
  );
}

/** Logs the decision and its reason. The field names are part of the log format. */
export function logDecision(
  logger: Logger,
  { run, decision, dimensions, summary, outcome, reasoning, cycles, code }: StageResult,
  humanReview: boolean,
): void {
  logger.info(
    {
      event: 'review_decision',
      session_id: summary?.sessionId,
      decision: decision.toLowerCase(),
      dimensions: Object.fromEntries(dimensions.map(({ id, level }) => [id, level ?? 'failed'])),
      duration_ms: summary?.durationMs,
      human_review: humanReview,
      run: run.runId,
      outcome,
      cycles,
      reasoning,
      ...(code !== undefined && { code }),
      ...(run.decidedBy !== undefined && { decided_by: run.decidedBy }),
    },
    `review ${decision.toLowerCase()}: ${outcome}`,
  );
  logger.info(
    { event: 'stage_exit', stage: 'reviewer', session_id: summary?.sessionId, outcome },
    'reviewer stage: exit',
  );
}
