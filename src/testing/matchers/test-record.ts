export interface TestRecordGap {
  readonly severity: string;
  readonly description: string;
  readonly file?: string;
  readonly line?: number;
  /** How to fix it. */
  readonly fix?: string;
}

/** What a matcher of this package found. A test has them in `task.meta.reviewloop`. */
export interface TestRecord {
  readonly matcher: 'toPass' | 'toBeApproved';
  /** The id of the criterion, or of the run. */
  readonly id: string;
  /** `pass`, `fail`, `skipped`, `undecided` or `errored` of a criterion; the status of a run. */
  readonly verdict: string;
  /** The score, from 0 to 1. A run has none where nothing was judged. */
  readonly score?: number;
  /** Why, for people. */
  readonly text: string;
  /** The open gaps, worst first. */
  readonly gaps: readonly TestRecordGap[];
  /** The path of the report, if one was written. */
  readonly report?: string;
}
