import { join } from 'node:path';
import type { Watchdog } from '../../cli-kit/watchdog/watchdog.js';
import { digestOf } from '../../core/json.js';
import type { Pipeline } from '../../pipeline/pipeline-options.js';
import { reportAssessment, reportReview } from '../../reports/report-review.js';
import type { AgentOutput, AgentRequest } from '../../self-review/agent.js';
import { aboutReview } from './about-review.js';
import type { PreparedReview } from './review-settings.js';

/** Sends the watchdog the data with which it stores a run that hangs. */
export function informWatchdog(
  pipeline: Pipeline<AgentRequest, AgentOutput>,
  prepared: PreparedReview,
  at: string,
  watchdog: Watchdog,
): void {
  // a database cannot be asked while this thread is stuck
  const store = prepared.store.local(prepared.shownFrom);
  const first = digestOf(prepared.inputs.output);
  pipeline.on('run-start', ({ runId }) => {
    const report = {
      schemaVersion: 1,
      runId,
      at,
      durationMs: 0,
      ...aboutReview(prepared),
      coverage: [],
      fixed: [],
      changed: [],
      written: [],
    };
    watchdog.send({ kind: 'run', file: join(store, 'runs', runId, 'review.json'), report });
  });
  pipeline.on('reviewer-end', ({ assessments }) => {
    const gaps = assessments.flatMap((assessment) => ('gaps' in assessment ? assessment.gaps : []));
    watchdog.send({
      kind: 'answer',
      assessments: assessments.map(reportAssessment),
      gaps: [...gaps],
    });
  });
  pipeline.on('review-end', ({ review }) =>
    watchdog.send({ kind: 'review', review: reportReview(review, review.version === first) }),
  );
}
