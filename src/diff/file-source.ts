/** Reads the files of a repository, in one state. */
export interface FileSource {
  /** The text of a file; `undefined` for a file that is missing, binary, a link, or too large. */
  readonly read: (
    path: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<string | undefined>;
  /** The files in a folder, without those in its folders; '' is the top. */
  readonly list: (
    folder: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<readonly string[]>;
}
