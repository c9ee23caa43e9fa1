import type { ReviewedVerdict } from './review-verdict.js';

/** What a text says by its markers. */
export interface ParsedVerdict {
  readonly verdict: ReviewedVerdict;
  /** What stands after the marker, or why there is no verdict. */
  readonly reason: string;
}

const marker =
  /^[ \t]*(REVIEW_PASSED|REVIEW_FIXED|REVIEW_FAILED)[ \t]*(?::[ \t]*([^\n]*?))?[ \t]*$/gim;
const verdicts = {
  REVIEW_PASSED: 'passed',
  REVIEW_FIXED: 'fixed',
  REVIEW_FAILED: 'failed',
} as const;

/**
 * Reads the verdict of a review in text. A marker stands on a line of its own, perhaps with a reason; what is inside of prose, a list or
 * a quote is none. The same marker twice is one; two different ones are an error; none is no verdict, and never a pass.
 */
export function parseVerdicts(text: string): ParsedVerdict {
  const found = new Map<keyof typeof verdicts, string>();
  for (const [, name = '', reason = ''] of text.replaceAll('\r\n', '\n').matchAll(marker)) {
    const known = name.toUpperCase() as keyof typeof verdicts;
    found.set(known, found.get(known) || reason);
  }
  if (text.trim() === '') return { verdict: 'not_run', reason: 'Review returned empty response' };
  if (found.size === 0)
    return {
      verdict: 'not_run',
      reason: 'the review has no verdict: no line is REVIEW_PASSED, REVIEW_FIXED or REVIEW_FAILED',
    };
  if (found.size > 1)
    return { verdict: 'error', reason: `conflicting verdicts: ${[...found.keys()].join(', ')}` };
  const [[name, reason] = ['REVIEW_FAILED', ''] as const] = found;
  return { verdict: verdicts[name], reason };
}

/** A text from which no marker can be read, for quoting earlier reviews to a reviewer. */
export function withoutMarkers(text: string): string {
  return text.replace(marker, (line) => line.replace(/REVIEW_/i, 'review '));
}
