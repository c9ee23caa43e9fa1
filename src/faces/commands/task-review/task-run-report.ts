import type { Artifact } from '../../../core/artifact.js';
import type { TaskAttempt } from '../../../ports/attempt-store.js';
import type { JournalRecord, StepRecord } from '../../../ports/store.js';
import {
  type ReviewTask,
  type TaskWork,
  TaskWorkSchema,
} from '../../../products/task-review/task.js';
import { diffsOf } from '../../../products/task-review/task-change.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import type { InboxRun } from '../../inbox/inbox-options.js';
import { recordedReport, unscoredReview } from '../../reports/recorded-report.js';
import type { AssessmentReport, ReviewReport } from '../../reports/run-report.js';
import { verdictCounts } from '../../reports/verdict-counts.js';
import { taskOfRun } from './task-record.js';

/** `undefined` for a run of another kind. */
export async function taskReportOf(
  { files, runs, attempts: all }: StoreHandle,
  runId: string,
): Promise<InboxRun | undefined> {
  const record = await taskOfRun(files, runId);
  const records = await runs.read(runId);
  if (record?.runId !== runId || records === undefined) return undefined;
  const attempts = await all.of(record.task.id);
  return taskRunReport(runId, {
    task: record.task,
    records,
    attempts: attempts.filter((attempt) => attempt.runId === runId),
  });
}

export interface RecordedTask {
  readonly task: ReviewTask;
  readonly records: readonly JournalRecord[];
  readonly attempts: readonly TaskAttempt[];
}

export function taskRunReport(runId: string, recorded: RecordedTask): InboxRun {
  const { task, records, attempts } = recorded;
  const { report, ...more } = recordedReport(runId, records);
  const [asked] = report.reviews;
  const works = attemptsIn(records);
  const last = works.at(-1)?.work.attempt;
  const reviews = works.map(({ work, checks }): ReviewReport => {
    const known = attempts.find(({ attempt }) => attempt === work.attempt);
    const assessments = [...checks, ...failureOf(work), ...verdictOf(known)];
    const isLast = work.attempt === last;
    return {
      ...unscoredReview(report.at),
      iteration: work.attempt,
      version: isLast && asked !== undefined ? asked.version : versionOf(work),
      complete: asked?.complete ?? false,
      best: isLast,
      at: known?.at ?? report.at,
      durationMs: known?.reviewDurationMs ?? 0,
      assessments,
      counts: verdictCounts(assessments),
      decision: {
        kind: known?.status ?? 'waiting',
        reason: known?.error ?? report.reason,
      },
      gaps: isLast ? [...report.gaps] : [],
      ...(known !== undefined && { usage: { ...known.reviewUsage } }),
    };
  });
  return {
    ...more,
    report: {
      ...report,
      // its attempts are its reviews
      recorded: undefined,
      task: { source: task.id, text: textOf(task) },
      files: (works.at(-1)?.work.change.files ?? []).map(({ path }) => ({
        path,
        type: 'code',
        bytes: 0,
      })),
      failures: (reviews.at(-1)?.assessments ?? []).filter(({ verdict }) => verdict === 'errored'),
      reviews,
    },
    versions: Object.fromEntries(
      works.map(({ work }, index) => [reviews[index]?.version ?? '', filesOf(work)]),
    ),
  };
}

interface RecordedAttempt {
  readonly work: TaskWork;
  readonly checks: AssessmentReport[];
}

/** The work of each with the checks that followed it. Repairs replace the work. */
function attemptsIn(records: readonly JournalRecord[]): RecordedAttempt[] {
  const found = new Map<number, RecordedAttempt>();
  let current: RecordedAttempt | undefined;
  for (const record of records) {
    if (record.type !== 'step') continue;
    const work = TaskWorkSchema.safeParse(record.value).data;
    if (work !== undefined) {
      current = { work, checks: [] };
      found.set(work.attempt, current);
    }
    const check = checkOf(record);
    if (check !== undefined) current?.checks.push(check);
  }
  return [...found.values()];
}

const checkName = /^iter:\d+\/review:checks\/(.+?)(?:\/run)?$/;
const mostOutput = 1_500;

/** What a command of the checks said; `undefined` for another step. */
function checkOf({ name, value }: StepRecord): AssessmentReport | undefined {
  const criterion = checkName.exec(name)?.[1];
  if (criterion === undefined || typeof value !== 'object' || value === null) return undefined;
  if (!('exitCode' in value) || typeof value.exitCode !== 'number') return undefined;
  const streams = ['stdout', 'stderr'].map((stream) => Reflect.get(value, stream));
  const output = streams.filter((text) => typeof text === 'string').join('\n');
  return {
    criterion,
    verdict: value.exitCode === 0 ? 'pass' : 'fail',
    text: `exit code ${value.exitCode}\n${output.slice(-mostOutput)}`.trim(),
  };
}

function failureOf({ failure }: TaskWork): AssessmentReport[] {
  return failure === undefined ? [] : [{ criterion: 'execute', verdict: 'fail', text: failure }];
}

const verdicts = {
  passed: 'pass',
  fixed: 'pass',
  failed: 'fail',
  rejected: 'fail',
  skipped: 'skipped',
  not_run: 'errored',
  error: 'errored',
} as const;

function verdictOf(attempt: TaskAttempt | undefined): AssessmentReport[] {
  if (attempt === undefined || attempt.machineVerdict === null) return [];
  const { machineVerdict, reviewFindings, errorCode } = attempt;
  const verdict = verdicts[machineVerdict];
  return [
    {
      criterion: 'review',
      verdict,
      text: reviewFindings ?? `the verdict is ${machineVerdict}`,
      ...(verdict === 'errored' && { code: errorCode ?? machineVerdict }),
    },
  ];
}

function versionOf({ attempt, change }: TaskWork): string {
  return `attempt-${attempt}-${change.digest}`;
}

function textOf({ id, name, description, checklist = [] }: ReviewTask): string {
  const items = checklist.map(({ text, done }) => `- [${done ? 'x' : ' '}] ${text}`);
  return [`${id}: ${name}`, description, items.join('\n')]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n');
}

function filesOf({ change }: TaskWork): Artifact[] {
  const parts = diffsOf(change).flatMap((text) => text.split(/^(?=diff --git )/m));
  return change.files.map(({ path, status, added, removed }) => {
    const part = parts.find((text) => text.split('\n', 1)[0]?.endsWith(` b/${path}`));
    return {
      type: 'code',
      path,
      content: part ?? `${status}: ${added} lines added, ${removed} removed; not shown`,
    };
  });
}
