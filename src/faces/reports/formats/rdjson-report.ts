import type { Severity } from '../../../core/gap.js';
import type { RunReport } from '../run-report.js';
import {
  checkedRuns,
  type FormatOptions,
  gatherFindings,
  type RunFinding,
  wellFormed,
} from './findings-of.js';
import type { Region } from './region.js';

const source = { name: 'reviewloop', url: 'https://www.npmjs.com/package/reviewloop' };

const severities: Readonly<Record<Severity, 'ERROR' | 'WARNING' | 'INFO'>> = {
  critical: 'ERROR',
  major: 'WARNING',
  minor: 'INFO',
};

/**
 * Returns the gaps of runs as one document in the format of reviewdog. Columns count bytes of
 * UTF-8. A gap that does not count is `INFO`, and its message says why.
 *
 * @throws ReviewLoopError `invalid_options` if there is no run or an option is invalid
 * @example
 * ```ts
 * await writeFile('review.rdjson', rdjsonReport(runReport(outcome)));
 * ```
 */
export function rdjsonReport(
  runs: RunReport | readonly RunReport[],
  options: FormatOptions = {},
): string {
  const reports = checkedRuns('rdjsonReport', runs, { options });
  const diagnostics = gatherFindings(reports, options).map(diagnosticOf);
  return `${JSON.stringify({ source, diagnostics }, null, 2)}\n`;
}

/**
 * Returns the gaps of runs in the format of reviewdog, one on each line; empty without gaps.
 *
 * @throws ReviewLoopError `invalid_options` if there is no run or an option is invalid
 * @example
 * ```ts
 * await writeFile('review.rdjsonl', rdjsonlReport(runReport(outcome)));
 * ```
 */
export function rdjsonlReport(
  runs: RunReport | readonly RunReport[],
  options: FormatOptions = {},
): string {
  const reports = checkedRuns('rdjsonlReport', runs, { options });
  return gatherFindings(reports, options)
    .map((finding) => `${JSON.stringify({ source, ...diagnosticOf(finding) })}\n`)
    .join('');
}

function diagnosticOf(finding: RunFinding): object {
  const { gap, rule, state, justification, message, place, fingerprint } = finding;
  return {
    message: state === 'open' ? message : `[${justification ?? state}] ${message}`,
    location:
      place === undefined
        ? { path: 'output' }
        : { path: wellFormed(place.file), range: rangeOf(place.region) },
    severity: state === 'open' ? severities[gap.severity] : 'INFO',
    code: { value: rule },
    original_output: wellFormed(fingerprint),
  };
}

/** Without columns, a range is whole lines and includes its last line. */
function rangeOf({ startLine, endLine, columns }: Region): object {
  if (columns === undefined) return { start: { line: startLine }, end: { line: endLine } };
  const { start, end } = columns.utf8;
  return { start: { line: startLine, column: start }, end: { line: endLine, column: end } };
}
