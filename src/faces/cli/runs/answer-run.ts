import { isReviewError, messageOf, ReviewLoopError } from '../../../core/errors.js';
import type { HumanAnswer, HumanAnswerKind } from '../../../core/human.js';
import { engineErrors } from '../../../engine/errors.js';
import {
  answerOf,
  decidedVersion,
  questionFor,
  reasonFor,
  refuseUnanswerable,
} from '../../cli-kit/answer-question.js';
import { usageError } from '../../cli-kit/errors.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import { findReviewed } from '../../cli-kit/reports/find-stored.js';
import { checkReports } from '../../cli-kit/reports/report-flag.js';
import { userName } from '../../cli-kit/require-person.js';
import type { Act, Acted, Continuable, FoundRun, RunCall } from '../../cli-kit/runs/run-kind.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { taskOfRun } from '../../commands/task-review/task-record.js';
import type { RunReport } from '../../reports/run-report.js';
import { missingHere, recordOnly } from './record-only.js';

interface ResumeFlags {
  readonly id: string;
  readonly format: 'text' | 'json';
  readonly quiet: boolean;
  readonly report: readonly string[];
}

interface AnswerFlags extends ResumeFlags {
  readonly answer: HumanAnswerKind;
  readonly decisions?: readonly string[] | undefined;
  readonly missing?: Readonly<Record<string, string>> | undefined;
  readonly approve?: boolean | undefined;
  readonly reason: string | undefined;
  readonly by: string | undefined;
  readonly question: string | undefined;
  readonly value?: string | undefined;
}

/**
 * Answers a question of a suspended run and continues it, or overrides the decision of an ended
 * run. The run may be of a task, a diff or files. Every face that takes an answer calls this.
 */
export async function answerRun(call: StoredCall, flags: AnswerFlags): Promise<number> {
  const { io, store } = call;
  const { id, answer: kind, by = userName() } = flags;
  await checkReports(flags.report, io.cwd);
  const found = await findRun(store, id);
  const { report } = found;
  refuseUnanswerable(report, kind);
  const given = { ...flags, kind, by };
  const said = { ...given, reason: await reasonFor(io, given, found) };
  const answer = answerOf(said, report);
  const why = await missingHere(store, found.needs);
  if (why !== undefined) return recordOnly(call, found, { ...said, answer, why });
  const act = actOf(report, { answer, question: flags.question, call });
  return found.goOn(runCall(call, flags), { act, kind });
}

/** Continues a run with the answers that were recorded, and returns the exit code. */
export async function resumeRun(call: StoredCall, flags: ResumeFlags): Promise<number> {
  const { io, store } = call;
  await checkReports(flags.report, io.cwd);
  const { notResumed, report, needs, goOn } = await findRun(store, flags.id);
  const { runId } = report;
  if (notResumed !== undefined)
    throw usageError(`${flags.id} ${notResumed}${store.words(io.cwd)}\``, flags.id);
  const why = await missingHere(store, needs);
  if (why !== undefined)
    throw usageError(
      `run ${runId} cannot go on here: ${why}; resume it where it was started`,
      runId,
    );
  const options = { signal: io.signal };
  return goOn(runCall(call, flags), {
    act: async (run) => ({ result: await run.resume(runId, options) }),
  });
}

function runCall(
  { io, entry, store }: StoredCall,
  { format, quiet, report }: ResumeFlags,
): RunCall {
  const watchdogEntry = io.watched ? entry : undefined;
  return { io, store, watchdogEntry, cwd: io.cwd, format, quiet, report };
}

interface Given {
  readonly answer: HumanAnswer;
  readonly question: string | undefined;
  readonly call: StoredCall;
}

/**
 * Returns what an answer does with a run. One whose question has expired goes on without it, so
 * that its end is stored, and the answer is refused.
 */
function actOf(report: RunReport, given: Given): Act {
  const { runId, status, version = '' } = report;
  const { answer, call } = given;
  const options = { signal: call.io.signal };
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

/** Answers the question of a run. One that was answered before goes on with that answer. */
async function answered<Result>(
  run: Continuable<Result>,
  report: RunReport,
  { answer, question, call: { io, store } }: Given,
): Promise<Acted<Result>> {
  const { runId } = report;
  const options = { signal: io.signal };
  const earlier = await earlierAnswer(store, report);
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

/**
 * Returns the recorded answer that the report of a run lacks because the answering process was
 * killed.
 */
async function earlierAnswer(
  { runs }: StoreHandle,
  { runId, requests }: RunReport,
): Promise<HumanAnswer | undefined> {
  const records = (await runs.read(runId)) ?? [];
  const open = new Set(requests?.map(({ id }) => id));
  for (const record of records)
    if (record.type === 'answer' && open.has(record.id)) return record.answer;
  return undefined;
}

/**
 * Finds a run that a command can continue: of a task, a diff or files. Only the modules of its kind
 * are loaded.
 */
export async function findRun(store: StoreHandle, id: string): Promise<FoundRun> {
  const task = await taskOfRun(store.files, id);
  if (task !== undefined) {
    const { foundTaskRun } = await import('../../commands/task-review/task-run.js');
    return foundTaskRun(store, task);
  }
  const report = await findReviewed(store, id);
  const { readStageRequest } = await import('../../commands/reviewer-stage/stage-request.js');
  const request = await readStageRequest(store.files, report.runId);
  if (request !== undefined) {
    const { foundStageRun } = await import('../../commands/reviewer-stage/stage-run.js');
    return foundStageRun(report, request);
  }
  const { foundFileRun } = await import('../review/file-run.js');
  return foundFileRun(store, report);
}
