import { cliErrors } from '../../cli-kit/errors.js';
import type { SourceFile } from '../../cli-kit/inputs/read-inputs.js';
import { ReviewLoopError } from '../../core/errors.js';
import { digestOfBytes, digestOfFile, writeFileAtomic } from '../../node/files.js';
import type { StoreFiles } from '../../node/store-file.js';
import { storedContent } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import type { AgentOutput } from '../../self-review/agent.js';
import type { RunRequest } from './run-request.js';

/** The path of a file to write, and the digest of the content that it must still have. */
export type WriteTarget = Pick<SourceFile, 'absolute' | 'path' | 'bom' | 'digest'>;

/** A file that differs in the best version. */
export interface ChangedFile {
  readonly source: WriteTarget;
  readonly content: string;
}

/**
 * Returns the files that were read and that an output changed, without added and removed files.
 */
export function changedFiles(
  sources: readonly SourceFile[],
  output: AgentOutput | undefined,
): ChangedFile[] {
  const contents = new Map(output?.artifacts.map(({ path, content }) => [path, content]));
  return sources.flatMap((source) => {
    const content = contents.get(source.path);
    return content === undefined || content === source.artifact.content
      ? []
      : [{ source, content }];
  });
}

/**
 * Writes changed files back to where they were read. If one of them has changed on the disk, it
 * writes none.
 *
 * @returns The paths that were written.
 * @throws ReviewLoopError `file_changed`, `output_unwritable`
 */
export async function writeBack(changed: readonly ChangedFile[]): Promise<string[]> {
  const files = changed.filter(({ source }) => source.absolute !== '');
  for (const { source } of files) {
    if ((await digestOfFile(source.absolute)) === source.digest) continue;
    throw new ReviewLoopError(
      cliErrors.file_changed,
      `${source.path} changed on the disk during the review; nothing was written`,
      { value: source.path },
    );
  }
  for (const { source, content } of files)
    await writeFileAtomic(source.absolute, onDisk(source, content), { shared: true });
  return files.map(({ source }) => source.path);
}

function onDisk({ bom }: Pick<WriteTarget, 'bom'>, content: string): string {
  return `${bom ? '\ufeff' : ''}${content}`;
}

export interface Answered {
  readonly request: RunRequest;
  readonly before: RunReport;
  /** The files of its store. */
  readonly files: StoreFiles;
}

/**
 * Returns the files that an output would change, compared with the content that was read or written
 * last.
 */
export async function changedSince(
  { request, before, files }: Answered,
  output: AgentOutput | undefined,
): Promise<ChangedFile[]> {
  const contents = new Map(output?.artifacts.map(({ path, content }) => [path, content]));
  const changed: ChangedFile[] = [];
  for (const file of request.files) {
    const content = contents.get(file.path);
    const written = before.written.includes(file.path)
      ? await storedContent(files, before.runId, file.path)
      : undefined;
    const digest = written === undefined ? file.onDisk : digestOfBytes(onDisk(file, written));
    if (content !== undefined && digestOfBytes(onDisk(file, content)) !== digest)
      changed.push({ source: { ...file, digest }, content });
  }
  return changed;
}
