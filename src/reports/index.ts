export { type HtmlReportOptions, htmlReport } from './html/html-report.js';
export type { AuditSummary } from './html/report-model.js';
export type { RunReport } from './run-report.js';
export { type RunReportOptions, runReport } from './run-report-of.js';
