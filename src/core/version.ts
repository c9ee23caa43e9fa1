import { hashText } from './hash.js';

/** The digest is over the content: equal outputs with equal trees are the same version. */
export interface Version<Output> {
  /** SHA-256 over the canonical JSON of the output and, with a workspace, over its tree. */
  readonly digest: string;
  /** The review that judges it, counted from 1. */
  readonly iteration: number;
  /** The digest of the version it was made from. */
  readonly parent?: string | undefined;
  /** A frozen copy. */
  readonly output: Output;
  /** The digest of the workspace's files at this version, if the pipeline has a workspace. */
  readonly tree?: string | undefined;
}

export function digestWith(digest: string, tree: string | undefined): string {
  return tree === undefined ? digest : hashText(`${digest}\u0000${tree}`);
}
