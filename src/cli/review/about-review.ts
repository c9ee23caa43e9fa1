import type { ReadTask, TaskRequirements } from '../../cli-kit/inputs/read-task.js';
import { quoted } from '../../cli-kit/show/quoted.js';
import type { RunReport } from '../../reports/run-report.js';
import type { PreparedReview } from './review-settings.js';

/** Returns what a report says about the inputs of a review. */
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
    taskChanged,
    ...(taskChanged && { warning }),
  };
}
