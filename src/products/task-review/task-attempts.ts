import { honestWorkId } from '../../blocks/criteria/diff/honest-work.js';
import { isOpen } from '../../core/gap.js';
import type { Outcome } from '../../core/outcome.js';
import type { Review } from '../../core/review.js';
import { truncateBytes } from '../../core/text/truncate.js';
import { addUsage, type Usage } from '../../core/usage.js';
import type { TaskAttempt } from '../../ports/attempt-store.js';
import type { ReviewVerdict } from './review-answer.js';
import {
  type AnswersByVersion,
  type AttemptRounds,
  answerAbout,
  failedChecks,
  roundsByAttempt,
  textOf,
  verdictIn,
} from './review-rounds.js';
import type { TaskWork } from './task.js';

const maxFindingsBytes = 2048;

export interface Attempts {
  readonly earlier: readonly TaskAttempt[];
  readonly last: TaskAttempt;
}

export function attemptsOf(
  taskId: string,
  run: Outcome<TaskWork>,
  { now, answers }: { readonly now: number; readonly answers: AnswersByVersion },
): Attempts {
  const groups = roundsByAttempt(run.reviews);
  const of = (group: AttemptRounds<Review>, index: number, facts: AttemptFacts): TaskAttempt =>
    attemptOf({ taskId, runId: run.runId, attempt: index + 1 }, group, facts);
  const newest = groups.at(-1);
  if (newest === undefined) return { earlier: [], last: withoutReview(taskId, run, now) };
  const before = groups.slice(0, -1);
  return {
    earlier: before.map((group, index) => of(group, index, earlierFacts(group.last, answers))),
    last: of(newest, before.length, lastFacts(run, newest.last, answers)),
  };
}

interface AttemptFacts
  extends TaskEnding,
    Pick<TaskAttempt, 'humanDecision' | 'decidedBy' | 'decisionReason'> {}

const nobody = { humanDecision: null, decidedBy: null, decisionReason: null };

function lastFacts(run: Outcome<TaskWork>, round: Review, answers: AnswersByVersion): AttemptFacts {
  const humanDecision = lastDecision(run, round);
  const ending = endingOf(run, humanDecision, round);
  if (humanDecision === null) return { ...nobody, ...ending };
  const { decidedBy, decisionReason } = answerAbout(round, answers);
  return {
    humanDecision,
    decidedBy: run.decidedBy ?? decidedBy,
    decisionReason: run.status === 'accepted' ? run.acceptance.reason : decisionReason,
    ...ending,
  };
}

function earlierFacts(round: Review, answers: AnswersByVersion): AttemptFacts {
  if (round.decision.kind !== 'ask')
    return { ...nobody, status: 'failed', code: codeOfRound(round), error: round.decision.reason };
  return {
    ...answerAbout(round, answers),
    humanDecision: 'fix',
    status: 'failed',
    code: 'FIX_REQUESTED',
    error: 'Fix requested',
  };
}

function attemptOf(
  id: Pick<TaskAttempt, 'taskId' | 'runId' | 'attempt'>,
  group: AttemptRounds<Review>,
  { status, code, error, ...human }: AttemptFacts,
): TaskAttempt {
  const { rounds, last } = group;
  const machine = machineVerdict(group);
  const findings = textOf(last);
  return {
    ...id,
    status,
    reviewStatus: effectiveVerdict(machine, human.humanDecision),
    reviewFindings: findings === '' ? null : truncateBytes(findings, maxFindingsBytes),
    machineVerdict: machine,
    ...human,
    issues: issuesOf(group, machine),
    error,
    errorCode: code,
    reviewUsage: rounds.reduce<Usage>((sum, { usage }) => addUsage(sum, usage), {}),
    reviewDurationMs: rounds.reduce((sum, { durationMs }) => sum + durationMs, 0),
    at: last.at,
  };
}

/** `fixed` if their own fix passed, `null` without a review. */
function machineVerdict({ rounds, last }: AttemptRounds<Review>): ReviewVerdict | null {
  if (failedChecks(last).length > 0) return null;
  const verdict = verdictIn(last);
  return verdict === 'passed' && rounds.some((round) => verdictIn(round) === 'fixed')
    ? 'fixed'
    : verdict;
}

function issuesOf(
  { rounds, last }: AttemptRounds<Review>,
  machine: ReviewVerdict | null,
): number | null {
  if (machine === null || machine === 'skipped' || machine === 'not_run' || machine === 'error')
    return null;
  const fixed =
    machine === 'fixed' ? rounds.findLast((round) => verdictIn(round) === 'fixed') : undefined;
  const { gaps } = fixed ?? last;
  const raised = gaps.filter((gap) => gap.raisedBy === 'review');
  return raised.some((gap) => gap.description.startsWith('review: '))
    ? null
    : raised.filter(isOpen).length;
}

