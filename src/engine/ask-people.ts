import { isOpenQuestion } from '../core/assessment.js';
import { type AskDecision, type Decision, questionText } from '../core/decision.js';
import { ReviewLoopError } from '../core/errors.js';
import { type Gap, isOpen } from '../core/gap.js';
import type { HumanAnswer, HumanRequest } from '../core/human.js';
import type { Acceptance } from '../core/outcome.js';
import type { UndecidedReview } from '../core/policy.js';
import type { Version } from '../core/version.js';
import { whyNotApproved } from './approval.js';
import type { Definition, HumanOptions } from './definition.js';
import { approvalProblem, decidingRequest, overridden } from './human-answers.js';
import { undecidedName, undecidedOf, undecidedQuestion } from './person-decisions.js';
import type { Run } from './run.js';
import { answerTo, requestId } from './run-questions.js';
import type { RunResult } from './run-result.js';
import { suspend } from './suspend-run.js';
import type { JudgedVersion } from './version-history.js';

export { overridden, suspend };

export const decisionName = 'decision';

/** Returns the question of the option `human` after this decision, or the one that stands, if any. */
export function questionAfter<Output>(
  run: Run,
  human: HumanOptions | undefined,
  { decision, review, version }: JudgedVersion<Output> & { readonly decision: Decision },
): NamedQuestion | undefined {
  const asked = human && questionOf(human, decision, review);
  return asked ?? (decision.kind === 'approve' ? standingQuestion(run, version.digest) : undefined);
}

/**
 * Returns the question whether this version is let through, if it was asked before: a policy that
 * decides otherwise by now does not answer it.
 */
function standingQuestion(run: Run, digest: string): NamedQuestion | undefined {
  const request = run.journal?.requests.get(requestId(run, decisionName, digest));
  if (request === undefined) return undefined;
  const { question } = request;
  const allowed = request.allowed.filter((kind) => kind !== 'reply');
  return { name: decisionName, question: { kind: 'ask', reason: question, question, allowed } };
}

function questionOf(
  human: HumanOptions,
  decision: Decision,
  review: UndecidedReview,
): NamedQuestion | undefined {
  if (decision.kind === 'stop' && decision.code === 'undecided') {
    if (human.policy === 'auto' && human.notify === undefined) return undefined;
    return {
      name: undecidedName(review),
      question: undecidedQuestion(review, decision.reason),
      approves: human.policy !== 'auto',
    };
  }
  if (decision.kind !== 'approve') return undefined;
  const question = approvalQuestion(human, decision);
  return question && { name: decisionName, question };
}

/** Without an answer, it suspends the run. */
export async function askPerson<Task, Output>(
  run: Run,
  definition: Definition<Task, Output>,
  judged: JudgedVersion<Output>,
  asked: NamedQuestion,
): Promise<AnswerEffect<Output>> {
  const given = asked.name === decisionName ? approvalWithDecisions(run, judged) : undefined;
  const answer = given ?? answerFor(run, answerable(asked, definition), judged);
  return answer === undefined
    ? { kind: 'end', ending: await suspend(run, definition, judged.version) }
    : verdictOf(run, definition, answer, judged);
}

type Question = Extract<Decision, { kind: 'ask' }>;

export type AnswerEffect<Output> =
  | { readonly kind: 'end'; readonly ending: RunResult<Output> }
  | {
      readonly kind: 'revise';
      readonly decision: Extract<Decision, { kind: 'revise' }> & { readonly note: string };
    };

export function approvalQuestion(
  { policy = 'auto' }: Partial<HumanOptions>,
  { reason }: Pick<Decision, 'reason'>,
): Question | undefined {
  if (policy === 'auto') return undefined;
  const allowed =
    policy === 'require'
      ? (['approve', 'reject', 'revise'] as const)
      : (['approve', 'reject', 'revise', 'skip'] as const);
  return { kind: 'ask', reason, question: `The reviewers approve: ${reason}. Do you?`, allowed };
}

/** Returns a question without answers that nobody could carry out: `revise` needs an `address`. */
export function answerable(
  { name, question, approves }: NamedQuestion,
  {
    address,
    callerRevises = false,
  }: { readonly address?: unknown; readonly callerRevises?: boolean | undefined },
): NamedQuestion {
  const [first, ...others] = question.allowed.filter(
    (kind) => kind !== 'revise' || address !== undefined || callerRevises,
  );
  const kept = first ? { ...question, allowed: [first, ...others] as const } : question;
  return { name, question: kept, approves };
}

/** Without an answer, the question becomes pending. */
export function answerFor<Output>(
  run: Run,
  { name, question, approves }: NamedQuestion,
  { version, review }: JudgedVersion<Output>,
): HumanAnswer | undefined {
  const id = requestId(run, name, version.digest);
  const answer = answerTo(run, id);
  if (answer === undefined)
    run.pending.set(id, {
      id,
      runId: run.id,
      digest: version.digest,
      from: 'policy',
      question: question.question,
      gaps: review.gaps.filter(isOpen),
      allowed: [...question.allowed],
      ...(question.allowed.includes('decide') && { undecided: undecidedIn(review) }),
      approved: approved(run) || isClean(review),
      ...(approves && { approves }),
    });
  return answer;
}

