import * as z from 'zod';
import { ReviewLoopError } from '../core/errors.js';
import {
  type DecisionAnswer,
  type HumanAnswer,
  HumanAnswerSchema,
  type HumanRequest,
} from '../core/human.js';
import { redactJson } from '../redact/redact-json.js';
import { engineErrors } from './errors.js';

/**
 * Refuses decisions about what a question does not name; other answers pass.
 *
 * @throws ReviewLoopError `decision_unknown`
 */
export function checkNamed(
  answer: HumanAnswer,
  { id, undecided = [] }: Pick<HumanRequest, 'id' | 'undecided'>,
): void {
  if (answer.kind !== 'decide') return;
  const known = undecided.map(({ criterion }) => criterion);
  const unknown = Object.keys(answer.decisions).filter((criterion) => !known.includes(criterion));
  if (unknown.length > 0) throw decisionUnknown(unknown, `question ${id}`, known);
}

export function decisionUnknown(
  unknown: readonly string[],
  where: string,
  known: readonly string[],
): ReviewLoopError {
  return new ReviewLoopError(
    engineErrors.decision_unknown,
    `${where} does not leave ${unknown.join(', ')} undecided; it leaves ${known.join(', ') || 'nothing'}`,
    { value: unknown },
  );
}

/**
 * Returns decisions that may be recorded, without secrets in their reason.
 *
 * @throws ReviewLoopError `answer_invalid`
 */
export function checkedDecisions(given: Omit<DecisionAnswer, 'kind'>): DecisionAnswer {
  const parsed = z.safeParse(HumanAnswerSchema, { ...given, kind: 'decide' });
  if (parsed.success && parsed.data.kind === 'decide') return redactJson(parsed.data);
  const why = parsed.error === undefined ? '' : z.prettifyError(parsed.error);
  throw new ReviewLoopError(engineErrors.answer_invalid, `the decisions were refused: ${why}`, {
    value: given,
  });
}
