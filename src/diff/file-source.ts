/** Reads the files of a repository at one revision. */
export interface FileSource {
  /** Returns the text of a file; `undefined` if it is missing, not text, a link or too large. */
  readonly read: (
    path: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<string | undefined>;
  /** Returns the files of a folder, without those of its subfolders; '' is the top folder. */
  readonly list: (
    folder: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<readonly string[]>;
}
