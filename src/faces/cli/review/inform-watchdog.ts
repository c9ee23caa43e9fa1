import { join } from 'node:path';
import type { Pipeline } from '../../../blocks/pipeline/pipeline-options.js';
import { requirementCriterion } from '../../../blocks/reviewers/covered-requirement.js';
import { digestOf } from '../../../core/json.js';
import type { AgentOutput, AgentRequest } from '../../../products/self-review/agent.js';
import type { ReadTask, TaskRequirements } from '../../cli-kit/inputs/read-task.js';
import { quoted } from '../../cli-kit/show/listing.js';
import type { Watchdog } from '../../cli-kit/watchdog/watchdog.js';
import { reportAssessment, reportReview } from '../../reports/report-run.js';
import type { RunReport } from '../../reports/run-report.js';
import type { PreparedReview } from './review-settings.js';

export function informWatchdog(
  pipeline: Pipeline<AgentRequest, AgentOutput>,
  prepared: PreparedReview,
  at: string,
  watchdog: Watchdog,
): void {
  // a database cannot be asked while this thread is stuck
  const store = prepared.store.local(prepared.shownFrom);
  const first = digestOf(prepared.inputs.output);
  const about = aboutReview(prepared);
  pipeline.on('run-start', ({ runId }) => {
    const report = {
      schemaVersion: 1,
      runId,
      at,
      durationMs: 0,
      ...about,
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
    watchdog.send({
      kind: 'review',
      review: reportReview(review, review.version === first, about.requirements?.ids),
    }),
  );
}

export function aboutReview({ task, requirements, criteria, inputs }: PreparedReview) {
  const files = inputs.sources.map(({ path, bytes, artifact }) => ({
    path,
    type: artifact.type,
    bytes,
  }));
  return {
    task: { source: task.source, text: task.request.context.task.description ?? '' },
    ...(requirements && { requirements: reportRequirements(requirements, task) }),
    criteria: {
      chosen: [...criteria.chosen],
      reason: criteria.reason,
      ...(criteria.why.length > 0 && { why: [...criteria.why] }),
      names: { ...criteria.names },
    },
    files,
    notReviewed: [...inputs.notReviewed],
  };
}

function reportRequirements(
  { file, list, taskChanged }: TaskRequirements,
  { source, file: taskFile }: ReadTask,
): NonNullable<RunReport['requirements']> {
  const leftOut = list.filter(({ strength }) => strength === 'OUT').map(({ text }) => text);
  const task = taskFile === undefined ? '--task-text TEXT' : quoted(taskFile);
  const warning =
    `${source} has changed since ${file} was written; to see what differs, run ` +
    `\`reviewloop requirements ${task} --write ${quoted(file)}\``;
  return {
    file,
    judged: list.length - leftOut.length,
    leftOut,
    ids: Object.fromEntries(list.map(({ id, text }) => [requirementCriterion(text), id])),
    taskChanged,
    ...(taskChanged && { warning }),
  };
}
