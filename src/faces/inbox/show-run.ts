import { ReviewLoopError } from '../../core/errors.js';
import { redactJson } from '../../core/redact/redact-json.js';
import { engineErrors } from '../../engine/errors.js';
import { isRunId } from '../../ports/run-id.js';
import type { WaitingRun } from '../../ports/store.js';
import { waitingRun } from '../../ports/waiting-runs.js';
import { modelReport } from '../reports/html/model-report.js';
import type { ModelRun } from '../reports/html/report-model.js';
import { recordedReport } from '../reports/recorded-report.js';
import type { RunReport } from '../reports/run-report.js';
import type { InboxSettings } from './inbox-options.js';
import { type ListedRequest, listedRequests, waitingRequests } from './list-requests.js';
import { type ReviewCard, reviewCard } from './review-card.js';

export interface ShownRun {
  readonly schemaVersion: 1;
  readonly run: ModelRun;
  readonly card: ReviewCard;
  readonly requests: readonly ListedRequest[];
  readonly cuts: readonly string[];
}

export async function showRun(runId: string, settings: InboxSettings): Promise<ShownRun> {
  const { store, clock, report } = settings;
  const other = await otherQuestions(runId, settings);
  const records = isRunId(runId) ? await store.read(runId) : undefined;
  if (records === undefined && other === undefined)
    throw new ReviewLoopError(engineErrors.run_unknown, 'the store has no such run', {
      value: runId,
    });
  const found = (await report?.(runId)) ?? recordedReport(runId, records ?? []);
  const { report: shown, ...options } = found;
  const { runs, cuts } = modelReport([shown], options);
  const [run] = runs;
  if (run === undefined)
    throw new ReviewLoopError(engineErrors.run_unknown, 'the run has no report');
  const last = records?.at(-1);
  const isSuspended = last?.type === 'end' && last.status === 'suspended';
  const waiting = isSuspended ? waitingRun(runId, records ?? []) : undefined;
  const now = clock.now();
  const ended = other === undefined || isSuspended ? [] : listedRequests(other, now);
  const requests =
    waiting === undefined ? ended : await waitingRequests(waiting, { now, ...settings });
  return {
    schemaVersion: 1,
    run,
    card: cardOf(shown, run, requests),
    cuts,
    requests,
  };
}

function cardOf(
  report: RunReport,
  { versions }: ModelRun,
  [asked]: readonly ListedRequest[],
): ReviewCard {
  const { questions, ...card } = reviewCard(
    { ...report, version: asked?.digest ?? report.version },
    versions,
  );
  // the names of criteria stay as they are, so that a question is found by them
  return {
    ...redactJson(card),
    questions: questions.map(({ criterion, ...words }) => ({ criterion, ...redactJson(words) })),
  };
}

/** What waits outside of its suspension. */
export async function otherQuestions(
  runId: string,
  { others }: Pick<InboxSettings, 'others'>,
): Promise<WaitingRun | undefined> {
  return (await others?.())?.find((run) => run.runId === runId);
}
