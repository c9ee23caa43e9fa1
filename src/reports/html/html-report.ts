import type { Artifact } from '../../core/artifact.js';
import { checkKeys, invalid } from '../../core/options.js';
import { plural } from '../../core/plural.js';
import { redactJson } from '../../redact/redact-json.js';
import { redactSecrets } from '../../redact/secrets.js';
import type { RunReport } from '../run-report.js';
import { cutModel } from './cut-model.js';
import { modelRun } from './model-run.js';
import { pageOf } from './page-of.js';
import type { AuditSummary, ModelFile, ModelRun } from './report-model.js';

/** Options of {@link htmlReport}. */
export interface HtmlReportOptions {
  /**
   * What the page contains of the reviewed work: `full` the text of the versions, `quotes` what
   * reviewers quote, `none` neither. Secrets are removed in any case.
   *
   * @default 'full'
   */
  readonly content?: 'none' | 'quotes' | 'full' | undefined;
  /** The content of versions, by the digest that their review names. @default none */
  readonly versions?: Readonly<Record<string, readonly Artifact[]>> | undefined;
  /** Commands that lead on from a run, by run id. @default none */
  readonly next?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The audit log of the runs. @default none */
  readonly audit?: AuditSummary | undefined;
  /** The title of the page. @default the name of the pipeline, or how many runs */
  readonly title?: string | undefined;
  /** The time that the page names, as ISO 8601. @default the time of the newest run */
  readonly at?: string | undefined;
}

const optionNames = ['content', 'versions', 'next', 'audit', 'title', 'at'];

/**
 * Returns one or more runs as one HTML page that needs no server and no network. It shows the
 * verdict first, then scores, gaps, requirements, versions, judges, time and people. Secrets are
 * removed. Texts over 2,000 characters, versions over 2 MB and pages over 10 MB are cut, and the
 * page says so.
 *
 * @param runs - One report, or several to compare; {@link runReport} makes one of an outcome.
 * @throws ReviewLoopError `invalid_options` if there is no run or an option is invalid
 * @example
 * ```ts
 * const outcome = await pipeline.run(task);
 * await writeFile('report.html', htmlReport(runReport(outcome)));
 * ```
 */
export function htmlReport(
  runs: RunReport | readonly RunReport[],
  options: HtmlReportOptions = {},
): string {
  checkKeys('htmlReport', options, optionNames);
  const { content = 'full' } = options;
  if (!['none', 'quotes', 'full'].includes(content))
    throw invalid('content', "'none', 'quotes' or 'full'", content);
  const reports: readonly RunReport[] = 'runId' in runs ? [runs] : runs;
  if (reports.length === 0) throw invalid('runs', 'at least one run', runs);
  const models = reports.map((report) =>
    modelRun(report, {
      versions: content === 'full' ? versionsOf(report, options.versions ?? {}) : {},
      next: options.next?.[report.runId] ?? [],
      audit: options.audit && {
        ...options.audit,
        records: options.audit.records.filter(({ runId }) => runId === report.runId),
      },
    }),
  );
  return pageOf(
    cutModel({
      title: shortTitle(redactSecrets(options.title ?? titleOf(models))),
      at: options.at ?? newestOf(models),
      runs: redactJson(content === 'none' ? models.map(withoutQuotes) : models),
    }),
  );
}

function newestOf(runs: readonly ModelRun[]): string {
  return (
    runs
      .map(({ at }) => at)
      .sort()
      .at(-1) ?? ''
  );
}

const mostTitle = 120;

function shortTitle(title: string): string {
  return title.length <= mostTitle ? title : `${title.slice(0, mostTitle)}…`;
}

function titleOf(runs: readonly ModelRun[]): string {
  const [first] = runs;
  return runs.length === 1 && first !== undefined
    ? `${first.pipeline} ${first.runId.slice(0, 13)}`
    : plural(runs.length, 'run');
}

function versionsOf(
  { reviews }: RunReport,
  versions: Readonly<Record<string, readonly Artifact[]>>,
): Record<string, readonly ModelFile[]> {
  return Object.fromEntries(
    reviews.flatMap(({ version }) => {
      const artifacts = versions[version];
      return artifacts === undefined
        ? []
        : [[version, artifacts.map(({ path, content = null }) => ({ path, text: content }))]];
    }),
  );
}

function withoutQuotes(run: ModelRun): ModelRun {
  return {
    ...run,
    gaps: Object.fromEntries(
      Object.entries(run.gaps).map(([id, { evidence: _, ...gap }]) => [id, gap]),
    ),
    requirements: run.requirements.map((one) => ({ ...one, evidence: [] })),
  };
}
