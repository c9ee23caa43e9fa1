/** Collects the figures and targets of a bench. */
export declare class Report {
  readonly targets: readonly Readonly<Record<string, unknown>>[];
  /** Says whether bench/README.md has these figures in a row, by a quarter. */
  page(row: string, values: readonly number[]): void;
}
