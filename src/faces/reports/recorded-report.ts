import type { Artifact } from '../../core/artifact.js';
import { type HumanAnswer, type HumanRequest, isAboutWork, isOverride } from '../../core/human.js';
import { digestJson } from '../../core/json.js';
import { addUsage, type Usage } from '../../core/usage.js';
import type { JournalRecord, RequestRecord } from '../../ports/store.js';
import { isAnswered, waitingRun } from '../../ports/waiting-runs.js';
import type { RunVersions } from './run-folder.js';
import { shownFiles } from './run-recorder.js';
import type {
  AssessmentReport,
  AttemptReport,
  ReviewReport,
  RunReport,
  WaitReport,
} from './run-report.js';

/**
 * Its task, its questions with their gaps, and the version that they are about. Reviews are not in
 * the record.
 */
export function recordedReport(
  runId: string,
  records: readonly JournalRecord[],
): { readonly report: RunReport; readonly versions: RunVersions } {
  const header = records.find((record) => record.type === 'run');
  const end = records.findLast((record) => record.type === 'end');
  const questions = waitingRun(runId, records)?.questions ?? [];
  const last = questions.at(-1);
  const begin = header?.at ?? 0;
  const requests = questions.map(({ request }) => request);
  const asked = aboutVersion(last);
  const undecided = requests.flatMap((request) => (request.undecided ?? []).map(openAssessment));
  const reviews = asked === undefined ? [] : [askedReview(asked, undecided)];
  const report: RunReport = {
    schemaVersion: 1,
    runId,
    recorded: true,
    pipeline: header?.pipeline ?? 'review',
    at: new Date(begin).toISOString(),
    durationMs: Math.max(0, (records.at(-1)?.at ?? begin) - begin),
    status: end?.status ?? 'running',
    approved: end?.status === 'approved',
    code: end?.code ?? 'running',
    reason: requests.map(({ question }) => question).join(' / ') || (end?.code ?? 'it is running'),
    exitCode: 0,
    task: { source: 'task', text: taskText(header?.task) },
    criteria: { chosen: [], reason: '', names: {} },
    files: [],
    notReviewed: [],
    ...(asked !== undefined && { version: asked.request.digest }),
    gaps: [...(last?.request.gaps ?? [])],
    coverage: [],
    failures: [],
    undecided,
    fixed: [],
    changed: [],
    written: [],
    requests,
    waits: waitsOf(records, new Map()),
    attempts: attemptsOf(records),
    usage: usageOf(records),
    reviews,
  };
  return { report, versions: asked === undefined ? {} : versionOf(asked.request.digest, records) };
}

/** `produce` and `address` ask about something else. */
function aboutVersion(last: RequestRecord | undefined): RequestRecord | undefined {
  return last === undefined || isAboutWork(last.request) ? undefined : last;
}

function usageOf(records: readonly JournalRecord[]): Usage {
  return records.reduce<Usage>(
    (sum, record) =>
      (record.type === 'step' || record.type === 'attempt') && record.usage !== undefined
        ? addUsage(sum, record.usage)
        : sum,
    {},
  );
}

function openAssessment(open: {
  readonly criterion: string;
  readonly question: string;
  readonly reason: string;
  readonly mandatory?: boolean | undefined;
}): AssessmentReport {
  const { criterion, question, reason, mandatory } = open;
  const optional = mandatory === false && { mandatory };
  return { criterion, verdict: 'undecided', text: reason, question, ...optional };
}

function askedReview(
  { request, at }: RequestRecord,
  assessments: AssessmentReport[],
): ReviewReport {
  return {
    ...unscoredReview(new Date(at).toISOString()),
    version: request.digest,
    complete: !isOverride(request),
    decision: { kind: 'ask', reason: request.question },
    gaps: [...request.gaps],
    assessments,
  };
}

function versionOf(
  digest: string,
  records: readonly JournalRecord[],
): Readonly<Record<string, readonly Artifact[]>> {
  for (const record of records)
    if (
      record.type === 'step' &&
      record.workspace === undefined &&
      digestJson(record.value) === digest
    )
      return { [digest]: shownFiles(record.value) };
  return {};
}

function taskText(task: unknown): string {
  return typeof task === 'string' ? task : JSON.stringify(task ?? null);
}

export function attemptsOf(records: readonly JournalRecord[]): AttemptReport[] {
  return records.flatMap((record) =>
    record.type === 'attempt' && record.code !== 'suspended'
      ? [
          {
            name: record.name,
            code: record.code,
            message: record.message,
            at: new Date(record.at).toISOString(),
          },
        ]
      : [],
  );
}

/**
 * What people were asked, and what they answered. `ids` are the short ids of requirements, by
 * criterion.
 */
export function waitsOf(
  records: readonly JournalRecord[],
  ids: ReadonlyMap<string, string>,
): WaitReport[] {
  const waits = new Map<string, WaitReport>();
  const requests: HumanRequest[] = [];
  for (const record of records) {
    const at = new Date(record.at).toISOString();
    if (record.type === 'request') {
      requests.push(record.request);
      waits.set(record.request.id, { question: record.request.question, askedAt: at });
    }
    if (record.type !== 'answer') continue;
    const { answer } = record;
    const asked = requests.filter((request) => isAnswered(request, record)).map(({ id }) => id);
    for (const id of asked.length === 0 ? [record.id] : asked)
      waits.set(id, {
        ...(waits.get(id) ?? { question: 'the version as it is' }),
        answeredAt: at,
        answer: wordsOf(answer, ids),
        by: answer.by,
        ...reasonOf(answer),
      });
  }
  return [...waits.values()];
}

function wordsOf(answer: HumanAnswer, ids: ReadonlyMap<string, string>): string {
  if (answer.kind !== 'decide') return answer.kind;
  const decided = Object.entries(answer.decisions).map(
    ([name, word]) => `${ids.get(name) ?? name}=${word}`,
  );
  return `decide ${decided.join(' ')}${answer.approve ? ', approve' : ''}`;
}

function reasonOf(answer: HumanAnswer): { readonly reason?: string } {
  const reason = answer.kind === 'revise' ? answer.note : answer.reason;
  return reason === undefined ? {} : { reason };
}

export function unscoredReview(at: string): ReviewReport {
  const unknown = { quality: null, completeness: null, correctness: null, overall: null };
  const none = { met: 0, judged: 0, total: 0 };
  return {
    iteration: 1,
    version: '',
    at,
    durationMs: 0,
    complete: false,
    best: true,
    scores: { ...unknown, judged: 0, total: 0, criteria: none, requirements: none },
    decision: { kind: 'ask', reason: '' },
    gaps: [],
    fixed: [],
    assessments: [],
  };
}
