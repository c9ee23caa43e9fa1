import type { AgentOutput } from '../kernel/agent.js';
import { ReviewLoopError } from '../kernel/errors.js';
import { digestOfFile, writeFileAtomic } from '../system/files.js';
import type { SourceFile } from './read-inputs.js';

/** A file that is different in the best version. */
export interface ChangedFile {
  readonly source: SourceFile;
  readonly content: string;
}

/** The files that were read and are different in an output. What an output adds or leaves out is none of them. */
export function changedFiles(sources: readonly SourceFile[], output: AgentOutput | undefined): ChangedFile[] {
  const contents = new Map(output?.artifacts.map(({ path, content }) => [path, content]));
  return sources.flatMap((source) => {
    const content = contents.get(source.path);
    return content === undefined || content === source.artifact.content ? [] : [{ source, content }];
  });
}

/**
 * Writes changed files back where they were read. When one of them is no longer what was read, none is written.
 *
 * @returns The paths that were written.
 * @throws ReviewLoopError `file_changed`, `output_unwritable`
 */
export async function writeBack(changed: readonly ChangedFile[]): Promise<string[]> {
  const files = changed.filter(({ source }) => source.absolute !== '');
  for (const { source } of files) {
    if ((await digestOfFile(source.absolute)) === source.digest) continue;
    throw new ReviewLoopError('file_changed', `${source.path} was changed by someone else during the review, so nothing was written`, { value: source.path });
  }
  for (const { source, content } of files) await writeFileAtomic(source.absolute, `${source.bom ? '\ufeff' : ''}${content}`);
  return files.map(({ source }) => source.path);
}
