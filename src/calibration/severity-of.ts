import type { Severity } from '../core/severity.js';

/** A severity that was read from a text, or the text of an unknown one. */
export type ReadSeverity =
  | { readonly kind: 'known'; readonly severity: Severity; readonly word: string }
  | { readonly kind: 'unknown'; readonly text: string };

const words: Readonly<Record<Severity, readonly string[]>> = {
  critical: [
    'critical',
    'crit',
    'blocker',
    'blocking',
    'fatal',
    'severe',
    'emergency',
    'p0',
    's0',
    'sev0',
    'sev1',
    'must',
    'must not',
    'shall',
    'shall not',
    'required',
  ],
  major: [
    'high',
    'major',
    'important',
    'serious',
    'error',
    'medium',
    'moderate',
    'warning',
    'warn',
    'p1',
    'p2',
    's1',
    's2',
    'sev2',
    'sev3',
    'should',
    'should not',
    'recommended',
    'not recommended',
  ],
  minor: [
    'low',
    'minor',
    'nit',
    'nitpick',
    'trivial',
    'cosmetic',
    'style',
    'suggestion',
    'info',
    'informational',
    'information',
    'note',
    'notice',
    'hint',
    'p3',
    'p4',
    's3',
    's4',
    'sev4',
    'sev5',
    'may',
    'optional',
  ],
};

const meanings: ReadonlyMap<string, Severity> = new Map(
  (['critical', 'major', 'minor'] as const).flatMap((severity) =>
    words[severity].map((word) => [word, severity] as const),
  ),
);

/**
 * Reads a severity in the words of other tools: critical to low, blocker to nit, P0 to P4, MUST,
 * SHOULD and MAY. Any other text, or two severities, is unknown.
 *
 * @example
 * ```ts
 * severityOf('**High**'); // { kind: 'known', severity: 'major', word: 'high' }
 * ```
 */
export function severityOf(text: string): ReadSeverity {
  const unknown: ReadSeverity = { kind: 'unknown', text };
  if (typeof text !== 'string' || text.length > 200) return unknown;
  const word = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_*`"'[\]():.!#-]+/g, ' ')
    .replace(/\b(severity|priority|level)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const compact = word.replace(/^(p|s|sev) (\d)$/, '$1$2');
  const severity = meanings.get(compact);
  return severity === undefined ? unknown : { kind: 'known', severity, word: compact };
}

/** The number of texts by severity, and the unknown texts. */
export interface SeverityCounts {
  readonly counts: Readonly<Record<Severity, number>>;
  readonly unknown: readonly string[];
}

/** Counts severities in the words of other tools. */
export function countSeverities(texts: Iterable<string>): SeverityCounts {
  const counts = { critical: 0, major: 0, minor: 0 };
  const unknown: string[] = [];
  for (const text of texts) {
    const read = severityOf(text);
    if (read.kind === 'known') counts[read.severity] += 1;
    else unknown.push(read.text);
  }
  return { counts, unknown };
}
