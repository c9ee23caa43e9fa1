import { isOpen } from '../../core/gap.js';
import { truncate } from '../../core/text/truncate.js';
import { gapDescription, gapsByFile, placeOf } from '../reports/gap-order.js';
import type { RunReport } from '../reports/run-report.js';
import { headline } from '../reports/verdict-words.js';

/** A question of a run that a person can decide. */
interface OpenQuestion {
  /** The id of a requirement, such as `R6`, or of a criterion. */
  readonly name: string;
  readonly question: string;
  readonly why: string;
  /** Where the version says something about it, with a quote. */
  readonly passages: readonly string[];
  /** Whether approval needs it. */
  readonly required: boolean;
}

/** A run as a client shows it to a person. */
export interface AskedRun {
  readonly runId: string;
  /** The digest of the version that the questions are about. */
  readonly version: string;
  readonly headline: string;
  readonly reason: string;
  readonly gaps: readonly {
    readonly severity: string;
    readonly place: string;
    readonly text: string;
    readonly fix: string;
  }[];
  /** How many gaps are not listed. */
  readonly more: number;
  readonly open: readonly OpenQuestion[];
}

/** The most gaps and questions that are shown. */
const most = 50;

/** Returns what a client shows of a run. */
export function askedRun(report: RunReport): AskedRun {
  const { runId, version = '', reason, undecided, coverage } = report;
  const gaps = gapsByFile(report.gaps.filter(isOpen));
  return {
    ...{ runId, version, reason },
    headline: headline(report),
    gaps: gaps.slice(0, most).map((gap) => ({
      severity: gap.severity,
      place: placeOf(gap),
      text: gapDescription(gap, report),
      fix: gap.suggestedFix,
    })),
    more: Math.max(0, gaps.length - most),
    open: undecided.slice(0, most).map(({ id, criterion, question, text, mandatory }) => ({
      name: id ?? criterion,
      question: question ?? criterion,
      why: text,
      passages: (coverage.find((entry) => id !== undefined && entry.id === id)?.evidence ?? [])
        .slice(0, 3)
        .map(({ file, line, quote }) => `${file}:${line}: "${truncate(quote, 300).text}"`),
      required: mandatory !== false,
    })),
  };
}

/** Returns a run as text, for a client that shows no app. */
export function askedText({ runId, headline: first, reason, gaps, more, open }: AskedRun): string {
  return [
    `${first} (run ${runId})`,
    reason,
    ...gaps.map(({ severity, place, text, fix }) => `- [${severity}] ${place} ${text} Fix: ${fix}`),
    ...(more === 0 ? [] : [`- and ${more} more gaps`]),
    ...open.map(({ name, question, why }) => `- undecided ${name}: ${question} ${why}`),
  ].join('\n');
}
