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

/** Returns the last question about what is undecided in a version, if it was asked. */
export function decidingRequest(
  { requests }: { readonly requests: ReadonlyMap<string, HumanRequest> },
  digest: string,
): HumanRequest | undefined {
  return [...requests.values()].findLast(
    (request) => request.undecided !== undefined && request.digest === digest,
  );
}

/**
 * Refuses an approval with decisions that do not allow it; other answers pass.
 *
 * @throws ReviewLoopError `answer_not_allowed`, `approval_open`
 */
export function checkApproval(answer: HumanAnswer, request: HumanRequest | undefined): void {
  if (answer.kind !== 'decide' || answer.approve !== true) return;
  if (request?.approves !== true)
    throw new ReviewLoopError(
      engineErrors.answer_not_allowed,
      'no person is asked to approve this version; leave `approve` out',
    );
  const problem = approvalProblem(answer, request);
  if (problem !== undefined)
    throw new ReviewLoopError(engineErrors.approval_open, problem, { value: answer.decisions });
}

/** Returns why decisions do not approve their version; `undefined` if they do. */
export function approvalProblem(
  { decisions }: Pick<DecisionAnswer, 'decisions'>,
  { approves, undecided = [] }: Pick<HumanRequest, 'approves' | 'undecided'>,
): string | undefined {
  if (approves !== true) return 'nobody was asked to approve';
  const named = (criteria: readonly string[]): string => criteria.join(', ');
  const unmet = Object.keys(decisions).filter((name) => decisions[name] !== 'yes');
  if (unmet.length > 0) return `${named(unmet)} is decided with no, so nothing can be approved`;
  const open = undecided
    .filter(
      ({ criterion, mandatory }) => mandatory !== false && !Object.hasOwn(decisions, criterion),
    )
    .map(({ criterion }) => criterion);
  return open.length > 0 ? `${named(open)} stays open, so nothing can be approved` : undefined;
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
