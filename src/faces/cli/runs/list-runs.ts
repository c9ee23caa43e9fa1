import { plural } from '../../../core/plural.js';
import type { OrphanRun, Store } from '../../../ports/store.js';
import { usageError } from '../../cli-kit/errors.js';
import { type Io, tell } from '../../cli-kit/io.js';
import { type OtherRun, otherRuns, ownerOf } from '../../cli-kit/reports/find-stored.js';
import { listing } from '../../cli-kit/show/listing.js';
import { shortIdAmong } from '../../cli-kit/show/next-command.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { dateOf, type ListedRun, listRuns } from '../../reports/run-folder.js';
import { taskTitle } from '../../reports/run-words.js';
import { overallText } from '../../reports/score-text.js';
import { shownStatus } from './recorded-run.js';
import type { RunsSettings } from './runs-flags.js';

type Listed = ListedRun | ({ readonly kind: 'other' } & OtherRun);

export async function list(io: Io, store: StoreHandle, { format }: RunsSettings): Promise<number> {
  const runs = await allRuns(store);
  return tell(io, format, { data: { runs: runs.map(listed) }, lines: listLines(io, store, runs) });
}

function* listLines(io: Io, store: StoreHandle, runs: readonly Listed[]): Generator<string> {
  const ids = runs.map(idOf);
  const rows = runs.map((run) => rowOf(run, ids));
  if (rows.length > 0) return yield* listing(io, rows, ['id', 'date (UTC)', 'status', 'score', '']);
  yield `no runs in ${store.files.shown(io.cwd)}`;
  yield 'next: reviewloop review PATHS --task TASK.md';
}

async function allRuns(store: StoreHandle): Promise<readonly Listed[]> {
  const [own, others] = await Promise.all([listRuns(store.files), otherRuns(store)]);
  const runs: Listed[] = [...own, ...others.map((run) => ({ kind: 'other' as const, ...run }))];
  // one without a date comes last
  return runs.sort((a, b) => timeOf(b).localeCompare(timeOf(a)));
}

function rowOf(run: Listed, ids: readonly string[]): readonly string[] {
  if (run.kind === 'other') {
    const code = run.code === undefined ? '' : `, ${run.code}`;
    // code continues such a run by its whole id
    return [run.runId, shownDate(run), shownStatus(run), '-', `${ownerOf(run)}${code}`];
  }
  const id = shortIdAmong(ids, idOf(run));
  if (run.kind !== 'report')
    return [id, shownDate(run), run.kind === 'broken' ? 'unreadable' : run.kind, '', run.why];
  const { status, scores, gaps, undecided } = run.report;
  const open = undecided.length === 0 ? '' : `, ${undecided.length} undecided`;
  return [
    id,
    shownDate(run),
    status,
    scores === undefined ? '-' : overallText(scores),
    `${plural(gaps.length, 'gap')}${open}, ${taskTitle(run.report)}`,
  ];
}

function shownDate(run: Listed): string {
  return timeOf(run).slice(0, 16).replace('T', ' ');
}

function timeOf(run: Listed): string {
  if (run.kind !== 'other') return dateOf(run);
  return run.startedAt === undefined ? '' : new Date(run.startedAt).toISOString();
}

function listed(run: Listed): unknown {
  const at = timeOf(run) || null;
  if (run.kind === 'other') {
    const { runId, pipeline = null, status, code } = run;
    return {
      runId,
      pipeline,
      at,
      status: shownStatus(run),
      approved: status === 'approved',
      code: code ?? null,
      overall: null,
      gaps: null,
    };
  }
  if (run.kind === 'broken') return { runId: run.runId, at, broken: run.why };
  if (run.kind !== 'report') return { runId: run.runId, at, status: run.kind, broken: run.why };
  const { runId, pipeline, status, approved, code, scores, counts, gaps, task } = run.report;
  return {
    runId,
    ...(pipeline !== undefined && { pipeline }),
    at,
    status,
    approved,
    code,
    overall: scores?.overall ?? null,
    ...(counts !== undefined && { counts }),
    gaps: gaps.length,
    task: { source: task.source, title: taskTitle(run.report) },
  };
}

function idOf(run: Listed): string {
  return run.kind === 'report' ? run.report.runId : run.runId;
}

const page = 500;

/** Such runs are not ended, wait for nobody, and no process works on them. */
export async function listOrphans(io: Io, store: StoreHandle, format: string): Promise<number> {
  const runs = await orphansOf(store.runs);
  const rows = runs.map(({ runId, pipeline }) => [runId, pipeline]);
  const lines =
    rows.length === 0
      ? [`no run without a process in ${store.files.name}`]
      : listing(io, rows, ['id', 'pipeline']);
  return tell(io, format, { data: { orphans: runs }, lines });
}

async function orphansOf({ orphans }: Store): Promise<readonly OrphanRun[]> {
  if (orphans === undefined)
    throw usageError(
      '--orphans requires a store that knows which process works on a run: pass --store postgres://HOST/NAME',
    );
  const found: OrphanRun[] = [];
  let after: string | undefined;
  do {
    const { runs, next } = await orphans({ limit: page, ...(after !== undefined && { after }) });
    found.push(...runs);
    after = next;
  } while (after !== undefined);
  return found;
}
