import type { Gap } from '../../core/gap.js';
import type { Usage } from '../../core/usage.js';
import type {
  AssessmentReport,
  JudgeReport,
  ReviewReport,
  RunReport,
  ScoreBar,
  WaitReport,
  WayOn,
} from '../run-report.js';
import type { OpenQuestion } from '../run-words.js';
import type { Verdict } from '../verdict-words.js';
import type { GapState, ReturnedVersion, VersionNumbers } from '../version-words.js';

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
  /** The name of the task, in at most 60 characters. */
  readonly title: string;
  /** The decision, and why. */
  readonly verdict: Verdict;
  /** The version that came back, and why it is the best. */
  readonly returned?: ReturnedVersion | undefined;
  /** The numbers of each version. */
  readonly numbers: readonly VersionNumbers[];
  /** What became of each gap: one state for each review. */
  readonly lives: Readonly<Record<string, readonly GapState[]>>;
  /** What became of all gaps up to the returned version, in words. */
  readonly gapTotals: string;
  /** What no judge could decide, the must-haves first. */
  readonly questions: readonly OpenQuestion[];
  /** Tokens and price, in words; '' if no model was asked. */
  readonly cost: string;
  /** Who decided, in words. */
  readonly decidedBy: string;
  /** What the decision rests on, in words. */
  readonly restsOn: string;
  /** What leads on, the most helpful first. */
  readonly next: readonly WayOn[];
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
  /** The paths of the first files, and how many more there are. */
  readonly files: readonly string[];
  readonly notReviewed: readonly { readonly path: string; readonly reason: string }[];
  /** The content of versions, by digest. */
  readonly versions: Readonly<Record<string, readonly ModelFile[]>>;
  /** The judges, the worst first. */
  readonly judges: readonly JudgeReport[];
  /** What all judges did together. */
  readonly allJudges: JudgeReport;
  /** Votes and failed calls. */
  readonly lists: readonly ModelList[];
  /** How far judges of the run can be trusted, as measured on labelled examples. */
  readonly calibrations: readonly JudgeCalibration[];
  readonly waits: readonly WaitReport[];
  readonly audit?: ModelAudit | undefined;
  readonly usage?: Usage | undefined;
}

/** A table of a {@link ModelRun} beside its judges. */
export interface ModelList {
  readonly id: string;
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How many rows are left out, in words. */
  readonly more?: string | undefined;
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
  /** Earlier gaps that nobody judged again: `gone`, or `unknown`. */
  readonly closed: readonly { readonly id: string; readonly as: 'gone' | 'unknown' }[];
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

export interface AuditSummary {
  readonly intact: boolean;
  /** What is wrong with the log, if anything. */
  readonly problem?: string | undefined;
  /** How many records the log has, those of other runs too. @default the listed ones */
  readonly total?: number | undefined;
  readonly records: readonly {
    /** The place in the log, from 1. */
    readonly seq?: number | undefined;
    /** The hash that chains the record to the one before it. */
    readonly hash?: string | undefined;
    readonly runId?: string | undefined;
    readonly at: string;
    readonly by: string;
    readonly action: string;
    readonly reason: string;
  }[];
}

/** The {@link AuditSummary} of a {@link ModelRun}. */
export interface ModelAudit extends AuditSummary {
  /** What is known of the whole log, in words. */
  readonly state: string;
}

/** A share with its confidence interval; `null` if it could not be measured. */
export type MeasuredShare = {
  readonly value: number;
  readonly low: number;
  readonly high: number;
} | null;

export interface JudgeCalibration {
  readonly judge: {
    readonly id: string;
    readonly version: string;
    readonly model?: string | undefined;
  };
  /** ISO 8601. */
  readonly at: string;
  readonly examples: {
    readonly total: number;
    readonly good: number;
    readonly bad: number;
    readonly judged: number;
  };
  readonly confusion: {
    readonly truePass: number;
    readonly falsePass: number;
    readonly trueFail: number;
    readonly falseFail: number;
  };
  /** The share of good work that passes. */
  readonly tpr: MeasuredShare;
  /** The share of bad work that fails. */
  readonly tnr: MeasuredShare;
  /** How often two runs over the same example disagree. */
  readonly flipRate: number | null;
  readonly confidence: number;
  /** Limits of these figures. */
  readonly notes: readonly string[];
}
