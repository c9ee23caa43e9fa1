import { type Artifact, artifactsOf, membersBesideFiles } from '../../core/artifact.js';
import type { Assessment } from '../../core/assessment.js';
import type { ReviewEvents } from '../../core/event.js';
import { addUsage, type Usage } from '../../core/usage.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import type { RunVersions } from './run-folder.js';
import type { JudgeReport, ReviewReport, RunReport } from './run-report.js';
import { judgeCounters, noVerdicts } from './verdict-counts.js';

type RecordedEvent = 'run-start' | 'version-produce' | 'reviewer-start' | 'reviewer-end';

interface EventSource {
  readonly on: <Name extends RecordedEvent>(name: Name, listener: ReviewEvents[Name]) => unknown;
}

export interface RunRecorder {
  readonly versions: () => RunVersions;
  readonly judges: () => JudgeReport[];
}

export interface RecorderOptions {
  /** The reviewers, for what they judge with. @default unknown */
  readonly reviewers?: readonly { readonly id: string; readonly tier: string }[] | undefined;
  /** Returns the files of a version. @default its artifacts, and the rest of the output as JSON */
  readonly filesOf?: ((output: unknown) => readonly Artifact[]) | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * The versions, and what each reviewer did. An answer begins the run again and replays its reviews:
 * they count once, with the longer time.
 */
export function recordRun(
  pipeline: EventSource,
  { reviewers = [], filesOf = shownFiles, clock = systemClock }: RecorderOptions = {},
): RunRecorder {
  const tiers = new Map(reviewers.map(({ id, tier }) => [id, tier]));
  const versions: Record<string, RunVersions[string]> = {};
  const judges = new Map<string, JudgeReport>();
  let before: ReadonlyMap<string, JudgeReport> = new Map();
  const began = new Map<string, number>();
  pipeline.on('run-start', () => {
    before = new Map(judges);
    judges.clear();
  });
  pipeline.on('version-produce', ({ digest, output }) => {
    versions[digest] = filesOf(output);
  });
  pipeline.on('reviewer-start', ({ reviewer }) => void began.set(reviewer, clock.now()));
  pipeline.on('reviewer-end', ({ reviewer, assessments, reused, usage }) => {
    const known = judges.get(reviewer) ?? unasked(reviewer, tiers.get(reviewer));
    const ms = clock.now() - (began.get(reviewer) ?? clock.now());
    judges.set(reviewer, withAnswer(known, assessments, { ms, reused, usage }));
  });
  return {
    versions: () => versions,
    judges: () => [...judges.values()].map((judge) => withTime(judge, before.get(judge.id))),
  };
}

function unasked(id: string, tier: string | undefined): JudgeReport {
  return {
    id,
    ...(tier !== undefined && { tier }),
    ...noVerdicts,
    ...{ reused: 0, durationMs: 0, errors: [] },
  };
}

function withAnswer(
  known: JudgeReport,
  assessments: readonly Assessment[],
  { ms, reused, usage }: { readonly ms: number; readonly reused: boolean; readonly usage: Usage },
): JudgeReport {
  const errors = new Set(known.errors);
  const next = {
    ...known,
    reused: (known.reused ?? 0) + (reused ? 1 : 0),
    durationMs: (known.durationMs ?? 0) + ms,
    // a cached verdict costs nothing; its usage is what it cost then
    usage: reused ? (known.usage ?? {}) : addUsage(known.usage ?? {}, usage),
  };
  for (const assessment of assessments) {
    next[judgeCounters[assessment.verdict]] += 1;
    if (assessment.verdict === 'errored')
      errors.add(`${assessment.error.code}: ${assessment.error.message}`);
  }
  return { ...next, errors: [...errors] };
}

/**
 * The files, and the rest of the output as a file of JSON, because a person who approves it
 * approves all of it.
 */
export function shownFiles(output: unknown): readonly Artifact[] {
  const files = artifactsOf(output);
  if (typeof output === 'string' || output === undefined) return files;
  const rest = hasFiles(output, files) ? membersBesideFiles(output, files) : output;
  if (typeof rest === 'object' && rest !== null && Object.keys(rest).length === 0) return files;
  const content = JSON.stringify(rest, null, 2);
  return [...files, { type: 'json', path: freePath(files), content }];
}

/** Otherwise all of it is shown as JSON too. */
function hasFiles(output: unknown, files: readonly Artifact[]): boolean {
  return (
    typeof output === 'object' &&
    output !== null &&
    'artifacts' in output &&
    Array.isArray(output.artifacts) &&
    output.artifacts.length === files.length
  );
}

function freePath(files: readonly Artifact[]): string {
  const paths = new Set(files.map(({ path }) => path));
  let path = 'result';
  while (paths.has(path)) path += '+';
  return path;
}

/**
 * An answer replays earlier reviews, which takes no time: what counts is how long the judges took.
 */
export function withEarlierTimes(report: RunReport, earlier: RunReport | undefined): RunReport {
  if (earlier === undefined) return report;
  const before = (review: ReviewReport): ReviewReport | undefined =>
    earlier.reviews.find(
      ({ iteration, version }) => iteration === review.iteration && version === review.version,
    );
  const judges = report.judges?.map((judge) =>
    withTime(
      judge,
      earlier.judges?.find(({ id }) => id === judge.id),
    ),
  );
  return {
    ...report,
    ...(judges !== undefined && { judges }),
    durationMs: Math.max(report.durationMs, earlier.durationMs),
    reviews: report.reviews.map((review) => ({
      ...review,
      durationMs: Math.max(review.durationMs, before(review)?.durationMs ?? 0),
    })),
  };
}

function withTime(judge: JudgeReport, earlier: JudgeReport | undefined): JudgeReport {
  const durationMs = Math.max(judge.durationMs ?? 0, earlier?.durationMs ?? 0);
  return { ...judge, durationMs };
}
