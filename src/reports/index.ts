export type {
  FindingPlace,
  FindingState,
  FormatOptions,
  RunFinding,
  TaskFile,
} from './formats/findings-of.js';
export { findingsOf } from './formats/findings-of.js';
export { githubAnnotations } from './formats/github-annotations.js';
export { gitlabReport } from './formats/gitlab-report.js';
export { junitReport } from './formats/junit-report.js';
export { type MarkdownOptions, markdownReport } from './formats/markdown-report.js';
export { rdjsonlReport, rdjsonReport } from './formats/rdjson-report.js';
export type { Columns, Region, Span } from './formats/region.js';
export { sarifReport } from './formats/sarif-report.js';
export { htmlReport } from './html/html-report.js';
export type { HtmlReportOptions } from './html/html-report-options.js';
export type { AuditSummary, JudgeCalibration, MeasuredShare } from './html/report-model.js';
export type { RunReport, ScoreBar } from './run-report.js';
export { type RunReportOptions, runReport } from './run-report-of.js';
