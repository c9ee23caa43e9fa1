/** One candidate output. The digest is over its content: equal outputs are the same version. */
export interface Version<Output> {
  /** SHA-256 over the canonical JSON of the output. */
  readonly digest: string;
  /** The review that judges it, counted from 1. */
  readonly iteration: number;
  /** The digest of the version it was made from. */
  readonly parent?: string | undefined;
  /** A frozen copy. */
  readonly output: Output;
}
