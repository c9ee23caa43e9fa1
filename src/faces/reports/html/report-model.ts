import type { Artifact } from '../../../core/artifact.js';
import type { CoverageEvidence } from '../../../core/coverage.js';
import type { Gap } from '../../../core/gap.js';
import type { Calibration } from '../../../products/calibration/calibration.js';
import type { ReviewReport, RunReport, WaitReport, WayOn } from '../run-report.js';
import type { OpenQuestion } from '../run-words.js';
import type { GapState } from '../version-words.js';

/** The page itself contains it. Each gap stands in it once. */
export interface ReportModel {
  readonly schemaVersion: 1;
  readonly generator: string;
  readonly at: string;
  readonly title: string;
  readonly cuts: readonly string[];
  readonly runs: readonly ModelRun[];
}

/** What a page does not show of a report, or shows in another form. */
type LeftOut =
  | ('schemaVersion' | 'scores' | 'counts' | 'gaps' | 'coverage' | 'requirements' | 'fixed')
  | ('judges' | 'attempts' | 'requests' | 'partial' | 'reviews' | 'changed' | 'written' | 'bars')
  | ('criteria' | 'usage' | 'failures' | 'notReviewed' | 'waits' | 'next');

export interface ModelRun extends Omit<RunReport, LeftOut> {
  /** What the task is called. */
  readonly title: string;
  readonly verdict: RunVerdict;
  /** The version that came back, and what is open, each in a few words and a sentence. */
  readonly back: Said;
  readonly open: Said;
  /** How much of each kind is open, in words. */
  readonly counted: string;
  /** What nobody has decided yet, those first that block an approval. */
  readonly questions: readonly ModelQuestion[];
  /** What to do next, the most helpful first. */
  readonly next: readonly WayOn[];
  /** What a score rests on, and which one approval needs, in words. */
  readonly needs: string;
  /** All gaps of the run: those without a line first, then by file and line. */
  readonly gaps: readonly ModelGap[];
  /** What became of the gaps, in words. */
  readonly became: string;
  readonly reviews: readonly ModelReview[];
  readonly requirements: readonly ModelRequirement[];
  readonly versions: Readonly<Record<string, readonly ModelFile[]>>;
  readonly judges: ModelJudges;
  readonly lists: readonly ModelList[];
  readonly calibrations: readonly JudgeCalibration[];
  readonly waits: readonly WaitReport[];
  readonly audit?: ModelAudit | undefined;
  /** Tokens and price, in words; '' if no model was asked. */
  readonly cost: string;
}

/** A few words, and a sentence that explains them. */
export interface Said {
  readonly word: string;
  readonly why: string;
}

export interface RunVerdict extends Said {
  readonly look: 'ok' | 'warn' | 'bad' | 'gone';
}

/** Something that is open and no gap. */
export interface ModelQuestion extends Omit<OpenQuestion, 'must' | 'passages'> {
  /** Whether it blocks an approval, or what it is. */
  readonly tag: 'must' | 'may stay open' | 'judge failed' | 'not reviewed' | 'question';
  readonly passages: readonly ModelPassage[];
}

/** They stand beside a question. */
export interface ModelPassage {
  readonly file: string;
  /** `line 8`, or `version 1 to 3` for what was taken out; '' for the begin of a file. */
  readonly place: string;
  readonly lines: readonly {
    readonly number: number;
    readonly text: string;
    /** The one that matters, or what became of it. */
    readonly look: '' | 'hit' | 'del' | 'add';
  }[];
}

export interface ModelList {
  readonly id: string;
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly more?: string | undefined;
}

/** No other gap at its line has its text. */
export interface ModelGap extends Gap {
  /** '' for a gap without a file. */
  readonly file: string;
  readonly text: string;
  /** The id of its requirement. */
  readonly requirement?: string | undefined;
  /** What it is in each review. */
  readonly life: readonly GapState[];
}

export interface ModelReview
  extends Pick<ReviewReport, 'iteration' | 'version' | 'at' | 'durationMs' | 'best' | 'scores'> {
  /** How many gaps count against the version. */
  readonly open: number;
  /** How many must-haves nobody decided. */
  readonly undecided: number;
}

export interface ModelRequirement {
  readonly id?: string | undefined;
  readonly text: string;
  /** One sign for each review: `✓` met, `×` not met, `?` undecided. */
  readonly cells: string;
  /** What it is in the version that came back. */
  readonly state: string;
  /** Who says so, and why. */
  readonly by: string;
  readonly evidence: readonly CoverageEvidence[];
}

export interface ModelJudges {
  readonly count: number;
  /** What all did together, in words. */
  readonly said: string;
  /** Those with a finding, a failure or a cost: one cell for each review. */
  readonly rows: readonly {
    readonly id: string;
    readonly name: string;
    readonly cells: readonly string[];
    readonly cost: string;
    readonly errors: readonly string[];
  }[];
  /** The names of the others. */
  readonly others: readonly string[];
}

/** `null` if its content is left out. */
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

export interface ModelAudit extends AuditSummary {
  readonly state: string;
}

/** How far a judge can be trusted, as `calibrate` measured it. */
export interface JudgeCalibration
  extends Pick<Calibration, 'at' | 'confusion' | 'tpr' | 'tnr' | 'flipRate' | 'confidence'> {
  readonly judge: Pick<Calibration['judge'], 'id' | 'version' | 'model'>;
  readonly examples: Pick<Calibration['examples'], 'total' | 'good' | 'bad' | 'judged'>;
  /** Limits of these figures. */
  readonly notes: readonly string[];
}

/** Options of `htmlReport`. */
export interface HtmlReportOptions {
  /**
   * What the page contains of the reviewed work: `full` the text of the versions, `quotes` what
   * reviewers quote, `none` neither. Secrets are removed in any case.
   *
   * @default 'full'
   */
  readonly content?: 'none' | 'quotes' | 'full' | undefined;
  /** The content of versions, by the digest that their review names. @default none */
  readonly versions?: Readonly<Record<string, readonly Artifact[]>> | undefined;
  /** The audit log of the runs. @default none */
  readonly audit?: AuditSummary | undefined;
  /** How far judges can be trusted, as `calibrate` measured it. @default none */
  readonly calibrations?: readonly JudgeCalibration[] | undefined;
  /** The title of the page. @default the verdict and the task, or how many runs */
  readonly title?: string | undefined;
  /** The time that the page names, as ISO 8601. @default the time of the newest run */
  readonly at?: string | undefined;
}

export function isOpenIn({ life, standing }: ModelGap, review: number): boolean {
  if (standing === 'disputed' || standing === 'waived') return false;
  return life.length === 0 || ['found', 'still open', 'came back'].includes(life[review] ?? '');
}
