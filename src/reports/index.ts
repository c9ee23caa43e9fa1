export { type HtmlReportOptions, htmlReport } from './html/html-report.js';
export { runReport } from './run-report-of.js';
export type { RunReport } from './run-report.js';
