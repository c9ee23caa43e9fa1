import { countOf, type Gap, isOpen } from '../core/gap.js';
import { plural } from '../core/plural.js';
import { gapDescription } from './gap-description.js';
import type { AssessmentReport, RunReport } from './run-report.js';

/** Returns the decision in one line, with its reason first. */
export function headline(report: RunReport): string {
  const { status, approved, reviews, notReviewed, recorded } = report;
  // without its reviews, nothing is known of gaps
  if (recorded === true && status !== 'suspended') return `${status.toUpperCase()}: ${report.code}`;
  const left =
    notReviewed.length === 0 ? '' : `; ${plural(notReviewed.length, 'file')} not reviewed`;
  const reasons = reasonsOf(report).join('; ');
  if (approved)
    return `APPROVED: ${report.exitCode === 0 ? '' : 'but --fail-on found '}${reasons}${left}`;
  if (report.checksPassed) return `CHECKS PASSED, not approved: ${reasons}${left}`;
  if (status === 'suspended') return `SUSPENDED: ${report.reason}`;
  if (status === 'accepted') return `ACCEPTED, not approved by reviewers: ${reasons}${left}`;
  const best = reviews.length > 1 ? `, best of ${reviews.length} versions` : '';
  return `NOT APPROVED${isSingle(report) ? '' : ` (${status})`}: ${reasons}${best}${left}`;
}

export function isSingle({ reviews, code }: RunReport): boolean {
  return reviews.length === 1 && code === 'iterations';
}

/** Returns what stands against an approval, the reason that decides first. */
function reasonsOf(report: RunReport): string[] {
  const { gaps, failures, status } = report;
  const missing = [
    ...emptyFiles(report),
    ...(failures.length > 0 ? [`${plural(failures.length, 'judge')} failed`] : []),
    ...(report.code === 'nothing_judged' ? [nothingJudged(report)] : []),
  ];
  const open = undecidedText(report.undecided);
  if (gaps.length === 0 && missing.length + open.length > 0) return [...missing, ...open];
  const counts = gapCounts(gaps);
  return status === 'inconclusive' ? [...missing, ...open, counts] : [...missing, counts, ...open];
}

const mostNamed = 2;

function emptyFiles(report: RunReport): string[] {
  const empty = report.gaps.filter(
    (gap) => isOpen(gap) && /(?:^|-)empty-(?:content|output)$/.test(gap.criterionId ?? ''),
  );
  const named = empty.slice(0, mostNamed).map((gap) => gapDescription(gap, report));
  return empty.length > mostNamed
    ? [`${named.join(', ')} and ${empty.length - mostNamed} more`]
    : named;
}

function nothingJudged({ counts }: RunReport): string {
  const skipped = counts?.skipped ?? 0;
  return skipped === 0
    ? 'nothing was judged'
    : `nothing was judged: ${skipped === 1 ? 'the only check does' : `all ${skipped} checks do`} not apply`;
}

function undecidedText(undecided: readonly AssessmentReport[]): string[] {
  const needed = undecided.filter(({ mandatory }) => mandatory !== false);
  const optional = undecided.length - needed.length;
  const requirements = needed.filter(({ id }) => id !== undefined).length;
  const named = [
    [requirements, 'requirement'],
    [needed.length - requirements, 'check'],
  ] as const;
  const parts = named.filter(([count]) => count > 0).map(([count, noun]) => plural(count, noun));
  const verb = needed.length === 1 ? 'is' : 'are';
  return [
    ...(parts.length > 0 ? [`${parts.join(' and ')} ${verb} undecided`] : []),
    ...(optional > 0 ? [`${plural(optional, 'optional requirement')} undecided`] : []),
  ];
}

/** Returns the numbers of open, disputed and waived gaps as text. */
function gapCounts(gaps: readonly Gap[]): string {
  const open = gaps.filter(isOpen);
  const counts = (['critical', 'major', 'minor'] as const)
    .map((severity) => [severity, countOf(open, severity)] as const)
    .filter(([, count]) => count > 0);
  const closed = (['disputed', 'waived'] as const)
    .map((standing) => [standing, gaps.filter((gap) => gap.standing === standing).length] as const)
    .filter(([, count]) => count > 0);
  const more = closed.map(([standing, count]) => `, ${count} ${standing}`).join('');
  if (counts.length === 0) return more === '' ? 'no gaps' : `no open gaps${more}`;
  const listed = counts.map(([severity, count]) => `${count} ${severity}`).join(', ');
  return `${listed} ${open.length === 1 ? 'gap' : 'gaps'}${more}`;
}
