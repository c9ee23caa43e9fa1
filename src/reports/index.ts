export { htmlReport } from './html/html-report.js';
export type { HtmlReportOptions } from './html/html-report-options.js';
export type { AuditSummary, JudgeCalibration, MeasuredShare } from './html/report-model.js';
export type { RunReport, ScoreBar } from './run-report.js';
export { type RunReportOptions, runReport } from './run-report-of.js';
