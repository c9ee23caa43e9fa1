import type { Severity } from '../../../core/gap.js';
import type { RunReport } from '../run-report.js';
import {
  checkedRuns,
  type FormatOptions,
  gatherFindings,
  type RunFinding,
  wellFormed,
} from './findings-of.js';

const severities: Readonly<Record<Severity, string>> = {
  critical: 'blocker',
  major: 'major',
  minor: 'minor',
};

/**
 * Returns the gaps of runs as a code quality report of GitLab, for `artifacts.reports.codequality`.
 * A gap that does not count has the severity `info`, and its description says why. The report has
 * no place for failed judges and open questions: those are in {@link junitReport}.
 *
 * @throws ReviewLoopError `invalid_options` if there is no run or an option is invalid
 * @example
 * ```ts
 * await writeFile('gl-code-quality-report.json', gitlabReport(runReport(outcome)));
 * ```
 */
export function gitlabReport(
  runs: RunReport | readonly RunReport[],
  options: FormatOptions = {},
): string {
  const reports = checkedRuns('gitlabReport', runs, { options });
  return `${JSON.stringify(gatherFindings(reports, options).map(issueOf), null, 2)}\n`;
}

function issueOf(finding: RunFinding): object {
  const { fingerprint, gap, rule, state, justification, message, place } = finding;
  return {
    engine_name: 'reviewloop',
    check_name: rule,
    description: state === 'open' ? message : `[${justification ?? state}] ${message}`,
    fingerprint: wellFormed(fingerprint),
    severity: state === 'open' ? severities[gap.severity] : 'info',
    location: {
      path: wellFormed(place?.file ?? 'output'),
      lines: {
        begin: place?.region.startLine ?? 1,
        ...(place !== undefined && { end: place.region.endLine }),
      },
    },
  };
}
