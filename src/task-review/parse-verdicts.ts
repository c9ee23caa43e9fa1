import type { ReviewedVerdict } from './review-verdict.js';

/** The verdict that markers in a text express. */
export interface ParsedVerdict {
  readonly verdict: ReviewedVerdict;
  /** The text after the marker, or the reason for a missing verdict. */
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
 * Reads the verdict of a review written as text. A marker is on its own line, optionally with a
 * reason. Prose, lists and quotes do not count. Different markers are an error; without a marker
 * the verdict is `not_run`.
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
      reason:
        'the review has no verdict: no line starts with REVIEW_PASSED, REVIEW_FIXED or REVIEW_FAILED',
    };
  if (found.size > 1)
    return { verdict: 'error', reason: `conflicting verdicts: ${[...found.keys()].join(', ')}` };
  const [[name, reason] = ['REVIEW_FAILED', ''] as const] = found;
  return { verdict: verdicts[name], reason };
}

/** Returns the text without markers. A prompt can then contain an earlier review. */
export function withoutMarkers(text: string): string {
  return text.replace(marker, (line) => line.replace(/REVIEW_/i, 'review '));
}
