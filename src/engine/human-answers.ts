import * as z from 'zod';
import { isReviewError, messageOf, ReviewLoopError } from '../core/errors.js';
import {
  type DecisionAnswer,
  decisionOf,
  type HumanAnswer,
  HumanAnswerSchema,
  type HumanRequest,
  isExpired,
  isOverride,
} from '../core/human.js';
import type { OutcomeStatus } from '../core/outcome.js';
import { plural } from '../core/plural.js';
import { redactJson } from '../core/redact/redact-json.js';
import { portErrors } from '../ports/errors.js';
import { checkData, checkReply } from './check-reply.js';
import type { Definition } from './definition.js';
import { engineErrors } from './errors.js';
import type { PendingOverride, RunJournal } from './journal.js';
import type { Run } from './run.js';
import { answerTo, requestId } from './run-questions.js';
import type { RunResult } from './run-result.js';

/** Names a version of a run. */
export interface VersionReference {
  readonly runId: string;
  /** The digest of the version, `outcome.version`. */
  readonly digest: string;
}

/** Names a question of a run and the version that it is about. */
export interface RequestReference {
  readonly runId: string;
  /** The id of the question. */
  readonly id: string;
  /** The digest of the version that the question is about. */
  readonly digest: string;
}

interface AnsweredJournal
  extends Pick<RunJournal, 'requests' | 'answers' | 'ended' | 'expired'>,
    Partial<Pick<RunJournal, 'before'>> {}

/**
 * Returns an answer that may be recorded: the question is open, the version matches, the kind is
 * allowed, required reasons are present, and secrets in them are removed.
 */
