import { isBlank } from '../../core/empty-output.js';
import type { Root } from '../../node/inside-root.js';
import { readFiles } from '../../node/read-files.js';
import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';
import type { GatePlan, GateTask } from './gate-plan.js';
import type { GateOutput } from './payload/gate-outputs.js';

export async function checkContent({ tasks, skipped }: GatePlan, root: Root): Promise<void> {
  const judged = tasks.filter(({ review }) => Object.keys(review.quality_criteria).length > 0);
  for (const task of judged)
    if (!(await hasContent(task.outputs, root))) throw nothingToReview(task);
  if (judged.length === 0)
    throw new QualityGateError(
      gateErrors.gate_nothing_to_review,
      `there is nothing to review: ${skipped.map(({ reason }) => reason).join('; ')}`,
    );
}

export function nothingToReview({ target, outputs }: GateTask): QualityGateError {
  const names = target ?? outputs.map(({ name }) => name).join(', ');
  return new QualityGateError(
    gateErrors.gate_nothing_to_review,
    names === ''
      ? 'there is nothing to review: the step handed in no outputs'
      : `there is nothing to review: ${names} is empty`,
  );
}

/** A file with more bytes has content, whatever they are. */
const mostBytes = 65_536;

/**
 * A text or file with a visible character. Where all are empty or cannot be read, there is nothing
 * to review.
 */
export async function hasContent(outputs: readonly GateOutput[], root: Root): Promise<boolean> {
  if (outputs.some(({ text }) => !isBlank(text))) return true;
  for (const path of outputs.flatMap(({ paths }) => paths)) {
    let has = false;
    await readFiles(
      [path],
      (_, found) => {
        has = found.kind === 'text' ? !isBlank(found.text) : mayBeRead.has(found.kind);
      },
      { root, mostBytes: () => mostBytes },
    );
    if (has) return true;
  }
  return false;
}

/** The kinds of files that have content, although it is not looked at here. */
const mayBeRead = new Set(['binary', 'left_out']);
