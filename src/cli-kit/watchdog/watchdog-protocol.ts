import type { ReviewReport } from '../../reports/run-report.js';

export interface WatchdogSettings {
  /** How long the main thread may be silent, in milliseconds. */
  readonly timeoutMs: number;
  /** What gives the terminal back if the process is ended. @default '' nothing changed it */
  readonly restore?: string | undefined;
}

/** A call of the user's code: of a criterion by its id, or of the configuration file. */
export type BlockingCall =
  | { readonly of: 'criterion'; readonly id: string }
  | { readonly of: 'configuration' };

/** A message from the main thread to its watchdog. Every message is a sign of life. */
export type WatchdogMessage =
  | { readonly kind: 'alive' }
  | { readonly kind: 'begin'; readonly call: BlockingCall }
  | { readonly kind: 'end'; readonly call: BlockingCall }
  | {
      readonly kind: 'answer';
      readonly assessments: ReviewReport['assessments'];
      readonly gaps: ReviewReport['gaps'];
    }
  | { readonly kind: 'review'; readonly review: ReviewReport }
  /** Where to store the run, and its report before it starts. */
  | {
      readonly kind: 'run';
      readonly file: string;
      readonly report: Readonly<Record<string, unknown>>;
    };
