import type { HumanAnswer, HumanAnswerKind } from '../../../core/human.js';
import { isThere } from '../../../node/files.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import {
  actOf,
  answerOf,
  type GivenAnswer,
  questionFor,
  reasonFor,
  refuseUnanswerable,
} from '../../cli-kit/answer-question.js';
import { usageError } from '../../cli-kit/errors.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import { silentIo, tell } from '../../cli-kit/io.js';
import { findReviewed } from '../../cli-kit/reports/find-stored.js';
import { checkReports } from '../../cli-kit/reports/report-flag.js';
import { userName } from '../../cli-kit/require-person.js';
import type { FoundRun, RunCall, RunNeeds } from '../../cli-kit/runs/run-kind.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { taskOfRun } from '../../commands/task-review/task-record.js';
import type { ClientAnswer } from '../../mcp/people-tools.js';

interface ResumeFlags {
  readonly id: string;
  readonly format: 'text' | 'json';
  readonly quiet: boolean;
  readonly report: readonly string[];
}

interface AnswerFlags extends ResumeFlags, Omit<GivenAnswer, 'kind' | 'by'> {
  readonly answer: HumanAnswerKind;
  readonly by: string | undefined;
}

/** The run may be of a task, a diff or files. Every face that takes an answer calls this. */
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
  const act = actOf(report, {
    answer,
    question: flags.question,
    runs: store.runs,
    signal: io.signal,
  });
  return found.goOn(runCall(call, flags), { act, kind });
}

/** Takes the answers that were recorded. */
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

/**
 * For a client of the Model Context Protocol: the output of the process belongs to the protocol, so
 * nothing is shown.
 */
export async function answerByClient(
  call: StoredCall,
  { runId, version, decisions, reason, by }: ClientAnswer,
): Promise<number> {
  const { report } = await findRun(call.store, runId);
  if (report.version !== version) throw usageError(`run ${runId} has another version now`);
  return answerRun(
    { ...call, io: silentIo(call.io) },
    {
      ...{ id: runId, answer: 'decide', decisions, reason, by },
      ...{ question: undefined, format: 'json', quiet: true, report: [] },
    },
  );
}

/**
 * A command can continue it: it is of a task, a diff or files. Only the modules of its kind are
 * loaded.
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

/** `undefined` if it can continue here. Only a shared store contains runs of other machines. */
async function missingHere(
  { folder }: StoreHandle,
  { config, cwd, files = [] }: RunNeeds,
): Promise<string | undefined> {
  if (folder !== undefined) return undefined;
  const named = [
    ...(cwd === undefined ? [] : [['folder', cwd]]),
    ...(config === false ? [] : [['configuration', config]]),
    ...files.map((file) => ['file', file]),
  ];
  for (const [name, path = ''] of named)
    if (!(await isThere(path))) return `its ${name} ${path} is not on this machine`;
  return undefined;
}

interface RecordedHere {
  readonly answer: HumanAnswer;
  readonly question: string | undefined;
  readonly format: 'text' | 'json';
  /** Why its run does not go on here. */
  readonly why: string;
}

/** The run still waits: now for a machine that can continue it. */
const waits = 53;

/** It counts: every machine that continues the run finds it. */
async function recordOnly(
  { io, store }: StoredCall,
  { report, next }: FoundRun,
  { answer, question, format, why }: RecordedHere,
): Promise<number> {
  const { runId, status } = report;
  const { kind, by } = answer;
  if (status !== 'suspended')
    throw usageError(
      `run ${runId} has ended, and \`${kind}\` replays it, but ${why}; ` +
        'give the command on the machine that reviewed it',
      runId,
    );
  const { id, digest } = questionFor(report, question);
  const { recordAnswer } = await import('../../../adapters/engines/record-answer.js');
  await recordAnswer(store.runs, { runId, id, digest }, answer, { audit: store.audit });
  const command = `${next}${store.words(io.cwd)}`;
  const about = { recorded: kind, by, question: id, why, next: command, exitCode: waits };
  const lines = [
    `recorded: ${kind} by ${by}`,
    `run ${runId} does not go on here: ${why}`,
    `next, on a machine that has it: ${command}`,
  ];
  const data = { runId, status, ...about };
  await tell(io, format, { data, lines: lines.map(oneLine) });
  return waits;
}
