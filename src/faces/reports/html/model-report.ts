import type { Artifact } from '../../../core/artifact.js';
import { plural } from '../../../core/plural.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import type { RunReport } from '../run-report.js';
import { modelRun } from './model-run.js';
import type { HtmlReportOptions, ModelFile, ModelRun, ReportModel } from './report-model.js';

/** It has no secrets, and long texts are cut. */
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

/** In characters. */
const mostText = 2_000;

/** For a page, in characters. */
const mostPictures = 2_000_000;

/** For one version, in characters. */
const mostVersion = 2_000_000;

/** For all versions of a page, in characters. */
const mostContent = 8_000_000;

/** `cuts` says what was cut. */
function cutModel(
  model: Pick<ReportModel, 'title' | 'at' | 'runs'>,
): Omit<ReportModel, 'generator' | 'schemaVersion'> {
  const count: Cuts = { texts: 0, files: 0, left: 0, pictures: mostPictures };
  let left = mostContent;
  const runs = model.runs.map((run): ModelRun => {
    const { versions, ...rest } = run;
    const kept = Object.fromEntries(
      inOrder(run).flatMap((digest) => {
        const files = cutFiles(versions[digest] ?? [], Math.min(mostVersion, left));
        left -= files.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
        count.files += files.filter(({ cut }) => cut).length;
        return versions[digest] === undefined ? [] : [[digest, files]];
      }),
    );
    return { ...(cutTexts(rest, count) as typeof rest), versions: kept };
  });
  return { ...model, runs, cuts: cutWords(count) };
}

function inOrder({ reviews }: ModelRun): string[] {
  const best = reviews.filter((review) => review.best);
  const all = [...best, ...reviews.slice(0, 1), ...reviews.slice(-1), ...reviews];
  return [...new Set(all.map(({ version }) => version))];
}

function cutFiles(files: readonly ModelFile[], most: number): ModelFile[] {
  let left = most;
  return files.map(({ path, text }) => {
    if (text === null) return { path, text };
    const kept = text.slice(0, Math.max(0, left));
    left -= kept.length;
    if (kept.length === text.length) return { path, text };
    return { path, text: kept === '' ? null : kept, cut: true };
  });
}

function cutTexts(value: unknown, count: Cuts): unknown {
  if (typeof value === 'string') {
    if (value.length <= mostText) return value;
    count.texts += 1;
    return `${value.slice(0, mostText)}… (${value.length - mostText} more characters)`;
  }
  if (Array.isArray(value)) return value.map((item) => cutTexts(item, count));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'picture' && typeof member === 'string'
        ? keptPicture(member, count)
        : cutTexts(member, count),
    ]),
  );
}

/** Half a picture shows nothing. */
function keptPicture(picture: string, count: Cuts): string | undefined {
  if (picture.length <= count.pictures) {
    count.pictures -= picture.length;
    return picture;
  }
  count.left += 1;
  return undefined;
}

interface Cuts {
  texts: number;
  files: number;
  left: number;
  /** Characters left for pictures. */
  pictures: number;
}

function cutWords({ texts, files, left }: Readonly<Cuts>): string[] {
  return [
    ...(left === 0 ? [] : [`Pictures that are left out for the size of the page: ${left}.`]),
    ...(texts === 0 ? [] : [`Texts longer than ${mostText} characters are cut: ${texts}.`]),
    ...(files === 0 ? [] : [`Files whose content is cut for the size of the page: ${files}.`]),
  ];
}
