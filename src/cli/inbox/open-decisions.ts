import { join } from 'node:path';
import { decidedVersion } from '../../cli-kit/decisions-of.js';
import { mayOverride } from '../../cli-kit/show/next-command.js';
import type { HumanRequest } from '../../core/human.js';
import { plural } from '../../core/plural.js';
import type { StoreFiles } from '../../node/store-file.js';
import type { WaitingRun } from '../../ports/store.js';
import { storedReport } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';

/** How many of the newest runs are looked at. Their ids begin with their time. */
const newest = 100;

/** A run as it was read, until its report is written again. */
interface Known {
  readonly changed: number;
  readonly waiting: WaitingRun | undefined;
}

/**
 * Returns what lists the runs of a store that ended although a person can decide what they left
 * open. A report is read again only after it was written.
 */
export function openDecisions(files: StoreFiles): () => Promise<readonly WaitingRun[]> {
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

/** Returns what a person can decide in a run that ended; `undefined` if nothing is open. */
function decisionIn(report: RunReport): WaitingRun | undefined {
  const { runId, status, approved, undecided, pipeline = 'review' } = report;
  const digest = decidedVersion(report);
  const ended = !approved && status !== 'suspended' && status !== 'accepted';
  if (!ended || undecided.length === 0 || digest === '') return undefined;
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
