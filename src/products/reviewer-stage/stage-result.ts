import { isJudged } from '../../core/assessment.js';
import { isReviewError, messageOf } from '../../core/errors.js';
import type { Outcome } from '../../core/outcome.js';
import { redactJsonAsync } from '../../core/redact/redact-with-secretlint.js';
import type { Review } from '../../core/review.js';
import type { CompletedWork } from './completed-work.js';
import { dimensionsOf, type StageDimension } from './stage-dimension.js';
import { type StageFeedback, stageFeedbackOf } from './stage-feedback.js';
import type { StageSettings } from './stage-options.js';
import {
  type StageDecision,
  type StageErrorCode,
  type StageOutcome,
  type StageSummary,
  type SummaryFacts,
  SummaryGenerator,
  stageErrorCode,
  stageExitCode,
  stageOutcomeOf,
} from './summary-generator.js';

/** The result of the reviewer stage. */
export interface StageResult {
  /** The decision of the reviewers. */
  readonly decision: StageDecision;
  /** The outcome of the work. */
  readonly outcome: StageOutcome;
  /** The reason for the decision. */
  readonly reasoning: string;
  /** The result of each dimension, in the order of the dimensions. */
  readonly dimensions: readonly StageDimension[];
  /** The summary; `undefined` if the run has no work, or if the summary could not be written. */
  readonly summary: StageSummary | undefined;
  /** What to change; `undefined` unless the work was rejected. */
  readonly feedback: StageFeedback | undefined;
  /** The number of times that the work went back to the planner. */
  readonly cycles: number;
  /** The error code, if something went wrong. */
  readonly code: StageErrorCode | undefined;
  /** The exit code: 0, 1, 50, 51, 52, 53 or 130. */
  readonly exitCode: number;
  /** The run of the pipeline: its id, its requests, its cost. */
  readonly run: Outcome<CompletedWork>;
}

export interface StageRunContext {
  readonly settings: StageSettings;
  /** The given work; `undefined` for a run that is answered or overridden. */
  readonly work: CompletedWork | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export async function stageResultOf(
  run: Outcome<CompletedWork>,
  context: StageRunContext,
): Promise<StageResult> {
  const outcome = stageOutcomeOf(run);
  const last = run.reviews.at(-1);
  const reasoning = reasoningOf(run);
  const facts = {
    decision: decisionOf(run, outcome),
    outcome,
    reasoning,
    cycles: Math.max(0, run.reviews.length - 1),
  };
  const dimensions = dimensionsOf(context.settings.dimensions, last, run.error);
  const { summary, failed } = await summaryOf(run, { facts, dimensions }, context);
  const rejected = facts.decision === 'REJECTED' && last !== undefined;
  return {
    ...facts,
    dimensions,
    summary,
    feedback: rejected
      ? stageFeedbackOf(last.gaps, { reason: reasoning, cycle: facts.cycles + 1 })
      : undefined,
    code: stageErrorCode(run, outcome) ?? (failed ? 'ACODE-REVIEW-005' : undefined),
    exitCode: stageExitCode(outcome),
    run,
  };
}

/**
 * Only a judge that answered, or a person, rejects. A person who declines turns an approval into a
 * rejection. An override changes no decision.
 */
function decisionOf(run: Outcome<CompletedWork>, outcome: StageOutcome): StageDecision {
  const last = run.reviews.at(-1);
  if (outcome === 'declined') return 'REJECTED';
  if (last?.decision.kind === 'approve') return 'APPROVED';
  const rejected = last?.assessments.some(({ verdict }) => verdict === 'fail') ?? false;
  return rejected ? 'REJECTED' : 'INCONCLUSIVE';
}

/** Without a planner, the last review contains it. */
function reasoningOf({ code, reason, reviews }: Outcome<CompletedWork>): string {
  return code === 'no_address' ? (reviews.at(-1)?.decision.reason ?? reason) : reason;
}

interface Assessed {
  readonly facts: Pick<SummaryFacts, 'decision' | 'outcome' | 'reasoning' | 'cycles'>;
  readonly dimensions: readonly StageDimension[];
}

async function summaryOf(
  run: Outcome<CompletedWork>,
  { facts, dimensions }: Assessed,
  { settings, work: given, startedAt, now }: StageRunContext,
): Promise<{ readonly summary: StageSummary | undefined; readonly failed: boolean }> {
  const { summaryGenerator = new SummaryGenerator(), saveSummary, logger } = settings;
  const work = run.output ?? given;
  if (work === undefined) return { summary: undefined, failed: false };
  let summary: StageSummary | undefined;
  try {
    const more = summaryFacts(run, { settings, startedAt, now });
    summary = await redactJsonAsync(
      summaryGenerator.generate(work, { ...facts, ...more }, dimensions),
    );
    await saveSummary?.(summary);
    return { summary, failed: false };
  } catch (error) {
    logger.error(
      {
        event: 'summary_failed',
        run: run.runId,
        code: isReviewError(error) ? error.code : undefined,
        error: messageOf(error),
      },
      'the summary could not be written or saved',
    );
    return { summary, failed: true };
  }
}

function summaryFacts(
  run: Outcome<CompletedWork>,
  { settings, startedAt, now }: Omit<StageRunContext, 'work'>,
): Omit<SummaryFacts, keyof Assessed['facts']> {
  const { reviews } = run;
  const reviewMs = reviews.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return {
    runId: run.runId,
    completedAt: new Date(now).toISOString(),
    // an answered run is only read from its record, so the time of its reviews counts
    durationMs: Math.max(now - startedAt, reviewMs),
    decidedBy: run.decidedBy ?? decidersOf(reviews.at(-1)),
    cycleTriggers: reviews
      .slice(0, -1)
      .map((review) => dimensionsOf(settings.dimensions, review))
      .map((judged) => judged.filter(({ passed }) => !passed).map(({ id }) => id)),
    usage: run.usage.review,
    overrideReason:
      run.status === 'accepted' && run.acceptance.kind === 'override'
        ? run.acceptance.reason
        : undefined,
  };
}

/** The people who decided what no judge could tell; without any, the reviewers. */
function decidersOf(review: Review | undefined): string {
  const people = review?.assessments.flatMap((assessment) =>
    isJudged(assessment) && assessment.decidedBy !== undefined ? [assessment.decidedBy] : [],
  );
  return [...new Set(people)].join(', ') || 'the reviewers';
}