export function checkedAnswer(
  journal: AnsweredJournal,
  { runId, id, digest }: RequestReference,
  { given, now }: { readonly given: HumanAnswer; readonly now: number },
): HumanAnswer {
  const request = journal.requests.get(id);
  if (request === undefined)
    throw new ReviewLoopError(engineErrors.request_unknown, `run ${runId} has no question ${id}`);
  const earlier = journal.answers.get(id);
  if (earlier !== undefined)
    throw new ReviewLoopError(
      engineErrors.request_answered,
      `question ${id} of run ${runId} is already answered: ${earlier.kind} by ${earlier.by}`,
      { value: earlier },
    );
  if (request.digest !== digest)
    throw new ReviewLoopError(
      engineErrors.request_stale,
      `question ${id} is about version ${request.digest}, not ${digest}`,
    );
  if (isLeftBehind(journal, id))
    throw new ReviewLoopError(
      engineErrors.request_stale,
      `question ${id} of run ${runId} is no longer asked`,
    );
  if (journal.expired.has(id) || isExpired(request, now)) throw expiredError(request);
  const parsed = z.safeParse(HumanAnswerSchema, given);
  if (!parsed.success)
    throw new ReviewLoopError(
      engineErrors[given?.kind === 'override' ? 'reason_required' : 'answer_invalid'],
      `the answer was refused: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, value: given },
    );
  const { data } = parsed;
  if (!request.allowed.includes(data.kind))
    throw new ReviewLoopError(
      engineErrors.answer_not_allowed,
      `question ${id} allows ${request.allowed.join(', ')}, not ${data.kind}`,
    );
  // before secrets are removed: that makes plain objects of all others
  checkData(data, request);
  const answer = redactJson(data);
  checkNamed(answer, request);
  checkApproval(answer, request);
  checkReply(answer, request);
  checkReason(answer, request);
  return answer;
}

function expiredError({ id, runId, expiresAt }: HumanRequest): ReviewLoopError {
  return new ReviewLoopError(
    engineErrors.request_expired,
    `question ${id} of run ${runId} could be answered until ${expiresAt}`,
  );
}

/** No later clock may find the question open again. */
export async function refuseExpired(
  journal: Pick<RunJournal, 'requests' | 'answers' | 'expired' | 'append'>,
  now: number,
  asks: (request: HumanRequest) => boolean,
): Promise<void> {
  const { requests, answers, expired } = journal;
  const open = [...requests.values()].filter((request) => !answers.has(request.id));
  const late = open.find(
    (request) => asks(request) && (expired.has(request.id) || isExpired(request, now)),
  );
  if (late === undefined) return;
  if (!expired.has(late.id))
    await journal.append({ type: 'end', status: 'timed_out', code: 'request_expired', at: now });
  throw expiredError(late);
}

function isLeftBehind({ requests, ended, before = 0 }: AnsweredJournal, id: string): boolean {
  return ended?.waits?.includes(id) === false && [...requests.keys()].indexOf(id) < before;
}

export function checkedOverride(given: {
  readonly by: string;
  readonly reason: string;
}): HumanAnswer {
  const { by, reason } = { ...given };
  const parsed = z.safeParse(HumanAnswerSchema, { kind: 'override', by, reason });
  if (parsed.success) return redactJson(parsed.data);
  throw new ReviewLoopError(
    engineErrors.reason_required,
    `the override was refused: ${z.prettifyError(parsed.error)}`,
    { cause: parsed.error, value: { by, reason } },
  );
}

interface Decided {
  readonly kind: 'answer' | 'override';
  readonly reference: VersionReference & { readonly id?: string };
  readonly answer: HumanAnswer;
}

export interface AnsweredRun {
  readonly journal: Pick<RunJournal, 'requests' | 'ended'> | undefined;
  /** Bounds a call by the time of the run. */
  readonly over: (what: string, work: Promise<unknown>) => Promise<unknown>;
}

/** If recording fails, the decision does not count. */
export async function recordInAudit(
  { audit }: Pick<Definition<never, never>, 'audit'>,
  run: AnsweredRun,
  { kind, reference, answer }: Decided,
): Promise<void> {
  if (audit === undefined) return;
  const { runId, digest, id } = reference;
  const reason = answer.kind === 'revise' ? answer.note : answer.reason;
  try {
    const recording = audit.record({
      kind,
      who: answer.by,
      runId,
      version: digest,
      ...(id !== undefined && { request: id }),
      verdict: verdictBefore(run.journal, id),
      decision: decisionOf(answer),
      ...(answer.kind === 'decide' && { details: detailsOf(answer) }),
      ...(reason !== undefined && { reason }),
    });
    await run.over('recording in the audit log', recording);
  } catch (error) {
    if (isReviewError(error)) throw error;
    throw new ReviewLoopError(
      portErrors.audit_unwritable,
      `the ${kind} could not be recorded in the audit log: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

function detailsOf({ decisions, missing = {} }: DecisionAnswer): Record<string, string> {
  return Object.fromEntries(
    Object.entries(decisions).map(([name, word]) => [
      name,
      Object.hasOwn(missing, name) ? `${word}: ${missing[name]}` : word,
    ]),
  );
}

function verdictBefore(journal: AnsweredRun['journal'], id: string | undefined): string {
  const request = id === undefined ? undefined : journal?.requests.get(id);
  if (request?.approved === true) return 'approved';
  const ended = journal?.ended;
  return request === undefined && ended !== undefined
    ? `${ended.status} (${ended.code})`
    : 'not approved';
}

const overridable: ReadonlySet<OutcomeStatus> = new Set([
  'rejected',
  'escalated',
  'exhausted',
  'stalled',
  'inconclusive',
  'timed_out',
]);

function noVersion(runId: string): ReviewLoopError {
  return new ReviewLoopError(
    engineErrors.no_version,
    `run ${runId} waits for an answer and has no version yet`,
    { value: runId },
  );
}

export async function overridden<Output>(
  run: Run,
  ending: RunResult<Output>,
): Promise<RunResult<Output>> {
  if (run.override !== undefined) await decide(run, run.override, ending);
  return withOverride(run, ending);
}

/** Records nothing that takes no effect, so that the audit log has no such override. */
async function decide(
  run: Run,
  given: PendingOverride,
  { status, version }: RunResult<unknown>,
): Promise<void> {
  if (status === 'failed' || status === 'cancelled') return;
  try {
    if (version === undefined && status === 'suspended') throw noVersion(run.id);
    if (version === undefined) return;
    if (version.digest !== given.digest)
      throw new ReviewLoopError(
        engineErrors.override_stale,
        `run ${run.id} ended as ${status} with version ${version.digest}, ` +
          `not with ${JSON.stringify(given.digest)}`,
        { value: given.digest },
      );
    if (overridable.has(status)) await given.record();
  } catch (error) {
    given.refused = error;
  }
}

function withOverride<Output>(run: Run, ending: RunResult<Output>): RunResult<Output> {
  if (!overridable.has(ending.status) || ending.version === undefined) return ending;
  const answer = answerTo(run, requestId(run, 'override', ending.version.digest));
  if (answer?.kind !== 'override') return ending;
  const { by, reason } = answer;
  return {
    status: 'accepted',
    code: 'person_overrode',
    reason: `override by ${by}: ${reason} (${ending.status}: ${ending.reason})`,
    version: ending.version,
    decidedBy: by,
    acceptance: { kind: 'override', by, reason },
  };
}

function checkReason(answer: HumanAnswer, request: HumanRequest): void {
  if (answer.kind !== 'approve' || answer.reason !== undefined || !isOverride(request)) return;
  const why =
    request.gaps.length > 0
      ? `version ${request.digest} has ${plural(request.gaps.length, 'open gap')}`
      : `reviewers did not approve version ${request.digest}`;
  throw new ReviewLoopError(engineErrors.reason_required, `${why}, so approving it is an override`);
}

export function checkNamed(
  answer: HumanAnswer,
  { id, undecided = [] }: Pick<HumanRequest, 'id' | 'undecided'>,
): void {
  if (answer.kind !== 'decide') return;
  const known = undecided.map(({ criterion }) => criterion);
  const unknown = Object.keys(answer.decisions).filter((criterion) => !known.includes(criterion));
  if (unknown.length > 0) throw decisionUnknown(unknown, `question ${id}`, known);
}

export function decidingRequest(
  { requests }: { readonly requests: ReadonlyMap<string, HumanRequest> },
  digest: string,
): HumanRequest | undefined {
  return [...requests.values()].findLast(
    (request) => request.undecided !== undefined && request.digest === digest,
  );
}

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

export function approvalProblem(
  { decisions }: Pick<DecisionAnswer, 'decisions'>,
  { approves, undecided = [] }: Pick<HumanRequest, 'approves' | 'undecided'>,
): string | undefined {
  if (approves !== true) return 'nobody was asked to approve';
  // a person knows the question, not the id of its criterion
  const named = (criteria: readonly string[]): string =>
    criteria
      .map((name) => undecided.find(({ criterion }) => criterion === name)?.question ?? name)
      .join(', ');
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

export function checkedDecisions(given: Omit<DecisionAnswer, 'kind'>): DecisionAnswer {
  const parsed = z.safeParse(HumanAnswerSchema, { ...given, kind: 'decide' });
  if (parsed.success && parsed.data.kind === 'decide') return redactJson(parsed.data);
  const why = parsed.error === undefined ? '' : z.prettifyError(parsed.error);
  throw new ReviewLoopError(engineErrors.answer_invalid, `the decisions were refused: ${why}`, {
    value: given,
  });
}
