import { script, scriptHash, style, styleHash, version } from '#report-shell';
import { checkKeys, invalid } from '../../../core/options.js';
import { reportMark } from '../report-marks.js';
import type { RunReport } from '../run-report.js';
import { visible } from '../shown-text.js';
import { favicon } from './favicon.js';
import { modelReport } from './model-report.js';
import { type HtmlReportOptions, isOpenIn, type ReportModel } from './report-model.js';

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

function pageOf(model: Omit<ReportModel, 'generator' | 'schemaVersion'>): string {
  const whole: ReportModel = { schemaVersion: 1, generator: `reviewloop ${version}`, ...model };
  const policy = [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    `style-src '${styleHash}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${reportMark}
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
${favicon}
<title>${escapeHtml(whole.title)}</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript><pre>${escapeHtml(plainText(whole))}</pre></noscript>
<script type="application/json" id="data">${scriptJson(whole)}</script>
<script>${script}</script>
</body>
</html>
`;
}

function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

function escapeHtml(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The page lists so many gaps where scripts do not run. */
const most = 100;

function plainText({ runs }: ReportModel): string {
  return runs
    .map(({ title, verdict, gaps, reviews }) => {
      const best = reviews.findIndex((review) => review.best);
      const open = gaps.filter((gap) => isOpenIn(gap, best)).slice(0, most);
      const lines = open.map(({ severity, text }) => `- ${severity}: ${text}`);
      return [title, verdict.word, verdict.why, ...lines].join('\n');
    })
    .join('\n\n');
}
