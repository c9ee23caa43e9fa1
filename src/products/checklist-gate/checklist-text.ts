import type { Gap } from '../../core/gap.js';
import { oneLine } from '../../core/text/truncate.js';
import type { ChecklistItem, ChecklistState } from '../../ports/checklist/checklist-state.js';
import { defaultFixOf, gapsOfItem } from './checklist.js';
import { ChecklistLoopState, type GateStatus } from './gate-status.js';

/** For a fixer, in characters. */
const maxQuote = 300;

/** No line can then look like the next item. */
function indented(text: string): string {
  const [first = '', ...rest] = text
    .split(/[\r\n\u0085\u2028\u2029]+/)
    .map((line) => line.replace(/[^\P{Cc}\t]/gu, ''));
  return [
    first.trim(),
    ...rest.filter((line) => line.trim() !== '').map((line) => `  ${line.trimEnd()}`),
  ].join('\n');
}

export function decomposeText({ items }: Pick<ChecklistState, 'items'>): string {
  return decomposed(`Items created: ${items.length}`, items);
}

export function existingText({
  items,
  inputs = [],
}: Pick<ChecklistState, 'items' | 'inputs'>): string {
  const from = inputs.length === 0 ? '' : `, from ${oneLine(inputs.join(', '))}`;
  return decomposed(`Items created: 0 (${items.length} exist${from})`, items);
}

function decomposed(count: string, items: readonly ChecklistItem[]): string {
  const lines = items.map(({ id, check, scope }) => `- ${id}: ${oneLine(check)} (scope: ${scope})`);
  return [
    'DECOMPOSE COMPLETE',
    '',
    count,
    ...lines,
    '',
    'NEXT: Invoke verifiers for each item.',
  ].join('\n');
}

export interface VerifyDetails {
  /** The reasons why items could not be verified, by the id of the item. */
  readonly reasons?: ReadonlyMap<string, string> | undefined;
}

/**
 * Follows the QR checklist format. Names neither the iteration nor the limit, so that no model can
 * act on them.
 */
export function verifyText(gate: GateStatus, { reasons }: VerifyDetails = {}): string {
  const { status, counts, failed, unverified, accepted, loop } = gate;
  const lines = [
    'VERIFICATION COMPLETE',
    '',
    `Status: ${status}`,
    `Items: ${counts.total} total, ${countsText(counts)}`,
  ];
  if (failed.length > 0)
    lines.push(
      'Failed items:',
      ...failed.map(({ id, finding }) => `- ${id}: ${oneLine(finding ?? 'no finding')}`),
    );
  if (unverified.length > 0)
    lines.push(
      'Unverified items:',
      ...unverified.map(
        (item) => `- ${item.id}: ${oneLine(reasons?.get(item.id) ?? 'not verified as it is now')}`,
      ),
    );
  if (status === 'PASS') lines.push(...toleratedLines(accepted));
  return [...lines, '', nextStep(status, loop, failed.length)].join('\n');
}

function countsText({ pass, fail, todo }: GateStatus['counts']): string {
  return `${pass} PASS, ${fail} FAIL${todo > 0 ? `, ${todo} TODO` : ''}`;
}

/** Failures that do not block: those that a person accepted, then the others. */
function toleratedLines(items: readonly ChecklistItem[]): string[] {
  const listed = (title: string, some: readonly ChecklistItem[]): string[] =>
    some.length === 0 ? [] : [title, ...some.map(toleratedLine)];
  const isAccepted = ({ accepted }: ChecklistItem): boolean => accepted !== undefined;
  return [
    ...listed('Accepted findings:', items.filter(isAccepted)),
    ...listed(
      'Findings that do not block:',
      items.filter((item) => !isAccepted(item)),
    ),
  ];
}

function toleratedLine({ id, finding, accepted }: ChecklistItem): string {
  const by =
    accepted === undefined
      ? ''
      : ` (accepted by ${oneLine(accepted.by)}: ${oneLine(accepted.reason)})`;
  return `- ${id}: ${oneLine(finding ?? 'no finding')}${by}`;
}

