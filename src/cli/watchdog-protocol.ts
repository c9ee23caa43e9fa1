import type { ReviewReport } from '../reports/run-report.js';

/** How the watchdog is started. */
export interface WatchdogSettings {
  /** How long the main thread may be silent. */
  readonly timeoutMs: number;
}

/** What the main thread tells its watchdog. Every message is a sign of life. */
export type WatchdogMessage =
  | { readonly kind: 'alive' }
  | { readonly kind: 'begin'; readonly reviewer: string }
  | { readonly kind: 'end'; readonly reviewer: string }
  | { readonly kind: 'answer'; readonly assessments: ReviewReport['assessments']; readonly gaps: ReviewReport['gaps'] }
  | { readonly kind: 'review'; readonly review: ReviewReport }
  /** Where to keep the run, and everything that is known of it before it starts. */
  | { readonly kind: 'run'; readonly file: string; readonly report: Readonly<Record<string, unknown>> };
