import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';

/**
 * How bad a gap is: `critical` blocks completion, `major` should be fixed, `minor` is nice to fix.
 */
export const GapSeveritySchema = builtOnUse(() => z.enum(['critical', 'major', 'minor']));

/** How bad a gap is; in RFC 2119 words MUST, SHOULD, MAY. */
export type Severity = z.infer<typeof GapSeveritySchema>;

const ranks: Readonly<Record<Severity, number>> = { critical: 2, major: 1, minor: 0 };

/** Returns 2 for critical, 1 for major, 0 for minor. */
export function severityRank(severity: Severity): number {
  return ranks[severity];
}

/** Sorts the worst first. */
export function bySeverity(
  a: { readonly severity: Severity },
  b: { readonly severity: Severity },
): number {
  return ranks[b.severity] - ranks[a.severity];
}

/** Returns whether `severity` is as bad as `floor`, or worse. */
export function severityAtLeast(severity: Severity, floor: Severity): boolean {
  return ranks[severity] >= ranks[floor];
}
