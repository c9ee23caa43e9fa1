import { checkKeys, invalid } from '../../core/options.js';
import type { RunReport } from '../run-report.js';
import type { HtmlReportOptions } from './html-report-options.js';
import { modelReport } from './model-report.js';
import { pageOf } from './page-of.js';

const optionNames = ['content', 'versions', 'audit', 'calibrations', 'title', 'at'];

/**
 * Returns one or more runs as one HTML page that needs no server and no network. It shows the
 * verdict first, then scores, gaps, requirements, versions, judges, time and people. Secrets are
 * removed. Texts over 2,000 characters, versions over 2 MB and pages over 10 MB are cut, and the
 * page says so.
 *
 * @param runs - One report, or several to compare; {@link runReport} makes one of an outcome.
 * @throws ReviewLoopError `invalid_options` if there is no run or an option is invalid
 * @example
 * ```ts
 * const outcome = await pipeline.run(task);
 * await writeFile('report.html', htmlReport(runReport(outcome)));
 * ```
 */
export function htmlReport(
  runs: RunReport | readonly RunReport[],
  options: HtmlReportOptions = {},
): string {
  checkKeys('htmlReport', options, optionNames);
  const { content = 'full' } = options;
  if (!['none', 'quotes', 'full'].includes(content))
    throw invalid('content', "'none', 'quotes' or 'full'", content);
  const reports: readonly RunReport[] = 'runId' in runs ? [runs] : runs;
  if (reports.length === 0) throw invalid('runs', 'at least one run', runs);
  return pageOf(modelReport(reports, options));
}