function lastDecision(run: Outcome<TaskWork>, round: Review): TaskAttempt['humanDecision'] {
  switch (run.code) {
    case 'person_approved':
    case 'person_overrode':
      return 'approve';
    case 'person_skipped':
      return 'skip';
    case 'person_rejected':
      return 'reject';
    default:
      return round.decision.kind === 'ask' &&
        run.status !== 'suspended' &&
        run.status !== 'timed_out' &&
        run.status !== 'cancelled'
        ? 'fix'
        : null;
  }
}

function effectiveVerdict(
  machine: ReviewVerdict | null,
  human: TaskAttempt['humanDecision'],
): ReviewVerdict | null {
  switch (human) {
    case 'approve':
      return 'passed';
    case 'skip':
      return 'skipped';
    case 'reject':
    case 'fix':
      return 'rejected';
    case null:
      return machine;
  }
}

interface TaskEnding {
  readonly status: TaskAttempt['status'];
  readonly code: TaskErrorCode | null;
  readonly error: string | null;
}

function endingOf(
  run: Outcome<TaskWork>,
  human: TaskAttempt['humanDecision'],
  round: Review,
): TaskEnding {
  const failed = (code: TaskErrorCode, error: string): TaskEnding => ({
    status: 'failed',
    code,
    error,
  });
  if (human === 'fix') return failed('FIX_REQUESTED', 'Fix requested');
  switch (run.status) {
    case 'approved':
    case 'accepted':
      return { status: 'success', code: null, error: null };
    case 'suspended':
      return { status: 'waiting', code: null, error: null };
    case 'rejected':
      return failed('REVIEW_REJECTED', 'Review rejected by human');
    case 'timed_out':
      return failed('TIMED_OUT', run.reason);
    case 'cancelled':
      return failed('CANCELLED', run.reason);
    case 'failed':
      return failed(codeOfFailure(run), run.reason);
    case 'escalated':
    case 'exhausted':
    case 'stalled':
    case 'inconclusive':
      return failed(codeOfRound(round) ?? 'ERROR', run.reason);
  }
}

const codeOfVerdict: Readonly<Record<ReviewVerdict, TaskErrorCode | null>> = {
  passed: null,
  skipped: null,
  fixed: 'REVIEW_FAILED',
  failed: 'REVIEW_FAILED',
  rejected: 'REVIEW_REJECTED',
  not_run: 'REVIEW_NOT_RUN',
  error: 'REVIEW_ERROR',
};

const codeOfCheck: Readonly<Record<string, TaskErrorCode>> = {
  execution: 'TASK_FAILED',
  change: 'NOTHING_CHANGED',
  lint: 'LINT_FAILED',
  [honestWorkId]: 'CHECKS_WEAKENED',
};

function codeOfRound(round: Review): TaskErrorCode | null {
  const [check] = failedChecks(round);
  if (check === undefined) return codeOfVerdict[verdictIn(round)];
  return codeOfCheck[check.criterion] ?? 'TESTS_FAILED';
}

function codeOfFailure({ code }: Outcome<TaskWork>): TaskErrorCode {
  return code === 'history_changed' ? 'HISTORY_CHANGED' : 'ERROR';
}

function withoutReview(taskId: string, run: Outcome<TaskWork>, now: number): TaskAttempt {
  const code =
    run.status === 'timed_out'
      ? 'TIMED_OUT'
      : run.status === 'cancelled'
        ? 'CANCELLED'
        : codeOfFailure(run);
  return {
    taskId,
    runId: run.runId,
    attempt: 1,
    status: 'failed',
    reviewStatus: null,
    reviewFindings: null,
    machineVerdict: null,
    issues: null,
    reviewUsage: {},
    reviewDurationMs: null,
    ...nobody,
    error: run.reason,
    errorCode: code,
    at: new Date(now).toISOString(),
  };
}

/** `REVIEW_REJECTED` is permanent. After the others, another attempt is possible. */
export type TaskErrorCode =
  | 'REVIEW_REJECTED'
  | 'FIX_REQUESTED'
  | 'NOTHING_CHANGED'
  | 'CHECKS_WEAKENED'
  | 'TASK_FAILED'
  | 'TESTS_FAILED'
  | 'LINT_FAILED'
  | 'REVIEW_FAILED'
  | 'REVIEW_NOT_RUN'
  | 'REVIEW_ERROR'
  | 'COMMIT_FAILED'
  | 'HISTORY_CHANGED'
  | 'TIMED_OUT'
  | 'CANCELLED'
  | 'ERROR';

export function isPermanentTaskError(code: TaskErrorCode | null | undefined): boolean {
  return code === 'REVIEW_REJECTED';
}
