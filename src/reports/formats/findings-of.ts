import { type Gap, isOpen } from '../../core/gap.js';
import { bySeverity } from '../../core/severity.js';
import type { RunReport } from '../run-report.js';
import { placesOf } from './finding-place.js';
import { checkedRuns, type FormatOptions } from './format-options.js';
import { plainText } from './plain-text.js';
import { ruleOf } from './rule-of.js';
import type { FindingState, RunFinding } from './run-finding.js';

/**
 * Returns the gaps of the returned versions of runs, the worst first. Every writer of a machine
 * format shows exactly these. A judge that failed and a question that is undecided are not findings.
 *
 * @throws ReviewLoopError `invalid_options` if there is no run or an option is invalid
 * @example
 * ```ts
 * const findings = findingsOf(runReport(await pipeline.run(task)));
 * const blocking = findings.filter(({ level }) => level === 'error');
 * ```
 */
export function findingsOf(
  runs: RunReport | readonly RunReport[],
  options: FormatOptions = {},
): RunFinding[] {
  return gatherFindings(checkedRuns('findingsOf', runs, { options }), options);
}

/** Returns the findings of runs that are checked and contain no secrets, the worst first. */
export function gatherFindings(
  reports: readonly RunReport[],
  options: FormatOptions,
): RunFinding[] {
  const seen = new Map<string, number>();
  return reports
    .flatMap((run) => findingsIn(run, options))
    .filter(({ state }) => state === 'open' || options.waived !== 'omit')
    .map((finding): RunFinding => {
      const occurrence = (seen.get(finding.id) ?? 0) + 1;
      seen.set(finding.id, occurrence);
      const fingerprint = occurrence === 1 ? finding.id : `${finding.id}-${occurrence}`;
      return { ...finding, occurrence, fingerprint };
    })
    .sort(worstFirst);
}

/** Returns whether the end of a run does not depend on its open gaps. */
export function passes({ approved, status, exitCode }: RunReport): boolean {
  return (approved || status === 'accepted') && exitCode === 0;
}

function findingsIn(
  run: RunReport,
  options: FormatOptions,
): Omit<RunFinding, 'occurrence' | 'fingerprint'>[] {
  const placeOf = placesOf(run, options);
  return run.gaps.map((gap) => {
    const place = placeOf(gap);
    const state = stateOf(gap, run);
    return {
      id: gap.id,
      runId: run.runId,
      gap,
      rule: ruleOf(gap),
      level: levelOf(gap, state, run),
      state,
      justification: justificationOf(state, run),
      message: messageOf(gap),
      ...(place !== undefined && { place }),
    };
  });
}

function stateOf(gap: Gap, { status, acceptance }: RunReport): FindingState {
  if (gap.standing === 'waived' || gap.standing === 'disputed') return gap.standing;
  const isAccepted =
    status === 'accepted' && (acceptance?.kind === 'override' || acceptance?.kind === 'skip');
  return isAccepted && isOpen(gap) ? 'overridden' : 'open';
}

function justificationOf(state: FindingState, { acceptance }: RunReport): string | undefined {
  switch (state) {
    case 'open':
      return undefined;
    case 'waived':
      return 'waived';
    case 'disputed':
      return 'disputed: another judge does not confirm it';
    case 'overridden':
      return plainText(
        `overridden by ${acceptance?.by ?? 'a person'}: ${acceptance?.reason ?? ''}`,
      );
  }
}

function levelOf({ severity }: Gap, state: FindingState, run: RunReport): RunFinding['level'] {
  if (state !== 'open') return 'note';
  if (severity === 'critical') return 'error';
  return severity === 'major' && !passes(run) ? 'error' : 'warning';
}

function messageOf({ description, suggestedFix }: Gap): string {
  const what = description.trim() === '' ? 'a gap without a description' : description;
  const fix = suggestedFix.trim();
  const isNew = fix !== '' && fix !== what.trim();
  return plainText(isNew ? `${what}\n\nFix: ${suggestedFix}` : what);
}

function worstFirst(a: RunFinding, b: RunFinding): number {
  return (
    levels.indexOf(a.level) - levels.indexOf(b.level) ||
    bySeverity(a.gap, b.gap) ||
    compareTexts(a.place?.file ?? '', b.place?.file ?? '') ||
    (a.place?.region.startLine ?? 0) - (b.place?.region.startLine ?? 0)
  );
}

const levels: readonly RunFinding['level'][] = ['error', 'warning', 'note'];

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
