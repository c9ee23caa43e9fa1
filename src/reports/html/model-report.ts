import type { Artifact } from '../../core/artifact.js';
import { plural } from '../../core/plural.js';
import { redactJson } from '../../redact/redact-json.js';
import { redactSecrets } from '../../redact/secrets.js';
import type { RunReport } from '../run-report.js';
import { cutModel } from './cut-model.js';
import type { HtmlReportOptions } from './html-report-options.js';
import { modelRun } from './model-run.js';
import type { ModelFile, ModelRun, ReportModel } from './report-model.js';

/** Returns what a page shows of runs, without secrets and with long texts cut. */
export function modelReport(
  reports: readonly RunReport[],
  options: HtmlReportOptions,
): Omit<ReportModel, 'generator' | 'schemaVersion'> {
  const { content = 'full' } = options;
  const models = reports.map((report) =>
    modelRun(report, {
      versions: content === 'full' ? versionsOf(report, options.versions ?? {}) : {},
      calibrations: options.calibrations ?? [],
      audit: options.audit && {
        ...options.audit,
        total: options.audit.total ?? options.audit.records.length,
        records: options.audit.records.filter(({ runId }) => runId === report.runId),
      },
    }),
  );
  return cutModel({
    title: shortTitle(redactSecrets(options.title ?? titleOf(models))),
    at: options.at ?? newestOf(models),
    runs: redactJson(content === 'none' ? models.map(withoutQuotes) : models),
  });
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
    ? `${first.verdict.word.split(':')[0]}: ${first.title}`
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
    gaps: run.gaps.map(({ evidence: _, picture: _picture, ...gap }) => ({
      ...gap,
      text: gap.description,
    })),
    questions: run.questions.map((one) => ({ ...one, passages: [] })),
    requirements: run.requirements.map((one) => ({ ...one, evidence: [] })),
  };
}
