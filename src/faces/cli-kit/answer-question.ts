import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import {
  type HumanAnswer,
  type HumanAnswerKind,
  type HumanRequest,
  isOverride,
} from '../../core/human.js';
import { jsonOrText } from '../../core/json-or-text.js';
import { redactSecrets } from '../../core/redact/secrets.js';
import { engineErrors } from '../../engine/errors.js';
import { sanitise } from '../../node/terminal/sanitise.js';
import type { Store } from '../../ports/store.js';
import { withId } from '../reports/run-folder.js';
import type { RunReport } from '../reports/run-report.js';
import { questionId } from '../reports/run-words.js';
import { usageError } from './errors.js';
import type { Io } from './io.js';
import type { Act, Acted, Continuable, FoundRun } from './runs/run-kind.js';
import { mayOverride, questionLines } from './show/next-command.js';

export interface GivenAnswer {
  readonly kind: HumanAnswerKind;
  /** For the kind `decide`: `R3=yes`, with the id of a requirement or a criterion. */
  readonly decisions?: readonly string[] | undefined;
  /** For the kind `decide`: by criterion, what is missing. */
  readonly missing?: Readonly<Record<string, string>> | undefined;
  /** For the kind `decide`: whether it approves the version too. */
  readonly approve?: boolean | undefined;
  readonly reason: string | undefined;
  /** For the kind `reply`: the value as JSON. What is not JSON is a text. */
  readonly value?: string | undefined;
  readonly by: string;
  readonly question: string | undefined;
}

/** The reason of `revise` is its note. */
export function answerOf(answer: GivenAnswer, report: Pick<RunReport, 'undecided'>): HumanAnswer {
  const { kind, by, decisions = [], value } = answer;
  checkParts(answer);
  const given = saidReason(answer.reason);
  const reason = given !== '' && { reason: given };
  switch (kind) {
    case 'reply':
      return { kind, by, value: jsonOrText(value ?? ''), ...reason };
    case 'decide':
      return {
        ...{ kind, by, decisions: decisionsOf(decisions, report), ...reason },
        ...(answer.missing !== undefined && { missing: answer.missing }),
        ...(answer.approve === true && { approve: true as const }),
      };
    case 'revise':
    case 'override':
      if (given === '')
        throw new ReviewLoopError(engineErrors.reason_required, `${kind} requires --reason TEXT`);
      return kind === 'revise' ? { kind, by, note: given } : { kind, by, reason: given };
    default:
      return { kind, by, ...reason };
  }
}

function checkParts({ kind, decisions = [], value, approve }: GivenAnswer): void {
  if (kind !== 'decide' && approve === true) throw usageError(`${kind} takes no --approve`);
  if (kind !== 'decide' && decisions.length > 0)
    throw usageError(`${kind} takes no ${decisions.join(' ')}`);
  if (kind === 'reply' && value === undefined) throw usageError('reply requires --value JSON');
  if (kind !== 'reply' && value !== undefined) throw usageError(`${kind} takes no --value`);
}

/** It has no secrets, and is '' for the placeholder of a printed command, which says nothing. */
function saidReason(reason = ''): string {
  return /[\p{L}\p{N}]/u.test(reason) ? redactSecrets(reason.trim()) : '';
}

/** No content of the journal could allow them. */
export function refuseUnanswerable(report: RunReport, kind: HumanAnswerKind): void {
  const { runId, status, approved, undecided } = report;
  if (status === 'suspended' || (kind === 'decide' && undecided.length > 0)) return;
  if (approved || status === 'accepted')
    throw new ReviewLoopError(
      engineErrors.request_unknown,
      `run ${runId} asks no question: it is ${status}`,
      { value: runId },
    );
  if (!mayOverride(report))
    throw new ReviewLoopError(
      engineErrors.answer_not_allowed,
      `run ${runId} is ${status} and has no version to accept`,
      { value: kind },
    );
  const takes = undecided.length > 0 ? '`override` or `decide`' : '`override`';
  if (kind !== 'override')
    throw new ReviewLoopError(
      engineErrors.answer_not_allowed,
      `run ${runId} asks no question: it is ${status}, and takes only ${takes}`,
      { value: kind },
    );
}

/**
 * Asks the person at the terminal where one is needed and none was given, so that a printed command
 * can be run as it stands.
 */
export async function reasonFor(
  { terminal, signal }: Pick<Io, 'terminal' | 'signal'>,
  { kind, reason }: Pick<GivenAnswer, 'kind' | 'reason'>,
  { report, note }: FoundRun,
): Promise<string | undefined> {
  const said = saidReason(reason);
  if (said !== '') return said;
  if (kind === 'revise' && note !== undefined) return note;
  const isAcceptance = kind === 'approve' && report.requests?.some(isOverride) === true;
  const question =
    kind === 'revise'
      ? 'What to change:'
      : kind === 'override' || isAcceptance
        ? 'Reason for override:'
        : undefined;
  if (question === undefined || terminal === undefined) return undefined;
  const { Prompts } = await import('../people/prompts.js');
  const prompts = new Prompts(terminal, signal);
  try {
    const typed = await prompts.text(question, (text) =>
      saidReason(sanitise(text)) === '' ? 'This needs a reason.' : undefined,
    );
    return typed === undefined ? undefined : sanitise(typed).trim();
  } finally {
    prompts.close();
  }
}

