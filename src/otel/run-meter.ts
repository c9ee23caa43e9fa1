import type { Counter, Histogram, Meter } from '@opentelemetry/api';
import type { Assessment } from '../core/assessment.js';
import type { ReviewerSpan, SpanEnd as WorkEnd } from '../core/span.js';
import { names } from './names.js';
import { pipelineOf } from './span-attributes.js';

/** Counts runs and verdicts. Its attributes have few values, so that series stay few. */
export class RunMeter {
  readonly #durations: Histogram;
  readonly #verdicts: Counter;

  constructor(meter: Meter) {
    this.#durations = meter.createHistogram(names.workflowDuration, {
      unit: 's',
      description: 'How long one call of a run took.',
    });
    this.#verdicts = meter.createCounter(names.verdicts, {
      unit: '{verdict}',
      description: 'Verdicts of reviewers, without those that were reused.',
    });
  }

  run(pipeline: string, { outcome, durationMs }: Extract<WorkEnd, { kind: 'run' }>): void {
    const { status, code } = outcome;
    const failed = status === 'failed' || status === 'timed_out';
    this.#durations.record(durationMs / 1000, {
      [names.workflow]: pipeline,
      [names.runStatus]: status,
      ...(failed && { [names.errorType]: code }),
    });
  }

  verdicts(work: ReviewerSpan, assessments: readonly Assessment[]): void {
    for (const { verdict } of assessments)
      this.#verdicts.add(1, { [names.workflow]: pipelineOf(work), [names.verdict]: verdict });
  }
}
