import type { Place } from './page-place.js';

/** One thing that is wrong with a page. */
export interface Fault {
  readonly criterion: string;
  readonly description: string;
  readonly suggestedFix: string;
  readonly severity?: 'critical' | 'major' | 'minor' | undefined;
  readonly place?: Place | undefined;
  /** The width of the window that shows it. @default 1280 */
  readonly width?: number | undefined;
  /** The contrast that was found. */
  readonly ratio?: number | undefined;
  /** The rule, for criteria over the source that follow the same one. */
  readonly same?: { readonly rule: string; readonly act: readonly string[] } | undefined;
  /** A screenshot of the place, as a `data:` address. */
  readonly picture?: string | undefined;
}

/** What one criterion learns from a visit. */
export interface Look {
  /** How many things it judged. */
  readonly judged: number;
  readonly faults: readonly Fault[];
  /** What it could not tell, with the reasons. */
  readonly unsure?: readonly string[] | undefined;
  /** What it left out, with the reasons. It does not decide. */
  readonly aside?: readonly string[] | undefined;
  /** Why the criterion does not apply to the page. */
  readonly skipped?: string | undefined;
}

/** What all criteria read: one visit of a page. */
export interface PageVisit {
  readonly file: string;
  /** The browser and its version. */
  readonly browser: string;
  readonly fonts: readonly string[];
  readonly looks: Readonly<Record<string, Look>>;
}

/** Returns nothing judged, with the reason. */
export function skippedLook(reason: string): Look {
  return { judged: 0, faults: [], skipped: reason };
}
