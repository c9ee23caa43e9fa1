import { artifactsOf } from '../core/artifact.js';
import type { Assessment } from '../core/assessment.js';
import type { ReviewEvents } from '../core/event.js';
import { type Clock, systemClock } from '../ports/clock.js';
import { judgeCounters } from './judge-counters.js';
import type { JudgeReport } from './run-report.js';
import type { RunVersions } from './run-versions.js';

/** What sends events: a pipeline. */
interface EventSource {
  readonly on: <Name extends 'version-produce' | 'reviewer-start' | 'reviewer-end'>(
    name: Name,
    listener: ReviewEvents[Name],
  ) => unknown;
}

/** What a recorder has gathered of the runs of a pipeline. */
export interface RunRecorder {
  /** The content of every version, by digest. */
  readonly versions: () => RunVersions;
  /** What each reviewer did. */
  readonly judges: () => JudgeReport[];
}

/** Gathers what a report shows beside the outcome: the versions, and what each reviewer did. */
export function recordRun(pipeline: EventSource, clock: Clock = systemClock): RunRecorder {
  const versions: Record<string, RunVersions[string]> = {};
  const judges = new Map<string, JudgeReport>();
  const began = new Map<string, number>();
  pipeline.on('version-produce', ({ digest, output }) => {
    versions[digest] = artifactsOf(output);
  });
  pipeline.on('reviewer-start', ({ reviewer }) => void began.set(reviewer, clock.now()));
  pipeline.on('reviewer-end', ({ reviewer, assessments, reused }) => {
    const known = judges.get(reviewer) ?? unasked(reviewer);
    const ms = clock.now() - (began.get(reviewer) ?? clock.now());
    judges.set(reviewer, withAnswer(known, assessments, { ms, reused }));
  });
  return { versions: () => versions, judges: () => [...judges.values()] };
}

function unasked(id: string): JudgeReport {
  return {
    id,
    passed: 0,
    failed: 0,
    undecided: 0,
    skipped: 0,
    errored: 0,
    reused: 0,
    durationMs: 0,
    errors: [],
  };
}

function withAnswer(
  known: JudgeReport,
  assessments: readonly Assessment[],
  { ms, reused }: { readonly ms: number; readonly reused: boolean },
): JudgeReport {
  const errors = new Set(known.errors);
  const next = {
    ...known,
    reused: (known.reused ?? 0) + (reused ? 1 : 0),
    durationMs: (known.durationMs ?? 0) + ms,
  };
  for (const assessment of assessments) {
    next[judgeCounters[assessment.verdict]] += 1;
    if (assessment.verdict === 'errored')
      errors.add(`${assessment.error.code}: ${assessment.error.message}`);
  }
  return { ...next, errors: [...errors] };
}
