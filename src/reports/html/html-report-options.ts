import type { Artifact } from '../../core/artifact.js';
import type { AuditSummary, JudgeCalibration } from './report-model.js';

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