export function questionFor(report: RunReport, id: string | undefined): HumanRequest {
  const requests = report.requests ?? [];
  const matching = id === undefined ? requests : withId(requests, id, (request) => request.id);
  const [found] = matching;
  const open = `; open questions: ${questionLines(report).join(' / ')}`;
  if (found === undefined)
    throw new ReviewLoopError(
      engineErrors.request_unknown,
      `run ${report.runId} has no question ${id ?? ''}${open}`,
      { value: id },
    );
  if (matching.length > 1)
    throw usageError(
      id === undefined
        ? `${matching.length} questions are open; name one with --question${open}`
        : `--question ${id} matches ${matching.length} questions; pass more of the id${open}`,
      id,
    );
  return found;
}

type Decidable = Pick<RunReport, 'undecided'>;

const words: Readonly<Record<string, 'yes' | 'no'>> = { yes: 'yes', y: 'yes', no: 'no', n: 'no' };

/** Such as `R3=yes`: `R3` is the id of a requirement, every other name that of a criterion. */
export function decisionsOf(
  given: readonly string[],
  report: Decidable,
): Record<string, 'yes' | 'no'> {
  const names = openNames(report).join(', ') || 'nothing';
  if (given.length === 0)
    throw usageError(
      `decide what? Pass for example ${openNames(report)[0] ?? 'R1'}=yes; undecided: ${names}`,
    );
  const decisions: Record<string, 'yes' | 'no'> = {};
  for (const text of given) {
    const [, name = '', word = ''] = /^(.+)=([^=]*)$/.exec(text) ?? [];
    const decision = words[word.toLowerCase()];
    if (decision === undefined) throw usageError(`'${text}' is not like R3=yes or R3=no`, text);
    const criterion = criterionOf(name, report);
    if (criterion === undefined)
      throw usageError(`${name} is not undecided; undecided: ${names}`, text);
    if (Object.hasOwn(decisions, criterion)) throw usageError(`${name} is decided twice`, text);
    decisions[criterion] = decision;
  }
  return decisions;
}

/** It is that of its question, else the returned one. */
export function decidedVersion({
  requests = [],
  version = '',
}: Pick<RunReport, 'requests' | 'version'>): string {
  return requests.find(({ undecided }) => undecided !== undefined)?.digest ?? version;
}

function openNames({ undecided }: Decidable): string[] {
  return undecided.map(questionId);
}

/** The names of the screen count: `R3` need not be the third of a list in which a judge failed. */
function criterionOf(name: string, { undecided }: Decidable): string | undefined {
  const named = undecided.find((one) => questionId(one).toLowerCase() === name.toLowerCase());
  return (named ?? undecided.find(({ criterion }) => criterion === name))?.criterion;
}

interface GoingOn {
  readonly answer: HumanAnswer;
  readonly question: string | undefined;
  readonly runs: Store;
  readonly signal: AbortSignal;
}

/**
 * If its question has expired, a run goes on without the answer, so that its end is stored, and the
 * answer is refused.
 */
export function actOf(report: RunReport, given: GoingOn): Act {
  const { runId, status, version = '' } = report;
  const { answer, signal } = given;
  const options = { signal };
  return async (run) => {
    if (answer.kind === 'override' && status !== 'suspended')
      return { result: await run.override({ runId, digest: version }, answer, options) };
    try {
      return answer.kind === 'decide'
        ? { result: await run.decide({ runId, digest: decidedVersion(report) }, answer, options) }
        : await answered(run, report, given);
    } catch (error) {
      if (!isReviewError(error) || error.code !== 'request_expired') throw error;
      const text = messageOf(error);
      return {
        result: await run.resume(runId, options),
        refused: (now) =>
          new ReviewLoopError(engineErrors.request_expired, `${text}; the run is ${now} now`),
      };
    }
  };
}

/** One that was answered before goes on with that answer. */
async function answered<Result>(
  run: Continuable<Result>,
  report: RunReport,
  { answer, question, runs, signal }: GoingOn,
): Promise<Acted<Result>> {
  const { runId } = report;
  const options = { signal };
  const earlier = await earlierAnswer(runs, report);
  if (earlier === undefined) {
    const { id, digest } = questionFor(report, question);
    return { result: await run.answer({ runId, id, digest }, answer, options) };
  }
  const { kind, by } = earlier;
  return {
    result: await run.resume(runId, options),
    refused: (now) =>
      new ReviewLoopError(
        engineErrors.request_answered,
        `run ${runId} was answered before, with ${kind} by ${by}, and is ${now} now`,
        { value: runId },
      ),
  };
}

/** The report of a run lacks it if the answering process was killed. */
async function earlierAnswer(
  runs: Store,
  { runId, requests }: RunReport,
): Promise<HumanAnswer | undefined> {
  const records = (await runs.read(runId)) ?? [];
  const open = new Set(requests?.map(({ id }) => id));
  for (const record of records)
    if (record.type === 'answer' && open.has(record.id)) return record.answer;
  return undefined;
}