function nextStep(status: 'PASS' | 'FAIL', loop: ChecklistLoopState, failed: number): string {
  if (status === 'PASS') return 'NEXT: Continue to next phase.';
  if (loop === ChecklistLoopState.ESCALATED)
    return 'NEXT: Ask the person in charge to decide on the failed items.';
  return failed > 0
    ? 'NEXT: Invoke fixer with failed items.'
    : 'NEXT: Invoke verifiers for the unverified items.';
}

function fixGuidanceText(items: readonly ChecklistItem[]): string {
  const blocks = items.flatMap((item) => [
    '',
    `Item ${item.id}: ${oneLine(item.finding ?? item.check)}`,
    `Scope: ${item.scope}`,
    `Fix: ${indented(fixOf(item))}`,
  ]);
  return ['FIX GUIDANCE', ...(blocks.length === 0 ? ['', 'Nothing failed.'] : blocks)].join('\n');
}

/** The fixes of its verifier, or else the default fix. */
function fixOf(item: ChecklistItem): string {
  const gaps = gapsOfItem({ ...item, status: 'FAIL' });
  const fixes = gaps.map(({ suggestedFix }) => suggestedFix.trim()).filter((fix) => fix !== '');
  return [
    ...new Set([...(fixes.length > 0 ? fixes : [defaultFixOf(item)]), ...gaps.flatMap(placeOf)]),
  ].join('\n');
}

function placeOf({ location, evidence }: Gap): string[] {
  if (location === undefined && evidence === undefined) return [];
  const { file, line, endLine } = location ?? {};
  const at = [
    file,
    line === undefined
      ? undefined
      : `${line}${endLine === undefined || endLine === line ? '' : `-${endLine}`}`,
  ]
    .filter((part) => part !== undefined)
    .join(':');
  return [
    `Found${at === '' ? '' : ` in ${oneLine(at)}`}${evidence === undefined ? '' : `: ${JSON.stringify(oneLine(evidence).slice(0, maxQuote))}`}`,
  ];
}

const rule = '='.repeat(60);

/** QR tools write it so: an overview, then the failed items. */
function fixerPrompt(
  items: readonly ChecklistItem[],
  { counts }: Pick<GateStatus, 'counts'>,
): string {
  const blocks = items.flatMap(({ id, check, scope, finding }) => [
    `[${id}] ${oneLine(check)}`,
    ...(scope === '*' ? [] : [`    Scope: ${scope}`]),
    `    Finding: ${oneLine(finding ?? 'no finding')}`,
    '',
  ]);
  return [
    `${counts.total} items: ${countsText(counts)}`,
    '',
    rule,
    'FAILED QR ITEMS TO FIX (address these FIRST):',
    rule,
    '',
    ...blocks,
    rule,
  ].join('\n');
}

export function summaryText(phase: string, { counts }: Pick<GateStatus, 'counts'>): string {
  const lines = Object.entries({ FAIL: counts.fail, PASS: counts.pass, TODO: counts.todo }).filter(
    ([, count]) => count > 0,
  );
  return [
    `Phase: ${phase}`,
    `Total: ${counts.total}`,
    ...lines.map(([status, count]) => `  ${status}: ${count}`),
  ].join('\n');
}

export function itemLine({ id, status, finding }: ChecklistItem): string {
  return `${id}\t${status}${finding === null ? '' : ` | ${oneLine(finding)}`}`;
}

/** The guidance for a fixer: the failed items, and nothing else. */
export interface FixGuidance {
  readonly items: readonly ChecklistItem[];
  /** Instructions for each item. */
  readonly text: string;
  /** The findings as a prompt, with an overview. */
  readonly prompt: string;
}

export function guidanceFor(
  items: readonly ChecklistItem[],
  gate: Pick<GateStatus, 'counts'>,
): FixGuidance {
  return { items, text: fixGuidanceText(items), prompt: fixerPrompt(items, gate) };
}

/** Their state may have changed since the review. */
export function failedItems({ items }: ChecklistState, gaps: readonly Gap[]): ChecklistItem[] {
  return items.flatMap((item): ChecklistItem[] => {
    const own = gaps.filter(({ criterionId }) => criterionId === item.id);
    if (own.length === 0) return [];
    const finding = own.map(({ description }) => description).join('; ');
    return [{ ...item, status: 'FAIL', finding, gaps: own }];
  });
}
