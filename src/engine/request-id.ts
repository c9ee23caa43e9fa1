import { hashText } from '../core/hash.js';

/** The id of a question: the same for the same run, place and version, in every process. */
export function requestId(runId: string, name: string, digest: string): string {
  return hashText(`${runId}\u0000${name}\u0000${digest}`).slice(0, 16);
}
