import { withoutThoughts } from '../../blocks/models/answer/read-answer.js';
import type { ReviewedVerdict } from './review-answer.js';

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
 * The last line is the marker, optionally with a reason. Thoughts, code, comments, quotes, lists
 * and what a line with a colon introduces do not count. Different markers are an error; without a
 * marker the verdict is `not_run`.
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

/** A prompt can then contain an earlier review. */
export function withoutMarkers(text: string): string {
  return text.replace(/^([ \t]*)REVIEW_(?=(?:PASSED|FIXED|FAILED)[ \t]*(?:$|:))/gim, '$1review ');
}

type Ending = (line: string) => boolean;

/**
 * Returns the lines of a text that say something. Each line of a code block, comment, thought or
 * echoed fence is replaced by a mark. What does not end reaches to the end of the text. Only `\n`
 * ends a line.
 */
export function spokenLines(text: string): string[] {
  let ends: Ending | undefined;
  return text.split('\n').map((given) => {
    const line = given.endsWith('\r') ? given.slice(0, -1) : given;
    if (ends !== undefined) {
      if (ends(line)) ends = undefined;
      return mark;
    }
    ends = codeIn(line) ?? commentIn(line) ?? echoIn(line) ?? tagIn(line);
    return ends === undefined ? line : mark;
  });
}

/** Stands for a line that only shows something. It is not empty, so it may be the last line. */
const mark = '[shown]';

function codeIn(line: string): Ending | undefined {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  if (fence === undefined) return undefined;
  const sign = fence.slice(0, 1);
  if (sign === '`' && line.trimStart().slice(fence.length).includes(sign)) return undefined;
  return (later) => later.trim().startsWith(fence) && later.trim().replaceAll(sign, '') === '';
}

function commentIn(line: string): Ending | undefined {
  const begin = line.lastIndexOf('<!--');
  if (begin < 0 || line.includes('-->', begin)) return undefined;
  const isInCode = line.slice(0, begin).split('`').length % 2 === 0;
  return isInCode ? undefined : (later) => later.includes('-->');
}

function echoIn(line: string): Ending | undefined {
  const nonce = /^\s{0,20}<<<UNTRUSTED ([^ ]{0,200})/.exec(line)?.[1];
  return nonce === undefined ? undefined : (later) => later.includes(`<<<END ${nonce}>>>`);
}

function tagIn(line: string): Ending | undefined {
  const tag = /^\s{0,20}<(think|thinking|thought|reasoning|pre|code|blockquote)\b/i.exec(line)?.[1];
  if (tag === undefined) return undefined;
  const end = `</${tag.toLowerCase()}>`;
  const isEnd = (later: string): boolean => later.toLowerCase().includes(end);
  return isEnd(line) ? undefined : isEnd;
}
