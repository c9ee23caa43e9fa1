import { type GivenAnswer, questionFor, saidReason } from '../../cli-kit/answer-question.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { Io } from '../../cli-kit/io.js';
import { findReviewed } from '../../cli-kit/reports/find-stored.js';
import { checkReports } from '../../cli-kit/reports/report-flag.js';
import { mayOverride } from '../../cli-kit/show/next-command.js';
import { userName } from '../../cli-kit/user-name.js';
import { ReviewLoopError } from '../../core/errors.js';
import { type HumanAnswerKind, isOverride } from '../../core/human.js';
import { engineErrors } from '../../engine/errors.js';
import { Prompts } from '../../people/prompts.js';
import { waitingRun } from '../../ports/waiting-runs.js';
import type { RunReport } from '../../reports/run-report.js';
import { answerStage } from '../../reviewer-stage/command/answer-stage.js';
import { readStageRequest } from '../../reviewer-stage/command/stage-request.js';
import { answerTask } from '../../task-review/command/answer-task.js';
import { type TaskRecord, taskOfRun } from '../../task-review/command/task-record.js';
import { sanitise } from '../../terminal/sanitise.js';
import { type RunRequest, readRequest } from '../review/run-request.js';
import { answerFileRun } from './answer-file-run.js';
import type { AnswerSettings } from './answered-run.js';
import { continueRun } from './continue-run.js';
import { missingHere } from './missing-here.js';
import { type DistantRun, recordOnly, resumeLine } from './record-only.js';

/** The flags of `reviewloop answer`. */
interface AnswerFlags {
  readonly id: string;
  readonly answer: HumanAnswerKind;
  readonly decisions?: readonly string[] | undefined;
  readonly reason: string | undefined;
  readonly by: string | undefined;
  readonly question: string | undefined;
  readonly value?: string | undefined;
  readonly format: 'text' | 'json';
  readonly quiet: boolean;
  readonly report: readonly string[];
}

/**
 * Answers a question of a suspended run and continues it, or overrides the decision of an ended
 * run. The run may be of a task, a diff or files.
 *
 * @returns The exit code.
 * @throws ReviewLoopError `run_unknown`, `request_unknown`, `request_expired`,
 *   `answer_not_allowed`, `reason_required`, `run_busy`
 */
export async function answerRun(
  { io, entry, store }: StoredCall,
  flags: AnswerFlags,
): Promise<number> {
  const { id, answer: kind, by = userName() } = flags;
  await checkReports(flags.report, io.cwd);
  const given: AnswerSettings = { ...flags, kind, by, store };
  const task = await taskOfRun(store.files, id);
  if (task !== undefined) return answerTaskRun(io, task, given);
  const report = await findReviewed(store, id);
  const settings = { ...given, reason: await reasonFor(io, given, report) };
  const request = await readStageRequest(store.files, report.runId);
  if (request !== undefined) {
    const why = await missingHere(store, request);
    if (why !== undefined) return recordOnly(io, distant(settings, report, why));
    return answerStage(io, settings, { report, request });
  }
  refuseUnanswerable(report, kind);
  const fileRequest = await readRequest(store.files, report.runId);
  const { config } = fileRequest;
  const why = await missingHere(store, { config, files: filesOf(fileRequest) });
  if (why !== undefined) return recordOnly(io, distant(settings, report, why));
  const answered = { settings, report, request: fileRequest };
  return answerFileRun(io, io.watched ? entry : undefined, {
    answered,
    act: (pipeline, recorder) => continueRun(io, pipeline, { ...answered, recorder }),
  });
}

/** Returns the files that a run writes back. */
export function filesOf({ write, files }: RunRequest): readonly string[] {
  return write ? files.map(({ absolute }) => absolute) : [];
}

function distant(settings: AnswerSettings, report: RunReport, why: string): DistantRun {
  const { runId, status } = report;
  return {
    runId,
    settings,
    why,
    report,
    question: () => (status === 'suspended' ? questionFor(report, settings.question) : undefined),
    next: resumeLine(runId),
  };
}

/** Answers a task; one whose folder is on another machine goes on there. */
async function answerTaskRun(io: Io, task: TaskRecord, given: AnswerSettings): Promise<number> {
  const { runId, folder: cwd } = task;
  const why = await missingHere(given.store, { config: false, cwd });
  if (why === undefined) return answerTask(io, task, given);
  const records = (await given.store.runs.read(runId)) ?? [];
  const questions = waitingRun(runId, records)?.questions ?? [];
  const { question = '' } = given;
  return recordOnly(io, {
    runId,
    settings: given,
    why,
    report: { coverage: [], undecided: [] },
    question: () => questions.find(({ request }) => request.id.startsWith(question))?.request,
    next: `reviewloop tasks run --task ${task.task.id}`,
  });
}

/** Refuses answers that no content of the journal could allow. */
function refuseUnanswerable(report: RunReport, kind: HumanAnswerKind): void {
  const { runId, status } = report;
  if (status === 'suspended' || (kind === 'decide' && report.undecided.length > 0)) return;
  if (report.approved || status === 'accepted')
    throw new ReviewLoopError(
      engineErrors.request_unknown,
      `run ${runId} asks no question: it is ${status}`,
      {
        value: runId,
      },
    );
  if (!mayOverride(report))
    throw new ReviewLoopError(
      engineErrors.answer_not_allowed,
      `run ${runId} is ${status} and has no version to accept`,
      { value: kind },
    );
  const takes = report.undecided.length > 0 ? '`override` or `decide`' : '`override`';
  if (kind !== 'override')
    throw new ReviewLoopError(
      engineErrors.answer_not_allowed,
      `run ${runId} asks no question: it is ${status}, and takes only ${takes}`,
      { value: kind },
    );
}

/**
 * Returns the reason of an answer. Where one is needed and none was given, it asks the person at
 * the terminal, so that a printed command can be run as it stands.
 */
async function reasonFor(
  { terminal, signal }: Pick<Io, 'terminal' | 'signal'>,
  { kind, reason }: Pick<GivenAnswer, 'kind' | 'reason'>,
  report: Pick<RunReport, 'requests'>,
): Promise<string | undefined> {
  const said = saidReason(reason);
  if (said !== '') return said;
  const isAcceptance = kind === 'approve' && report.requests?.some(isOverride) === true;
  const question =
    kind === 'revise'
      ? 'What to change:'
      : kind === 'override' || isAcceptance
        ? 'Reason for override:'
        : undefined;
  if (question === undefined || terminal === undefined) return undefined;
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
