import type { Gap } from '../../core/gap.js';
import type { Usage } from '../../core/usage.js';
import type {
  AssessmentReport,
  JudgeReport,
  ReviewReport,
  RunReport,
  ScoreBar,
  WaitReport,
} from '../run-report.js';

/** What the page of a report shows, as the page itself contains it. Each gap stands in it once. */
export interface ReportModel {
  readonly schemaVersion: 1;
  /** The program and its version. */
  readonly generator: string;
  /** When the page was made, as ISO 8601. */
  readonly at: string;
  readonly title: string;
  /** What the page leaves out for its size, in words. */
  readonly cuts: readonly string[];
  readonly runs: readonly ModelRun[];
}

/** One run of a {@link ReportModel}. */
export interface ModelRun
  extends Pick<
    RunReport,
    'runId' | 'at' | 'durationMs' | 'status' | 'approved' | 'code' | 'reason' | 'acceptance'
  > {
  readonly pipeline: string;
  readonly task: { readonly source: string; readonly text?: string | undefined };
  /** The verdict in one line. */
  readonly headline: string;
  /** The person who decided, if any. */
  readonly decidedBy?: string | undefined;
  /** Commands that lead on, the most helpful first. */
  readonly next: readonly string[];
  /** The scores that approval needs. */
  readonly bars: readonly ScoreBar[];
  readonly gaps: Readonly<Record<string, Gap>>;
  readonly reviews: readonly ModelReview[];
  readonly requirements: readonly ModelRequirement[];
  /** What no judge could decide, of the returned version. */
  readonly undecided: readonly AssessmentReport[];
  /** Judges that failed, of the returned version. */
  readonly failures: readonly AssessmentReport[];
  /** Readable names of criteria, by id. */
  readonly names: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly notReviewed: readonly { readonly path: string; readonly reason: string }[];
  /** The content of versions, by digest. */
  readonly versions: Readonly<Record<string, readonly ModelFile[]>>;
  readonly judges: readonly JudgeReport[];
  readonly waits: readonly WaitReport[];
  readonly audit?: AuditSummary | undefined;
  readonly usage?: Usage | undefined;
}

/** One review of a {@link ModelRun}. */
export interface ModelReview
  extends Pick<
    ReviewReport,
    | 'iteration'
    | 'version'
    | 'at'
    | 'durationMs'
    | 'complete'
    | 'best'
    | 'scores'
    | 'decision'
    | 'counts'
  > {
  readonly parent?: string | undefined;
  /** The ids of the gaps, worst first. */
  readonly gaps: readonly string[];
  readonly fixed: readonly { readonly id: string; readonly by: string }[];
  readonly assessments: readonly AssessmentReport[];
  /** How many verdicts were reused. */
  readonly reused: number;
  readonly usage?: Usage | undefined;
}

/** One requirement of the task, as the returned version meets it. */
export interface ModelRequirement {
  readonly id?: string | undefined;
  readonly text: string;
  readonly state: 'met' | 'violated' | 'undecided';
  /** Who decided: a check, a model, a person, or the words that match. */
  readonly by: { readonly kind: 'check' | 'model' | 'person' | 'words'; readonly name: string };
  readonly details: string;
  readonly evidence: readonly ModelEvidence[];
  /** The gap that reports it. */
  readonly gap?: string | undefined;
}

/** A place that mentions a requirement. */
export interface ModelEvidence {
  readonly file: string;
  readonly line: number;
  readonly quote: string;
  /** The share of the requirement's words, from 0 to 1. */
  readonly share: number;
  readonly doubt?: string | undefined;
}

/** One file of a version; `null` if its content is left out. */
export interface ModelFile {
  readonly path: string;
  readonly text: string | null;
  readonly cut?: boolean | undefined;
}

/** The log of what people decided about the run. */
export interface AuditSummary {
  readonly intact: boolean;
  /** What is wrong with the log, if anything. */
  readonly problem?: string | undefined;
  readonly records: readonly {
    readonly runId?: string | undefined;
    readonly at: string;
    readonly by: string;
    readonly action: string;
    readonly reason: string;
  }[];
}
