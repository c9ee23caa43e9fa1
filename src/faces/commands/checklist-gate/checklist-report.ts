import { type Gap, type Location, LocationSchema } from '../../../core/gap.js';
import type { ChecklistItem, ChecklistState } from '../../../ports/checklist/checklist-state.js';
import { gapsOfItem } from '../../../products/checklist-gate/checklist.js';
import type { GateVerification } from '../../../products/checklist-gate/run-gate.js';
import { judgedReport } from '../../cli-kit/reports/judged-report.js';
import { reportAssessment } from '../../reports/report-run.js';
import type { AssessmentReport, RunReport } from '../../reports/run-report.js';

export interface VerifiedChecklist {
  readonly verification: GateVerification;
  readonly state: ChecklistState;
  readonly files: readonly string[];
  readonly exitCode: number;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly now: number;
}

export function checklistReport(verified: VerifiedChecklist): RunReport {
  const { verification, state, files, exitCode, began, now } = verified;
  const { items, phase, iteration } = state;
  const { status, counts, failed, unverified } = verification;
  return judgedReport({
    runId: `checklist-${phase}-${iteration}`,
    pipeline: `checklist-gate ${phase}`,
    status: statusOf(verification),
    code: `checklist_${status.toLowerCase()}`,
    reason: `${counts.pass} of ${counts.total} items passed, ${failed.length} block, ${unverified.length} have no result`,
    exitCode,
    began,
    durationMs: Math.max(0, now - began),
    source: `checklist ${phase}`,
    files,
    assessments: items.map((item) => assessmentOf(item, verification)),
    gaps: items.flatMap((item) => (item.status === 'FAIL' ? placedGaps(item) : [])),
    names: Object.fromEntries(items.map(({ id, check }) => [id, check])),
  });
}

function statusOf({
  status,
  loop,
  failed,
}: GateVerification): 'approved' | 'escalated' | 'exhausted' | 'inconclusive' {
  if (status === 'PASS') return 'approved';
  if (loop === 'ESCALATED') return 'escalated';
  return failed.length > 0 ? 'exhausted' : 'inconclusive';
}

function assessmentOf(
  item: ChecklistItem,
  { review, unverified }: GateVerification,
): AssessmentReport {
  const { id: criterion, finding, check } = item;
  if (item.status === 'FAIL')
    return { criterion, verdict: 'fail', score: 0, text: finding ?? check };
  const answer = review?.assessments.find((one) => one.criterion === criterion);
  if (answer?.verdict === 'errored') return reportAssessment(answer);
  const isOpen = unverified.some(({ id }) => id === criterion);
  if (item.status === 'PASS' && !isOpen)
    return { criterion, verdict: 'pass', score: 1, text: check };
  return {
    criterion,
    verdict: 'undecided',
    text: answer !== undefined && 'reason' in answer ? answer.reason : 'the item has no result',
    question: check,
    decidableBy: ['model', 'person'],
  };
}

/** Gaps without a place get the one of the item. */
function placedGaps(item: ChecklistItem): Gap[] {
  const location = placeOf(item);
  return gapsOfItem(item).map((gap) => ({
    ...gap,
    criterionId: item.id,
    ...(gap.location === undefined && location !== undefined && { location }),
  }));
}

/** `file:path` or `file:path:45-52`. */
function placeOf({ scope }: ChecklistItem): Location | undefined {
  const [, place] = /^file:(.+)$/.exec(scope) ?? [];
  if (place === undefined) return undefined;
  return placeIn(place) ?? placeIn(place.replace(/:\d+(?:-\d+)?$/, ''));
}

/** `file`, `file:12` or `file:12-15`. */
export function placeIn(text: string): Location | undefined {
  const [, file = text, from, to] = /^(.+?):(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? [];
  const line = from !== undefined && { line: Number(from) };
  const end = to !== undefined && { endLine: Number(to) };
  return LocationSchema.safeParse({ file, ...line, ...end }).data;
}

export function entityResult(
  { id, version }: { readonly id: string; readonly version: number },
  operation: string,
): string {
  return [
    '<entity_result>',
    `  <id>${escaped(id)}</id>`,
    `  <version>${version}</version>`,
    `  <operation>${operation}</operation>`,
    '</entity_result>',
  ].join('\n');
}

export function checklistError(message: string): string {
  return ['<qr_cli_error>', `  <message>${escaped(message)}</message>`, '</qr_cli_error>'].join(
    '\n',
  );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
