import { type Gap, isOpen, severityAtLeast } from '../../../core/gap.js';
import { plural } from '../../../core/plural.js';
import { requirementPrefix } from '../../../core/scores.js';
import type { StoreFiles } from '../../../node/store-file.js';
import {
  decideCommand,
  mayOverride,
  shortIdOf,
  waitingCommand,
} from '../../cli-kit/show/next-command.js';
import type { GateVerdict } from '../../hooks/gate-verdict.js';
import { gapDescription, gapsByFile, placeOf } from '../../reports/gap-order.js';
import type { AssessmentReport, RunReport } from '../../reports/run-report.js';

export async function verdictOf(
  report: RunReport,
  about: {
    readonly files: StoreFiles;
    readonly byPrompt: boolean;
    readonly notes: readonly string[];
  },
): Promise<GateVerdict> {
  const shortId = await shortIdOf(about.files, report.runId);
  const open = report.gaps.filter(isOpen);
  const closable = open.filter(({ autoFixable }) => autoFixable);
  const kind = kindOf(report, closable);
  const gaps = kind === 'open' ? shownGaps(report, closable) : [];
  return {
    kind,
    code: report.code,
    reason: report.reason,
    runId: report.runId,
    gaps,
    ...(kind === 'approved' && closable.length > 0 && { left: shownGaps(report, closable) }),
    forPerson: [...(kind === 'none' ? [] : forPerson(report, kind)), ...about.notes],
    commands: commandsOf(report, shortId),
    byPrompt: about.byPrompt,
  };
}

function kindOf(report: RunReport, closable: readonly Gap[]): GateVerdict['kind'] {
  const { approved, status, failures, undecided } = report;
  if (approved || status === 'accepted') return 'approved';
  if (status === 'suspended' || status === 'rejected') return 'waiting';
  if (['cancelled', 'timed_out', 'failed'].includes(status)) return 'none';
  if (closable.some(({ severity }) => severityAtLeast(severity, 'major'))) return 'open';
  if (failures.length > 0) return 'none';
  if (undecided.some(({ mandatory }) => mandatory !== false)) return 'waiting';
  if (status === 'escalated') return 'waiting';
  return status === 'inconclusive' ? 'none' : 'open';
}

/** Those that an agent can close, worst first; without any, the reason. */
function shownGaps(report: RunReport, closable: readonly Gap[]): GateVerdict['gaps'] {
  if (closable.length === 0)
    return [
      { id: `reason:${report.code}`, severity: 'major', place: '', text: report.reason, fix: '' },
    ];
  const ranks = ['critical', 'major', 'minor'];
  return [...gapsByFile(closable)]
    .sort((a, b) => ranks.indexOf(a.severity) - ranks.indexOf(b.severity))
    .map((gap) => ({
      id: gap.id,
      severity: gap.severity,
      place: placeOf(gap),
      text: gapDescription(gap, report),
      fix: gap.suggestedFix,
      ...requirementOf(gap),
    }));
}

/** None if the description is about nothing else. */
function requirementOf({ affectedRequirement, criterionId = '' }: Gap): { requirement?: string } {
  return affectedRequirement === undefined || criterionId.startsWith(requirementPrefix)
    ? {}
    : { requirement: affectedRequirement };
}

function forPerson(report: RunReport, kind: GateVerdict['kind']): string[] {
  const { undecided, failures, requests = [], gaps, reason, status } = report;
  const lines = requests.map(({ question }) => question);
  if (status === 'rejected') lines.push(`a person rejected this version: ${reason}`);
  const asked = undecided.filter(({ mandatory }) => mandatory !== false);
  if (kind !== 'approved') lines.push(...asked.slice(0, 10).map(questionOf));
  if (asked.length > 10) lines.push(`${asked.length - 10} more are undecided.`);
  if (kind === 'open' && failures.length > 0)
    lines.push(`${plural(failures.length, 'judge')} failed: ${failures[0]?.text ?? ''}`);
  const stuck = gaps.filter((gap) => isOpen(gap) && !gap.autoFixable);
  if (kind !== 'approved')
    lines.push(...stuck.slice(0, 5).map((gap) => `${placeOf(gap)} ${gap.description}`.trim()));
  if (kind === 'waiting' && lines.length === 0) lines.push(reason);
  return lines;
}

function questionOf({ id, criterion, question, text }: AssessmentReport): string {
  return `${id ?? criterion}: ${question ?? text}`;
}

function commandsOf(report: RunReport, shortId: string): string[] {
  if (report.status === 'suspended') return [waitingCommand(report, shortId, '')];
  const decide = decideCommand(report, shortId, '');
  const override = `reviewloop answer ${shortId} override --reason "..."`;
  return [...(decide === undefined ? [] : [decide]), ...(mayOverride(report) ? [override] : [])];
}
