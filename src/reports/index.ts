export { type HtmlReportOptions, htmlReport } from './html/html-report.js';
export type { RunReport } from './run-report.js';
export { runReport } from './run-report-of.js';
