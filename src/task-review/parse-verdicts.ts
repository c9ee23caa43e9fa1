import { withoutThoughts } from '../model/answer/read-answer.js';
import type { ReviewedVerdict } from './review-verdict.js';
import { spokenLines } from './spoken-lines.js';

export interface ParsedVerdict {
  readonly verdict: ReviewedVerdict;
  /** The text after the marker, or the reason for a missing verdict. */
  readonly reason: string;
}

const marker = /^ {0,3}REVIEW_(PASSED|FIXED|FAILED)(?![^ \t:])/i;
const verdicts = { PASSED: 'passed', FIXED: 'fixed', FAILED: 'failed' } as const;
type Name = keyof typeof verdicts;

interface Marker {
  readonly name: Name;
  readonly reason: string;
}

/**
 * Reads the verdict of a review written as text. The last line is the marker, optionally with a
 * reason. Thoughts, code, comments, quotes, lists and what a line with a colon introduces do not
 * count. Different markers are an error; without a marker the verdict is `not_run`.
 */
export function parseVerdicts(text: string): ParsedVerdict {
  const lines = spokenLines(withoutThoughts(text, '')).filter((line) => line.trim() !== '');
  if (text.trim() === '') return { verdict: 'not_run', reason: 'Review returned empty response' };
  const found = lines.flatMap((line) => markerOf(line) ?? []);
  const names = [...new Set(found.map(({ name }) => name))];
  if (names.length > 1)
    return {
      verdict: 'error',
      reason: `conflicting verdicts: ${names.map((name) => `REVIEW_${name}`).join(', ')}`,
    };
  const [name] = names;
  const reason = found.find((one) => one.reason !== '')?.reason ?? '';
  if (name === 'FAILED') return { verdict: 'failed', reason };
  if (name !== undefined && isLast(lines)) return { verdict: verdicts[name], reason };
  return {
    verdict: 'not_run',
    reason:
      'the review has no verdict: its last line must be REVIEW_PASSED, REVIEW_FIXED or ' +
      'REVIEW_FAILED, outside of code, quotes and lists',
  };
}

function markerOf(line: string): Marker | undefined {
  const match = marker.exec(line);
  if (match === null) return undefined;
  const rest = line.slice(match[0].length).trim();
  if (rest !== '' && !rest.startsWith(':')) return undefined;
  return { name: match[1]?.toUpperCase() as Name, reason: rest.slice(1).trim() };
}

/** Returns whether the last line is a marker that no line introduces or quotes. */
function isLast(lines: readonly string[]): boolean {
  const last = lines.at(-1) ?? '';
  const before = lines.at(-2) ?? '';
  if (markerOf(last) === undefined || /[:\uFF1A]$/.test(before.slice(-200).trimEnd())) return false;
  if (before.trimStart().startsWith('>')) return false;
  return !(last.startsWith(' ') && /^ {0,200}(?: |[-*+] |\d{1,9}[.)] )/.test(before));
}

/** Returns the text without markers. A prompt can then contain an earlier review. */
export function withoutMarkers(text: string): string {
  return text.replace(/^([ \t]*)REVIEW_(?=(?:PASSED|FIXED|FAILED)[ \t]*(?:$|:))/gim, '$1review ');
}
