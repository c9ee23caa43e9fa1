import { redactJson } from '../../../core/redact/redact-json.js';
import { paintFor } from '../../../node/terminal/colours.js';
import { sanitise } from '../../../node/terminal/sanitise.js';
import { systemClock } from '../../../ports/clock.js';
import { reviewShowLines } from '../../../products/reviewer-stage/stage-metrics.js';
import { usageError } from '../../cli-kit/errors.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import { type Io, tell } from '../../cli-kit/io.js';
import { findStored } from '../../cli-kit/reports/find-stored.js';
import { waysFor } from '../../cli-kit/require-person.js';
import { nextOfRun, shortIdOf, showCommand, way } from '../../cli-kit/show/next-command.js';
import { agentReport } from '../../cli-kit/show/render-report.js';
import { renderRun, runParts } from '../../cli-kit/show/render-run.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import {
  listHistory,
  showMetrics,
  showSummary,
} from '../../commands/reviewer-stage/list-history.js';
import {
  lastReview,
  reviewOf,
  type StoredReview,
} from '../../commands/reviewer-stage/stored-reviews.js';
import { taskReportOf } from '../../commands/task-review/task-run-report.js';
import { runPath } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import { runWords } from '../../reports/run-words.js';
import { list, listOrphans } from './list-runs.js';
import { showOtherRun } from './recorded-run.js';
import type { RunsSettings } from './runs-flags.js';

export async function showRuns(call: StoredCall, settings: RunsSettings): Promise<number> {
  checkTogether(settings);
  const { io, store } = call;
  const { id, status, since, limit, format } = settings;
  if (settings.summary) return showSummary(call, { id, format });
  if (settings.history) return listHistory(call, { status, since, limit, format });
  if (settings.metrics) return showMetrics(call, settings);
  if (settings.orphans) return listOrphans(io, store, format);
  if (id !== undefined || settings.levels) return showOne(call, settings);
  return list(io, store, settings);
}

/** Of two such flags, one would be ignored. */
function checkTogether(settings: RunsSettings): void {
  const { id, levels, summary, history, metrics, orphans, status, since, limit } = settings;
  const views = [levels, summary, history, metrics, orphans].filter(Boolean);
  if (views.length > 1 || (id !== undefined && (history || metrics || orphans)))
    throw usageError('name a run, or use --history, --metrics or --orphans, not both');
  if (!history && [status, since, limit].some((filter) => filter !== undefined))
    throw usageError('--status, --since and --limit require --history');
  const part = runParts.find((one) => settings[one]);
  if (part !== undefined && id === undefined)
    throw usageError(`--${part} shows a part of one run: name the run`);
}

async function showOne({ io, store }: StoredCall, settings: RunsSettings): Promise<number> {
  const { id, levels, format } = settings;
  const review = levels ? await lastReview(store, id) : undefined;
  if (review !== undefined) return showLevels(io, store, { review, settings });
  const found = await findStored(store, id ?? '');
  if (found.kind !== 'other') {
    const { report } = found;
    return levels
      ? showLevels(io, store, { review: await reviewOf(store.files, report), settings })
      : showReport(io, store, { report, settings });
  }
  const task = await taskReportOf(store, found.run.runId);
  return task === undefined
    ? showOtherRun(io, store, found.run, format)
    : showReport(io, store, { report: redactJson(task.report), settings });
}

/** Only a diff has levels; other runs are shown whole. */
async function showLevels(
  io: Io,
  store: StoreHandle,
  { review, settings }: { readonly review: StoredReview; readonly settings: RunsSettings },
): Promise<number> {
  const { request, report, summary } = review;
  if (request === undefined) return showReport(io, store, { report, settings });
  const about = { now: systemClock.now(), status: report.status };
  const lines = reviewShowLines(summary, about, sanitise);
  return tell(io, settings.format, { data: summary, lines });
}

async function showReport(
  io: Io,
  store: StoreHandle,
  { report, settings }: { readonly report: RunReport; readonly settings: RunsSettings },
): Promise<number> {
  const next = [...(await nextOfRun(report, { store, cwd: io.cwd }))];
  const data = { ...report, next: waysFor(io, next), words: runWords(report) };
  if (settings.format === 'json') return tell(io, 'json', { data, lines: [] });
  const others = next.filter(({ command }) => !command.startsWith('reviewloop runs '));
  const shown = { ...report, next: others.length > 0 ? others : [way('reviewloop runs')] };
  const parts = runParts.filter((part) => settings[part]);
  const shortId = await shortIdOf(store.files, report.runId);
  const show = showCommand(shortId, store.words(io.cwd));
  const folder = store.files.shown(io.cwd, runPath(report.runId));
  const paint = paintFor(io.colours);
  await io.out(
    io.reader === 'agent' && parts.length === 0
      ? agentReport(shown)
      : renderRun(shown, { columns: io.outColumns, paint, folder, show }, parts),
  );
  return 0;
}
