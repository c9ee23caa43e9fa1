import { isOpen } from '../../core/gap.js';
import { truncate } from '../../core/text/truncate.js';
import { gapDescription, gapsByFile, placeOf } from '../reports/gap-order.js';
import type { RunReport } from '../reports/run-report.js';
import { type OpenQuestion, openQuestions } from '../reports/run-words.js';
import { headline, verdictOf } from '../reports/verdict-words.js';

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

export function askedRun(report: RunReport): AskedRun {
  const { runId, version = '' } = report;
  const gaps = gapsByFile(report.gaps.filter(isOpen));
  return {
    ...{ runId, version },
    headline: headline(report),
    reason: verdictOf(report).why,
    gaps: gaps.slice(0, most).map((gap) => ({
      severity: gap.severity,
      place: placeOf(gap),
      text: gapDescription(gap, report),
      fix: gap.suggestedFix,
    })),
    more: Math.max(0, gaps.length - most),
    open: openQuestions(report).slice(0, most),
  };
}

/** For a client that shows no app. */
export function askedText({ runId, headline: first, reason, gaps, more, open }: AskedRun): string {
  return [
    `${first} (run ${runId})`,
    reason,
    ...gaps.map(({ severity, place, text, fix }) => `- [${severity}] ${place} ${text} Fix: ${fix}`),
    ...(more === 0 ? [] : [`- and ${more} more gaps`]),
    ...open.map(({ id, text, why }) => `- undecided ${id}: ${text} ${why}`),
  ].join('\n');
}

export function passageText({ file, line, quote }: OpenQuestion['passages'][number]): string {
  return `${file}:${line}: "${truncate(quote, 300).text}"`;
}
