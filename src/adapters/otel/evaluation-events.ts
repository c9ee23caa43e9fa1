import type { Attributes, Context, Span } from '@opentelemetry/api';
import type { Assessment } from '../../core/assessment.js';
import { redactSecrets } from '../../core/redact/secrets.js';
import type { ReviewerSpan } from '../../core/span.js';
import { names } from './names.js';
import { known } from './span-attributes.js';

export interface EventLogger {
  emit(record: {
    readonly eventName: string;
    readonly attributes: Attributes;
    readonly context: Context;
  }): void;
}

export interface EvaluationTarget {
  readonly logger: EventLogger | undefined;
  readonly span: Span;
  readonly context: Context;
  readonly content: boolean;
}

/**
 * The parent of each event is the work that was judged. Without a logger, it becomes an event of
 * the span of the reviewer.
 */
export function emitEvaluations(
  reviewer: ReviewerSpan,
  assessments: readonly Assessment[],
  { logger, span, context, content }: EvaluationTarget,
): void {
  for (const assessment of assessments) {
    const attributes = attributesOf(reviewer, assessment, content);
    if (logger === undefined) span.addEvent(names.evaluation, attributes);
    else logger.emit({ eventName: names.evaluation, attributes, context });
  }
}

function attributesOf(
  { name, version, runId, iteration, digest }: ReviewerSpan,
  assessment: Assessment,
  content: boolean,
): Attributes {
  const { criterion, verdict } = assessment;
  return known({
    [names.evaluationName]: criterion,
    [names.scoreLabel]: verdict,
    [names.scoreValue]: 'score' in assessment ? assessment.score : undefined,
    [names.explanation]: content ? explanationOf(assessment) : undefined,
    [names.errorType]: assessment.verdict === 'errored' ? assessment.error.code : undefined,
    [names.reviewer]: name,
    [names.reviewerVersion]: version,
    [names.runId]: runId,
    [names.iteration]: iteration,
    [names.version]: digest,
  });
}

function explanationOf(assessment: Assessment): string | undefined {
  const text =
    'explanation' in assessment
      ? assessment.explanation
      : 'reason' in assessment
        ? assessment.reason
        : undefined;
  return text === undefined || text === '' ? undefined : redactSecrets(text);
}
