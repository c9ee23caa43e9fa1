import type { Artifact } from '../../core/artifact.js';
import { checkKeys, invalid } from '../../core/options.js';
import { redactJson } from '../../redact/redact-json.js';
import type { RunReport } from '../run-report.js';

/** Options of the writers of machine formats. */
export interface FormatOptions {
  /**
   * The content of versions, by the digest that their review names. With it, places have columns.
   *
   * @default none: places have lines only
   */
  readonly versions?: Readonly<Record<string, readonly Artifact[]>> | undefined;
  /**
   * Returns the folder that the paths of a run are relative to, as seen from the root of the
   * repository, such as `packages/site`.
   *
   * @default the root
   */
  readonly folderOf?: ((run: RunReport) => string) | undefined;
  /**
   * Returns the file of a run's task and its text. Gaps without a file of their own are shown where
   * the task states their requirement.
   *
   * @default none: such gaps are shown in the first file of the run
   */
  readonly taskOf?: ((run: RunReport) => TaskFile | undefined) | undefined;
  /**
   * Whether gaps that do not count (waived, disputed, overridden) are written as suppressed, or left
   * out. GitHub opens an alert for suppressed ones too.
   *
   * @default 'suppress'
   */
  readonly waived?: 'suppress' | 'omit' | undefined;
}

/** The file of a task. */
export interface TaskFile {
  /** The path, relative to the root of the repository. */
  readonly file: string;
  readonly text: string;
}

const names = ['versions', 'folderOf', 'taskOf', 'waived'];

/**
 * Returns the runs as a list, without secrets.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function checkedRuns(
  writer: string,
  runs: RunReport | readonly RunReport[],
  { options, more = [] }: { readonly options: FormatOptions; readonly more?: readonly string[] },
): readonly RunReport[] {
  checkKeys(writer, options, [...names, ...more]);
  const { waived = 'suppress' } = options;
  if (waived !== 'suppress' && waived !== 'omit')
    throw invalid('waived', "'suppress' or 'omit'", waived);
  const list: readonly RunReport[] = 'runId' in runs ? [runs] : runs;
  if (list.length === 0) throw invalid('runs', 'at least one run', runs);
  return redactJson(list);
}
