import { isOpen } from '../core/gap.js';
import type { Outcome } from '../core/outcome.js';
import type { Review } from '../core/review.js';
import { addUsage, type Usage } from '../core/usage.js';
import { truncateBytes } from '../text/truncate.js';
import type { TaskAttempt } from './attempt-store.js';
import {
  type AttemptRounds,
  failedChecks,
  roundsByAttempt,
  textOf,
  verdictIn,
} from './read-review.js';
import type { ReviewVerdict } from './review-verdict.js';
import type { TaskWork } from './task-work.js';

/** Why a task did not succeed. `REVIEW_REJECTED` is permanent; after the others it may be tried again. */
export type TaskErrorCode =
  | 'REVIEW_REJECTED'
  | 'FIX_REQUESTED'
  | 'TASK_FAILED'
  | 'TESTS_FAILED'
  | 'LINT_FAILED'
  | 'REVIEW_FAILED'
  | 'REVIEW_NOT_RUN'
  | 'REVIEW_ERROR'
  | 'COMMIT_FAILED'
  | 'TIMED_OUT'
  | 'CANCELLED'
  | 'ERROR';

/** Whether a task that ended so must not be tried again by itself. */
export function isPermanentTaskError(code: TaskErrorCode | null | undefined): boolean {
  return code === 'REVIEW_REJECTED';
}

/** How a task ended, or that it waits for a person. */
export interface TaskResult {
  readonly success: boolean;
  readonly status: TaskAttempt['status'];
  readonly error: string | null;
  readonly code: TaskErrorCode | null;
  /** What it comes to: the person's decision where there is one, else the machine's verdict. */
  readonly reviewStatus: ReviewVerdict | null;
  readonly machineVerdict: ReviewVerdict | null;
  readonly humanDecision: TaskAttempt['humanDecision'];
  readonly reviewFindings: string | null;
  readonly issues: number | null;
  /** What the next attempt is to be told, where one makes sense. */
  readonly previousError: string | null;
  readonly attempts: readonly TaskAttempt[];
  readonly run: Outcome<TaskWork>;
}

const mostFindings = 2048;

/** The attempts of a run. */
export interface Attempts {
  readonly earlier: readonly TaskAttempt[];
  readonly last: TaskAttempt;
}

/** The attempts of a run, from its record: what the machine said and what a person decided stand beside each other. */
export function attemptsOf(taskId: string, run: Outcome<TaskWork>, now: number): Attempts {
  const groups = roundsByAttempt(run.reviews);
  const of = (group: AttemptRounds<Review>, index: number, facts: AttemptFacts): TaskAttempt =>
    attemptOf({ taskId, runId: run.runId, attempt: index + 1 }, group, facts);
  const newest = groups.at(-1);
  if (newest === undefined) return { earlier: [], last: withoutReview(taskId, run, now) };
  const before = groups.slice(0, -1);
  return {
    earlier: before.map((group, index) => of(group, index, tried(group.last))),
    last: of(newest, before.length, ended(run, newest.last)),
  };
}

interface AttemptFacts
  extends TaskEnding,
    Pick<TaskAttempt, 'humanDecision' | 'decidedBy' | 'decisionReason'> {}

const nobody = { humanDecision: null, decidedBy: null, decisionReason: null };

/** What the last attempt of a run came to. */
function ended(run: Outcome<TaskWork>, round: Review): AttemptFacts {
  const humanDecision = lastDecision(run, round);
  const ending = endingOf(run, humanDecision, round);
  if (humanDecision === null) return { ...nobody, ...ending };
  const decisionReason =
    run.status === 'accepted'
      ? run.acceptance.reason
      : run.status === 'rejected'
        ? run.reason
        : null;
  return { humanDecision, decidedBy: run.decidedBy ?? null, decisionReason, ...ending };
}

/** What an attempt came to after which there was another. */
function tried(round: Review): AttemptFacts {
  if (round.decision.kind !== 'ask')
    return { ...nobody, status: 'failed', code: codeOfRound(round), error: round.decision.reason };
  return {
    ...nobody,
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
    reviewStatus: effective(machine, human.humanDecision),
    reviewFindings: findings === '' ? null : truncateBytes(findings, mostFindings),
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

/** The result that the attempts of a run come to. */
export function resultOf(run: Outcome<TaskWork>, { earlier, last }: Attempts): TaskResult {
  const {
    status,
    error,
    reviewStatus,
    machineVerdict: machine,
    humanDecision,
    reviewFindings,
    issues,
  } = last;
  const code = last.errorCode as TaskErrorCode | null;
  const retried = status === 'failed' && !isPermanentTaskError(code);
  const previousError = !retried
    ? null
    : code === 'FIX_REQUESTED'
      ? fixRequest(reviewFindings ?? '')
      : truncateBytes([error, reviewFindings].filter((part) => part !== null).join('\n'), 1024);
  return {
    success: status === 'success',
    status,
    error,
    code,
    reviewStatus,
    machineVerdict: machine,
    humanDecision,
    reviewFindings,
    issues,
    previousError,
    attempts: [...earlier, last],
    run,
  };
}

/** What the next attempt is told when a person asks for a fix. */
export function fixRequest(findings: string): string {
  return `Fix requested. Review findings:\n${truncateBytes(findings === '' ? 'none were named' : findings, 1024 - 40)}`;
}

/** The machine's verdict on an attempt: `fixed` where a repair of its own was what passed; `null` where it did not come to a review. */
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
  const { gaps } =
    (machine === 'fixed' ? rounds.findLast((one) => verdictIn(one) === 'fixed') : undefined) ??
    last;
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

function effective(
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
      return failed('ERROR', run.reason);
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

function codeOfRound(round: Review): TaskErrorCode | null {
  const [check] = failedChecks(round);
  if (check === undefined) return codeOfVerdict[verdictIn(round)];
  return check.criterion === 'execution'
    ? 'TASK_FAILED'
    : check.criterion === 'lint'
      ? 'LINT_FAILED'
      : 'TESTS_FAILED';
}

function withoutReview(taskId: string, run: Outcome<TaskWork>, now: number): TaskAttempt {
  const code =
    run.status === 'timed_out' ? 'TIMED_OUT' : run.status === 'cancelled' ? 'CANCELLED' : 'ERROR';
  const review = {
    reviewStatus: null,
    reviewFindings: null,
    machineVerdict: null,
    issues: null,
    reviewUsage: {},
    reviewDurationMs: null,
  };
  return {
    taskId,
    runId: run.runId,
    attempt: 1,
    status: 'failed',
    ...review,
    ...nobody,
    error: run.reason,
    errorCode: code,
    at: new Date(now).toISOString(),
  };
}