/**
 * Returns the approval that a person gave with the last decisions about this version, if the
 * reviewers approve by now and no gap is open that the person did not see.
 */
export function approvalWithDecisions<Output>(
  run: Run,
  { version, review }: JudgedVersion<Output>,
): HumanAnswer | undefined {
  const { decisions = [] } = run.journal ?? {};
  const given = decisions.findLast(({ digest }) => digest === version.digest)?.answer;
  const request = run.journal && decidingRequest(run.journal, version.digest);
  if (given?.approve !== true || request === undefined || !approved(run)) return undefined;
  if (approvalProblem(given, request) !== undefined) return undefined;
  const seen = new Set(request.gaps.map(({ id }) => id));
  if (!review.gaps.every((gap) => !isOpen(gap) || seen.has(gap.id))) return undefined;
  const { by, reason } = given;
  return { kind: 'approve', by, ...(reason !== undefined && { reason }) };
}

type Deciding = Pick<Definition<never, never>, 'human' | 'budget'> & { readonly address: unknown };

/** A version that the reviewers did not approve never becomes `approved`. */
export function verdictOf<Output>(
  run: Run,
  { human, address, budget }: Deciding,
  answer: HumanAnswer,
  { version, review }: JudgedVersion<Output>,
): AnswerEffect<Output> {
  const revision = (note: string): AnswerEffect<Output> => ({
    kind: 'revise',
    decision: {
      kind: 'revise',
      reason: `${answer.by} asked for a revision`,
      from: 'latest',
      note,
      blocking: noteAsGap(note, version.digest, review.gaps),
    },
  });
  const end = (ending: RunResult<Output>): AnswerEffect<Output> => ({
    kind: 'end',
    ending: { ...ending, decidedBy: answer.by },
  });
  switch (answer.kind) {
    case 'approve':
      if (approved(run) || isClean(review))
        return end({
          status: 'approved',
          code: 'person_approved',
          reason: `approved by the reviewers and by ${answer.by}`,
          version,
        });
      return end(
        accepted(version, { kind: 'override', by: answer.by, reason: answer.reason ?? '' }),
      );
    case 'override':
      return end(accepted(version, { kind: 'override', by: answer.by, reason: answer.reason }));
    case 'skip':
      return end(
        accepted(version, {
          kind: 'skip',
          by: answer.by,
          reason: answer.reason ?? 'the person skipped the decision',
        }),
      );
    case 'reject':
      if (human?.onReject === 'revise' && address !== undefined && run.iteration < budget.reviews)
        return revision(answer.reason ?? `rejected by ${answer.by}`);
      return end({
        status: 'rejected',
        code: 'person_rejected',
        reason: answer.reason ?? `rejected by ${answer.by}`,
        version,
      });
    case 'revise':
      return revision(answer.note);
    case 'decide':
    case 'reply':
      throw new ReviewLoopError('policy_failed', 'decisions were not applied to their version');
  }
}

function undecidedIn(review: UndecidedReview): NonNullable<HumanRequest['undecided']> {
  return undecidedOf(review).map((assessment) => ({
    criterion: assessment.criterion,
    question: questionText(assessment),
    reason: assessment.reason,
    ...(!isOpenQuestion(assessment) && { mandatory: false }),
  }));
}

function approved(run: Run): boolean {
  return run.reviews.at(-1)?.decision.kind === 'approve';
}

function accepted<Output>(
  version: Version<Output>,
  acceptance: Acceptance & { readonly kind: 'override' | 'skip' },
): RunResult<Output> {
  const { kind, by, reason } = acceptance;
  return {
    status: 'accepted',
    code: kind === 'skip' ? 'person_skipped' : 'person_overrode',
    reason: `${kind} by ${by}: ${reason}`,
    version,
    acceptance,
  };
}

function noteAsGap(note: string, digest: string, gaps: readonly Gap[]): readonly [Gap, ...Gap[]] {
  const wish: Gap = {
    id: `note:${digest.slice(0, 16)}`,
    severity: 'major',
    category: 'incomplete',
    description: note,
    suggestedFix: note,
    estimatedEffort: 'medium',
    autoFixable: true,
    raisedBy: 'person',
    lifecycle: 'new',
  };
  return [wish, ...gaps.filter((gap) => isOpen(gap) && gap.autoFixable)];
}

/**
 * Returns whether everything was judged and nothing failed, so that a person who approves agrees
 * with the reviewers.
 */
export function isClean(review: UndecidedReview): boolean {
  return (
    whyNotApproved(review) === undefined &&
    review.assessments.every(({ verdict }) => verdict === 'pass' || verdict === 'skipped')
  );
}

export interface NamedQuestion {
  readonly name: string;
  readonly question: AskDecision;
  /** Whether decisions may approve the version too. */
  readonly approves?: boolean | undefined;
}
