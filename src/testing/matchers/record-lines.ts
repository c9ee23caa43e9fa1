import type { CriterionResult } from '../../core/criterion.js';
import { bySeverity, type Gap, isOpen, type Severity } from '../../core/gap.js';
import { plural } from '../../core/plural.js';
import { fileOf } from '../../reports/gap-order.js';
import { oneLine } from '../../terminal/sanitise.js';
import type { TestRecord, TestRecordGap } from './test-record.js';

/** How many gaps the message of a failed assertion lists. */
const most = 20;

export function gapsOfResult(
  { findings = [], suggestedFix }: CriterionResult,
  severity: Severity,
): TestRecordGap[] {
  return findings
    .map((finding) => ({ ...finding, severity: finding.severity ?? severity }))
    .sort(bySeverity)
    .map((finding) => ({
      severity: finding.severity,
      ...gapOf(finding, finding.suggestedFix ?? suggestedFix),
    }));
}

/** Returns the open gaps of a run. */
export function gapsOfRun(gaps: readonly Gap[]): TestRecordGap[] {
  return gaps.filter(isOpen).map((gap) => ({
    severity: gap.severity,
    ...gapOf({ ...gap, file: fileOf(gap), line: gap.location?.line }, gap.suggestedFix),
  }));
}

interface Place {
  readonly description: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

function gapOf(
  { description, file, line }: Place,
  fix: string | undefined,
): Omit<TestRecordGap, 'severity'> {
  const hasFix = fix !== undefined && fix !== '' && fix !== description;
  return {
    description: oneLine(description),
    ...(file !== undefined && file !== '' && { file: oneLine(file) }),
    ...(line !== undefined && { line }),
    ...(hasFix && { fix: oneLine(fix) }),
  };
}

/** Returns a line for each gap, and how many more there are. */
export function gapLines(gaps: readonly TestRecordGap[]): string[] {
  const more = gaps.length - most;
  return [
    ...gaps.slice(0, most).map(lineOf),
    ...(more > 0 ? [`  and ${plural(more, 'more gap')}`] : []),
  ];
}

function lineOf({ severity, description, file, line, fix }: TestRecordGap): string {
  const place = [file, line].filter((part) => part !== undefined).join(':');
  const where = place === '' ? '' : ` ${place}`;
  return `  - [${severity}]${where} ${description}${fix === undefined ? '' : ` | fix: ${fix}`}`;
}

export function annotationOf(
  about: string,
  { verdict, score, text, gaps, report }: TestRecord,
): string {
  const parts = [
    `${about}: ${verdict}`,
    score === undefined ? '' : `score ${score}`,
    oneLine(text),
    gaps.length === 0 ? '' : plural(gaps.length, 'gap'),
    report === undefined ? '' : `report ${report}`,
  ];
  return parts.filter((part) => part !== '').join(' | ');
}

/** Returns a score to two decimals. Only a perfect one reads as 1. */
export function roundedScore(score: number): number {
  return score < 1 ? Math.min(0.99, Math.round(score * 100) / 100) : score;
}
