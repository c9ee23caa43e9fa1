import { script, scriptHash, style, styleHash, version } from '#report-shell';
import { favicon } from './favicon.js';
import { isOpenIn } from './open-in.js';
import { reportMark } from './report-mark.js';
import type { ReportModel } from './report-model.js';
import { visible } from './visible.js';

/** Returns the page: the data of the report, and the program that shows it. */
export function pageOf(model: Omit<ReportModel, 'generator' | 'schemaVersion'>): string {
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

/** How many gaps the page lists where scripts do not run. */
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
