import type { Io } from '../../cli-kit/io.js';
import { agentReport } from '../../cli-kit/show/agent-report.js';
import {
  decideCommand,
  idOf,
  type MoreArguments,
  mayOverride,
  reviewLine,
  shortIdOf,
  waitingCommand,
} from '../../cli-kit/show/next-command.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { redactJsonAsync } from '../../redact/redact-json-async.js';
import { redactSecrets } from '../../redact/secrets.js';
import { withEarlierTimes } from '../../reports/earlier-times.js';
import { reportRun } from '../../reports/report-run.js';
import { saveRun, storedReport } from '../../reports/run-folder.js';
import type { RunRecorder } from '../../reports/run-recorder.js';
import type { RunReport } from '../../reports/run-report.js';
import { runPath } from '../../reports/run-versions.js';
import { countsText } from '../../reports/verdict-counts.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import type { StageResult } from '../stage-result.js';
import { decisionLines } from '../stage-text.js';
import { summaryPage } from '../summary-page.js';
import type { StageRequest } from './stage-request.js';
import { endWord } from './stored-reviews.js';

/** The store of a review, and the settings of its screen. */
export interface SaveParts {
  readonly request: StageRequest;
  readonly store: StoreHandle;
  readonly format: 'text' | 'json';
  /** The arguments that run the command again; `undefined` if it cannot be repeated. */
  readonly again: ((more: MoreArguments) => readonly string[]) | undefined;
  /** Whether a model judged the dimensions. */
  readonly model: boolean;
  readonly recorder: RunRecorder;
}

/**
 * Stores a review as `review.json`, without secrets. The stage has already stored its summary.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function saveStage(
  result: StageResult,
  { request, store, recorder }: Pick<SaveParts, 'request' | 'store' | 'recorder'>,
): Promise<RunReport> {
  const { run, dimensions, exitCode, summary } = result;
  const files = run.output?.changedFiles ?? [];
  const made = await redactJsonAsync({
    ...reportRun(run, {
      at: request.at,
      durationMs: summary?.durationMs ?? 0,
      pipeline: 'reviewer-stage',
      judges: recorder.judges(),
      task: { source: request.task.source },
      criteria: {
        chosen: dimensions.map(({ id }) => id),
        reason: 'the reviewer stage',
        names: Object.fromEntries(dimensions.map(({ id, name }) => [id, name])),
      },
      files: files.map(({ path, content, diff }) => ({
        path,
        type: 'code',
        bytes: Buffer.byteLength(content ?? diff ?? ''),
      })),
      notReviewed: files.flatMap(({ path, omitted }) =>
        omitted === undefined || omitted === 'content' ? [] : [{ path, reason: omitted }],
      ),
      exitCode,
      changed: [],
      written: [],
      fixers: new Set(),
    }),
    pipeline: 'reviewer-stage',
  });
  const report = withEarlierTimes(made, await storedReport(store.files, run.runId));
  await saveRun(store.files, {
    report,
    summary: summary === undefined ? '' : summaryPage(summary, sanitise),
    output: undefined,
    versions: recorder.versions(),
  });
  return report;
}

/** A review that has ended. */
export interface EndedStage {
  readonly result: StageResult;
  readonly report: RunReport;
  /** Whether the screen already shows the decision. */
  readonly shown: boolean;
}

/** Shows the end of a review, and the next command. */
export async function showEnd(io: Io, ended: EndedStage, parts: SaveParts): Promise<void> {
  const { result, report } = ended;
  const { store, format } = parts;
  const place = { shortId: await shortIdOf(store.files, report.runId), flag: store.words(io.cwd) };
  const [next, ...ways] = nextOf(ended, parts, place);
  if (format === 'text' && io.reader === 'agent') return io.out(agentReport(report, next));
  if (format === 'text')
    return io.out(
      endText(ended, {
        folder: store.files.shown(io.cwd, runPath(report.runId)),
        next: [next, ...ways],
      }),
    );
  const { summary, feedback, decision, outcome, reasoning, cycles, code, exitCode } = result;
  const data = {
    schemaVersion: 1,
    runId: report.runId,
    status: report.status,
    decision,
    outcome,
    reasoning,
    cycles,
    code: code ?? null,
    exitCode,
    feedback: feedback ?? null,
    summary: summary ?? null,
    requests: report.requests ?? [],
    next,
    undecided: report.undecided,
    counts: report.counts ?? null,
  };
  return io.out(`${terminalSafeJson(await redactJsonAsync(data))}\n`);
}

/** Returns the next command that can help, then other ways on. */
function nextOf(
  { result, report }: EndedStage,
  { again, model, request }: SaveParts,
  { shortId, flag }: { readonly shortId: string; readonly flag: string },
): readonly [string, ...string[]] {
  if (result.outcome === 'suspended') return [waitingCommand(report, shortId, flag)];
  if (!mayOverride(report)) return [`reviewloop summary ${shortId}${flag}`];
  const override = `reviewloop override ${shortId} --reason "..."${flag}`;
  const repeat = (why: string, more: Omit<MoreArguments, 'fix' | 'write'> = {}): string[] =>
    again === undefined
      ? []
      : [`${reviewLine(again({ fix: false, write: false, ...more }))} # ${why}`];
  const tooLarge = report.notReviewed.flatMap(({ path, reason }) =>
    reason === 'too_large' ? [path] : [],
  );
  if (report.failures.length > 0) {
    const [retry] =
      tooLarge.length > 0
        ? repeat('judges the large files in part', { allowTruncated: tooLarge })
        : repeat('asks the failed judges again', { session: request.sessionId });
    return retry === undefined ? [override] : [retry, override];
  }
  const decide = decideCommand(report, shortId, flag);
  const asking =
    model || decide === undefined ? [] : repeat('a model decides', { provider: 'ollama:MODEL' });
  const ways = [...(decide === undefined ? [] : [decide]), ...asking, override];
  const edited = result.decision === 'REJECTED' ? repeat('after you fixed the issues') : [];
  const [next = override, ...others] = [...edited, ...ways];
  return [next, ...others];
}

function endText(
  { result, report, shown }: EndedStage,
  {
    folder,
    next: [next, ...ways],
  }: { readonly folder: string; readonly next: readonly [string, ...string[]] },
): string {
  const omitted = report.notReviewed.map(({ path, reason }) => sanitise(`${path} (${reason})`));
  const more = omitted.length > 10 ? ` and ${omitted.length - 10} more` : '';
  return [
    ...(shown ? [] : ['', ...decisionLines(result, sanitise)]),
    ...openLines(report),
    ...(omitted.length === 0
      ? []
      : ['', `not reviewed in full: ${omitted.slice(0, 10).join(', ')}${more}`]),
    '',
    `status: ${endWord(report, result)}${result.code === undefined ? '' : ` (${result.code})`}`,
    `stored: ${folder}`,
    `next: ${sanitise(redactSecrets(next))}`,
    ...ways.map((way) => `  or: ${sanitise(redactSecrets(way))}`),
    '',
  ].join('\n');
}

/** Returns what stayed open, and how many checks answered. */
function openLines(report: RunReport): string[] {
  const ids = report.undecided.map(idOf);
  if (ids.length === 0) return [];
  const counts = report.counts === undefined ? [] : [`checks: ${countsText(report.counts)}`];
  return ['', ...counts, `undecided: ${ids.join(', ')}`];
}
