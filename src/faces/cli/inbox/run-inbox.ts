import { join } from 'node:path';
import { onAbort } from '../../../core/abort-signal.js';
import { isReviewError } from '../../../core/errors.js';
import type { HumanAnswer, HumanRequest } from '../../../core/human.js';
import { plural } from '../../../core/plural.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import type { Logger } from '../../../ports/logger.js';
import type { WaitingRun } from '../../../ports/store.js';
import { decidedVersion } from '../../cli-kit/answer-question.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import { type Io, silentIo } from '../../cli-kit/io.js';
import { answeredElsewhere } from '../../cli-kit/reports/find-stored.js';
import { auditOf, calibrationsOf, storedRun } from '../../cli-kit/reports/stored-run.js';
import { userName } from '../../cli-kit/require-person.js';
import { mayOverride } from '../../cli-kit/show/next-command.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { readStageRequest } from '../../commands/reviewer-stage/stage-request.js';
import { isTaskRun, taskOfRun } from '../../commands/task-review/task-record.js';
import { taskReportOf } from '../../commands/task-review/task-run-report.js';
import type { AnsweredRun, InboxRun } from '../../inbox/inbox-options.js';
import { serveInbox } from '../../inbox/index.js';
import { findRun, storedReport } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import { mustDecide } from '../../reports/verdict-words.js';
import { readRequest } from '../review/run-request.js';
import { answerRun } from '../runs/answer-run.js';

interface InboxSettings {
  readonly port: number;
  readonly host: string;
  readonly origin: readonly string[];
  readonly by: string | undefined;
}

export async function runInbox(call: StoredCall, settings: InboxSettings): Promise<number> {
  const { io, store } = call;
  const { host, port, origin: origins, by = userName() } = settings;
  const { files } = store;
  const token = process.env['REVIEWLOOP_INBOX_TOKEN'];
  const server = await serveInbox({
    store: store.runs,
    host,
    port,
    origins,
    by,
    ...(token !== undefined && { token }),
    logger: loggerOf(io),
    report: async (runId) => (await reportOf(store, runId)) ?? taskReportOf(store, runId),
    others: openDecisions(files),
    elsewhere: (run) => answeredElsewhere(files, run, (runId) => isTaskRun(files, runId)),
    titleOf: (runId) => titleOf(files, runId),
    answer: ({ runId, id }, answer, { signal }) =>
      answered({ ...call, io: { ...silentIo(io), signal } }, { runId, question: id }, answer),
  });
  const opened = token === undefined ? server.url : server.address;
  await io.out(`inbox: ${opened}\nEnd it with Ctrl-C.\n`);
  await new Promise<void>((done) => void onAbort(io.signal, done));
  await server.close();
  return 0;
}

async function reportOf(store: StoreHandle, runId: string): Promise<InboxRun | undefined> {
  try {
    const found = await findRun(store.files, runId);
    const { report, versions } = await storedRun(found, store);
    const text = report.task.text ?? (await taskText(store.files, runId));
    const audit = await auditOf(store);
    const records = audit?.records.filter((record) => record.runId === runId) ?? [];
    return {
      report: { ...report, task: { ...report.task, text } },
      versions,
      audit: audit && { ...audit, records, total: audit.records.length },
      calibrations: await calibrationsOf(store.files),
    };
  } catch (error) {
    if (isReviewError(error)) return undefined;
    throw error;
  }
}

async function titleOf(files: StoreFiles, runId: string): Promise<string | undefined> {
  const record = await taskOfRun(files, runId);
  if (record !== undefined) return `${record.task.id} ${record.task.name}`;
  return (await storedReport(files, runId))?.task.source;
}

async function taskText(files: StoreFiles, runId: string): Promise<string> {
  const { task } = (await readStageRequest(files, runId)) ?? (await readRequest(files, runId));
  return task.text;
}

/** Answers as `reviewloop answer` does; returns how the run goes on. */
async function answered(
  call: StoredCall,
  { runId, question }: { readonly runId: string; readonly question: string },
  answer: HumanAnswer,
): Promise<AnsweredRun> {
  const { store } = call;
  const { kind, by } = answer;
  await answerRun(call, {
    id: runId,
    answer: kind,
    decisions:
      kind === 'decide'
        ? Object.entries(answer.decisions).map(([criterion, word]) => `${criterion}=${word}`)
        : [],
    ...(kind === 'decide' && { missing: answer.missing, approve: answer.approve }),
    reason: kind === 'revise' ? answer.note : answer.reason,
    by,
    question,
    format: 'json',
    quiet: true,
    report: [],
  });
  const run = await reportOf(store, runId);
  if (run !== undefined) return { status: run.report.status, reason: run.report.reason };
  const end = (await store.runs.read(runId))?.findLast((record) => record.type === 'end');
  return { status: end?.status ?? 'running' };
}

function loggerOf(io: Io): Logger {
  const nothing = (): void => {};
  const line = (fields: object, message: string): void =>
    io.err(`${oneLine(`${message}: ${JSON.stringify(fields)}`)}\n`);
  return { debug: nothing, info: nothing, warn: line, error: line };
}

/** How many of the newest runs are looked at. Their ids begin with their time. */
const newest = 100;

/** A run as it was read, until its report is written again. */
interface Known {
  readonly changed: number;
  readonly waiting: WaitingRun | undefined;
}

/**
 * Runs that ended although a person can decide what they left open. A report is read again only
 * after it was written.
 */
function openDecisions(files: StoreFiles): () => Promise<readonly WaitingRun[]> {
  let known: ReadonlyMap<string, Known> = new Map();
  return async () => {
    const ids = [...(await files.list('runs').catch(() => []))].sort().reverse().slice(0, newest);
    const read = await Promise.all(
      ids.map(async (id) => {
        const changed = await files.changedAt(join('runs', id, 'review.json'));
        const before = known.get(id);
        if (changed === undefined) return [];
        if (before?.changed === changed) return [[id, before] as const];
        const report = await storedReport(files, id);
        return [[id, { changed, waiting: report && decisionIn(report) }] as const];
      }),
    );
    known = new Map(read.flat());
    return [...known.values()].flatMap(({ waiting }) => waiting ?? []);
  };
}

function decisionIn(report: RunReport): WaitingRun | undefined {
  const { runId, status, approved, undecided, pipeline = 'review' } = report;
  const digest = decidedVersion(report);
  const ended = !approved && status !== 'suspended' && status !== 'accepted';
  if (!ended || mustDecide(report).length === 0 || digest === '') return undefined;
  const request: HumanRequest = {
    id: `decide-${digest.slice(0, 16)}`,
    runId,
    digest,
    question: `no judge could decide ${plural(undecided.length, 'point')}; your answers count, and the review goes on`,
    gaps: report.gaps,
    allowed: ['decide', ...(mayOverride(report) ? (['override'] as const) : [])],
    approved: false,
    undecided: undecided.map(({ criterion, question, text, mandatory }) => ({
      criterion,
      question: question ?? criterion,
      reason: text,
      ...(mandatory === false && { mandatory }),
    })),
  };
  const at = Date.parse(report.at) + report.durationMs;
  return { runId, pipeline, questions: [{ type: 'request', request, at }] };
}
