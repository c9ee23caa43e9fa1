/** A file that `init` writes, changes or removes. */
export interface PlannedFile {
  /** Absolute. */
  readonly path: string;
  /** Its content now; `undefined` if it is missing. */
  readonly before: string | undefined;
  /** Its content afterwards; `undefined` if it is removed. */
  readonly after: string | undefined;
}
