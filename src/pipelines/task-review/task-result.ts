import { isOpen } from '../../kernel/gap.js';
import type { Outcome } from '../../kernel/outcome.js';
import type { Review } from '../../kernel/review.js';
import type { TaskAttempt } from '../../ports/attempt-store.js';
import { truncateBytes } from '../../prompts/truncate.js';
import { failedChecks, roundsByAttempt, textOf, verdictIn } from './read-review.js';
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
export function isPermanent(code: TaskErrorCode | null | undefined): boolean {
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

/** The attempts of a run, from its record: what the machine said and what a person decided stand beside each other. */
export function attemptsOf(taskId: string, run: Outcome<TaskWork>): TaskAttempt[] {
  const groups = roundsByAttempt(run.reviews);
  const attempts = groups.flatMap((rounds, index) => {
    const round = rounds.at(-1);
    if (round === undefined) return [];
    const facts = index === groups.length - 1 ? ended(run, round) : tried(round);
    return [attemptOf({ taskId, runId: run.runId, attempt: index + 1 }, rounds, facts)];
  });
  return attempts.length > 0 ? attempts : [withoutReview(taskId, run)];
}

interface AttemptFacts extends TaskEnding {
  readonly human: TaskAttempt['humanDecision'];
  readonly decidedBy: string | null;
}

/** What the last attempt of a run came to. */
function ended(run: Outcome<TaskWork>, round: Review): AttemptFacts {
  const human = lastDecision(run, round);
  return { human, decidedBy: human === null ? null : (run.decidedBy ?? null), ...endingOf(run, human, round) };
}

/** What an attempt came to after which there was another. */
function tried(round: Review): AttemptFacts {
  const human = round.decision.kind === 'ask' ? 'fix' : null;
  return { human, decidedBy: null, status: 'failed', code: human === null ? codeOfRound(round) : 'FIX_REQUESTED', error: human === null ? round.decision.reason : 'Fix requested' };
}

function attemptOf(id: Pick<TaskAttempt, 'taskId' | 'runId' | 'attempt'>, rounds: readonly Review[], { human, decidedBy, status, code, error }: AttemptFacts): TaskAttempt {
  const machine = machineVerdict(rounds);
  const last = rounds.at(-1);
  const findings = last === undefined ? '' : textOf(last);
  return {
    ...id,
    status,
    reviewStatus: effective(machine, human),
    reviewFindings: findings === '' ? null : truncateBytes(findings, mostFindings),
    machineVerdict: machine,
    humanDecision: human,
    decidedBy,
    issues: issuesOf(rounds, machine),
    error,
    errorCode: code,
    at: last?.at ?? '',
  };
}

/** The result that the attempts of a run come to. */
export function resultOf(run: Outcome<TaskWork>, attempts: readonly TaskAttempt[]): TaskResult {
  const last = attempts.at(-1);
  const { status = 'failed', error = run.reason, errorCode = 'ERROR', reviewStatus = null, machineVerdict: machine = null, humanDecision = null, reviewFindings = null, issues = null } = last ?? {};
  const code = errorCode as TaskErrorCode | null;
  const retried = status === 'failed' && !isPermanent(code);
  const previousError = !retried ? null : code === 'FIX_REQUESTED' ? fixRequest(reviewFindings ?? '') : truncateBytes([error, reviewFindings].filter((part) => part !== null).join('\n'), 1024);
  return { success: status === 'success', status, error, code, reviewStatus, machineVerdict: machine, humanDecision, reviewFindings, issues, previousError, attempts, run };
}

/** What the next attempt is told when a person asks for a fix. */
export function fixRequest(findings: string): string {
  return `Fix requested. Review findings:\n${truncateBytes(findings === '' ? 'none were named' : findings, 1024 - 40)}`;
}

/** The machine's verdict on an attempt: `fixed` where a repair of its own was what passed; `null` where it did not come to a review. */
function machineVerdict(rounds: readonly Review[]): ReviewVerdict | null {
  const last = rounds.at(-1);
  if (last === undefined || failedChecks(last).length > 0) return null;
  const verdict = verdictIn(last);
  return verdict === 'passed' && rounds.some((round) => verdictIn(round) === 'fixed') ? 'fixed' : verdict;
}

function issuesOf(rounds: readonly Review[], machine: ReviewVerdict | null): number | null {
  if (machine === null || machine === 'skipped' || machine === 'not_run' || machine === 'error') return null;
  const round = machine === 'fixed' ? rounds.findLast((one) => verdictIn(one) === 'fixed') : rounds.at(-1);
  const count = round?.gaps.filter((gap) => gap.raisedBy === 'review' && isOpen(gap)).length ?? 0;
  const unexplained = round?.gaps.some((gap) => gap.raisedBy === 'review' && gap.description.startsWith('review: ')) === true;
  return unexplained ? null : count;
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
      return round.decision.kind === 'ask' && run.status !== 'suspended' && run.status !== 'timed_out' && run.status !== 'cancelled' ? 'fix' : null;
  }
}

function effective(machine: ReviewVerdict | null, human: TaskAttempt['humanDecision']): ReviewVerdict | null {
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

function endingOf(run: Outcome<TaskWork>, human: TaskAttempt['humanDecision'], round: Review): TaskEnding {
  const failed = (code: TaskErrorCode, error: string): TaskEnding => ({ status: 'failed', code, error });
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
  return check.criterion === 'execution' ? 'TASK_FAILED' : check.criterion === 'lint' ? 'LINT_FAILED' : 'TESTS_FAILED';
}

function withoutReview(taskId: string, run: Outcome<TaskWork>): TaskAttempt {
  const code = run.status === 'timed_out' ? 'TIMED_OUT' : run.status === 'cancelled' ? 'CANCELLED' : 'ERROR';
  const none = { reviewStatus: null, reviewFindings: null, machineVerdict: null, humanDecision: null, decidedBy: null, issues: null };
  return { taskId, runId: run.runId, attempt: 1, status: 'failed', ...none, error: run.reason, errorCode: code, at: new Date(0).toISOString() };
}
