/** An override whose version the run has not reached yet. */
export interface PendingOverride {
  readonly digest: string;
  /** Audits and records the override. */
  readonly record: () => Promise<void>;
  /** The error, if the override does not count. */
  refused?: unknown;
}
