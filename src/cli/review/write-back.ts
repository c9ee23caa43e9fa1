import { cliErrors } from '../../cli-kit/errors.js';
import type { SourceFile } from '../../cli-kit/inputs/read-inputs.js';
import { ReviewLoopError } from '../../core/errors.js';
import { digestOf } from '../../core/json.js';
import type { Outcome } from '../../core/outcome.js';
import { digestOfBytes, digestOfFile, writeFileAtomic } from '../../node/files.js';
import type { StoreFiles } from '../../node/store-file.js';
import { storedContent } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import type { AgentOutput } from '../../self-review/agent.js';
import type { RunRequest } from './run-request.js';

/** The path of a file to write, and the digest of the content that it must still have. */
type WriteTarget = Pick<SourceFile, 'absolute' | 'path' | 'bom' | 'digest'>;

/** A file that differs in the best version. */
interface ChangedFile {
  readonly source: WriteTarget;
  readonly content: string;
}

/**
 * Writes changed files back to where they were read. If one of them has changed on the disk, it
 * writes none.
 *
 * @returns The paths that were written.
 * @throws ReviewLoopError `file_changed`, `output_unwritable`
 */
async function writeBack(changed: readonly ChangedFile[]): Promise<string[]> {
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

/** A run whose version is written back: its request, and its last report if it went on. */
export interface WrittenRun {
  readonly request: RunRequest;
  readonly before: RunReport | undefined;
  /** The files of its store. */
  readonly files: StoreFiles;
}

/**
 * Writes the version of a run back if it was started with `--write`. A file is compared with the
 * content that was read or written last.
 *
 * @returns The paths that contain the version, from now or from before.
 * @throws ReviewLoopError `file_changed`, `output_unwritable`
 */
export async function writtenBack(
  run: WrittenRun,
  { status, output }: Pick<Outcome<AgentOutput>, 'status' | 'output'>,
): Promise<string[]> {
  const { request, before } = run;
  if (!request.write || status === 'cancelled') return [];
  const now = await writeBack(await changesOf(run, output));
  return request.files
    .map(({ path }) => path)
    .filter((path) => now.includes(path) || before?.written.includes(path) === true);
}

async function changesOf(
  { request, before, files }: WrittenRun,
  output: AgentOutput | undefined,
): Promise<ChangedFile[]> {
  const contents = contentsOf(output);
  const changed: ChangedFile[] = [];
  for (const file of request.files) {
    const content = contents.get(file.path);
    if (content === undefined) continue;
    const written =
      before?.written.includes(file.path) === true
        ? await storedContent(files, before.runId, file.path)
        : undefined;
    if (written === undefined ? digestOf(content) === file.digest : content === written) continue;
    const digest = written === undefined ? file.onDisk : digestOfBytes(onDisk(file, written));
    changed.push({ source: { ...file, digest }, content });
  }
  return changed;
}

/** Returns the paths of the files that an output changed, without added and removed files. */
export function changedPaths({ files }: RunRequest, output: AgentOutput | undefined): string[] {
  const contents = contentsOf(output);
  return files.flatMap(({ path, digest }) => {
    const content = contents.get(path);
    return content === undefined || digestOf(content) === digest ? [] : [path];
  });
}

function contentsOf(output: AgentOutput | undefined): ReadonlyMap<string, string | undefined> {
  return new Map(output?.artifacts.map(({ path, content }) => [path, content]));
}
