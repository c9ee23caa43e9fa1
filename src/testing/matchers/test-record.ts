import * as vitest from 'vitest';
import type { CriterionResult } from '../../core/criterion.js';
import { bySeverity, type Gap, isOpen, type Severity } from '../../core/gap.js';
import { plural } from '../../core/plural.js';
import { fileOf } from '../../faces/reports/gap-order.js';
import { oneLine } from '../../node/terminal/sanitise.js';

interface TestRecordGap {
  readonly severity: string;
  readonly description: string;
  readonly file?: string;
  readonly line?: number;
  readonly fix?: string;
}

/** What a matcher of this package found. A test has them in `task.meta.reviewloop`. */
export interface TestRecord {
  readonly matcher: 'toPass' | 'toBeApproved';
  /** The id of the criterion, or of the run. */
  readonly id: string;
  /** `pass`, `fail`, `skipped`, `undecided` or `errored` of a criterion; the status of a run. */
  readonly verdict: string;
  /** The score, from 0 to 1. A run has none where nothing was judged. */
  readonly score?: number;
  /** Why, for people. */
  readonly text: string;
  /** The open gaps, worst first. */
  readonly gaps: readonly TestRecordGap[];
  /** The path of the report, if one was written. */
  readonly report?: string;
}

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

/** Only a perfect score reads as 1. */
export function roundedScore(score: number): number {
  return score < 1 ? Math.min(0.99, Math.round(score * 100) / 100) : score;
}

export interface RunningTest {
  readonly signal: AbortSignal | undefined;
  /** Undefined if it has none, or if it is not known. */
  readonly timeoutMs: number | undefined;
  /** Adds what a matcher found to `task.meta.reviewloop`. */
  readonly record: (entry: TestRecord) => void;
  readonly annotate: (text: string) => Promise<void>;
}

/** The members of a test that exist in some versions only. vitest 3.2 brought the first two. */
interface AnyTest {
  readonly concurrent?: boolean | undefined;
  readonly timeout?: number | undefined;
  readonly meta: { reviewloop?: TestRecord[] };
  readonly context: {
    readonly signal?: AbortSignal | undefined;
    readonly annotate?: ((text: string, type: string) => Promise<unknown>) | undefined;
    readonly onTestFinished: (call: () => void) => void;
  };
}

/** vitest before 4.1 does not hand the test to matchers. */
const currentTest: () => AnyTest | undefined =
  'TestRunner' in vitest ? () => undefined : (await import('vitest/suite')).getCurrentTest;

/** The name of annotations: the `name` of a JUnit property, the title of an annotation on GitHub. */
const annotationType = 'reviewloop';

/** Without a test, nothing is aborted, recorded or shown. */
export function runningTest(state: { readonly task?: AnyTest | undefined }): RunningTest {
  const test = state.task ?? sequential(currentTest());
  return {
    signal: test && signalOf(test),
    timeoutMs: timeoutOf(test),
    record: (entry) => {
      if (test !== undefined) test.meta.reviewloop = [...(test.meta.reviewloop ?? []), entry];
    },
    annotate: async (text) => {
      try {
        await test?.context.annotate?.(text, annotationType);
      } catch {
        // the test ended before the matcher did; vitest says that it was not awaited
      }
    },
  };
}

/** Several tests of one file may run at once: which of them the current one is, nobody can tell. */
function sequential(test: AnyTest | undefined): AnyTest | undefined {
  return test?.concurrent === true ? undefined : test;
}

function signalOf({ context }: AnyTest): AbortSignal {
  if (context.signal !== undefined) return context.signal;
  const ended = new AbortController();
  context.onTestFinished(() => ended.abort());
  return ended.signal;
}

function timeoutOf(test: AnyTest | undefined): number | undefined {
  const timeout = test?.timeout;
  return timeout !== undefined && timeout > 0 && Number.isFinite(timeout) ? timeout : undefined;
}
