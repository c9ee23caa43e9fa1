/** What a person lets through, before it is known whether the run ends with it. */
export interface PendingOverride {
  readonly digest: string;
  /** Audits and records it. */
  readonly record: () => Promise<void>;
  /** Why it does not count. */
  refused?: unknown;
}
