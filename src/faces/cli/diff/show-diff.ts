import { createTwoFilesPatch } from 'diff';
import type { Artifact } from '../../../core/artifact.js';
import { ReviewLoopError } from '../../../core/errors.js';
import type { Gap } from '../../../core/gap.js';
import { plural } from '../../../core/plural.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import { nodeErrors } from '../../../node/errors.js';
import { type Paint, paintFor } from '../../../node/terminal/colours.js';
import { oneLine, sanitise } from '../../../node/terminal/sanitise.js';
import { usageError } from '../../cli-kit/errors.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import { tell } from '../../cli-kit/io.js';
import { findReviewed } from '../../cli-kit/reports/find-stored.js';
import { type RunVersions, readVersions } from '../../reports/run-folder.js';
import type { ReviewReport, RunReport } from '../../reports/run-report.js';

interface DiffSettings {
  readonly id: string;
  readonly reviews: readonly string[];
  readonly pager: boolean;
  readonly format: 'text' | 'json';
}

export async function showDiff({ io, store }: StoredCall, settings: DiffSettings): Promise<number> {
  const report = await findReviewed(store, settings.id);
  const versions = await readVersions(store.files, report.runId);
  const [first, second, ...rest] = settings.reviews;
  if (rest.length > 0) throw usageError('name at most two reviews', rest);
  const from = reviewOf(report, first, (reviews) => reviews[0]);
  const to = reviewOf(report, second, (reviews) => reviews.find(({ best }) => best));
  const patches = patchesOf(contentOf(versions, from), contentOf(versions, to));
  const closed = gapsBeside(from, to);
  const opened = gapsBeside(to, from);
  const paint = paintFor(io.colours);
  const lines = [
    `review ${from.iteration} to review ${to.iteration}: ${plural(patches.length, 'file')} changed`,
    ...patches.flatMap(({ patch }) => ['', ...coloured(patch, paint)]),
    ...gapLines('closed', closed),
    ...gapLines('new', opened),
  ];
  const { format, pager } = settings;
  const out = pager && format !== 'json' ? (io.page ?? io.out) : io.out;
  const data = { from: from.iteration, to: to.iteration, patches, closed, opened };
  return tell({ out }, format, { data, lines });
}

function reviewOf(
  { reviews, runId }: RunReport,
  number: string | undefined,
  otherwise: (reviews: readonly ReviewReport[]) => ReviewReport | undefined,
): ReviewReport {
  const found =
    number === undefined
      ? otherwise(reviews)
      : reviews.find(({ iteration }) => String(iteration) === number);
  if (found !== undefined) return found;
  const known = reviews.map(({ iteration }) => iteration).join(', ') || 'none';
  throw usageError(
    `run ${runId} has no review ${number ?? 'of its returned version'}; its reviews: ${known}`,
    number,
  );
}

function contentOf(
  versions: RunVersions,
  { version, iteration }: ReviewReport,
): readonly Artifact[] {
  const found = versions[version];
  if (found !== undefined) return found;
  throw new ReviewLoopError(
    nodeErrors.file_unreadable,
    `the version of review ${iteration} is not stored; only runs of \`reviewloop review\` store their versions`,
    { value: version },
  );
}

interface FilePatch {
  readonly path: string;
  readonly patch: string;
}

function patchesOf(from: readonly Artifact[], to: readonly Artifact[]): FilePatch[] {
  const left = new Map(from.map(({ path, content = '' }) => [path, content]));
  const right = new Map(to.map(({ path, content = '' }) => [path, content]));
  return [...new Set([...left.keys(), ...right.keys()])].sort().flatMap((path) => {
    const before = redactSecrets(left.get(path) ?? '');
    const after = redactSecrets(right.get(path) ?? '');
    if (before === after) return [];
    const names = [left.has(path) ? path : '/dev/null', right.has(path) ? path : '/dev/null'];
    const [a = path, b = path] = names;
    const patch = createTwoFilesPatch(a, b, before, after, '', '', { context: 3 });
    return [{ path, patch: patch.replace(/^Index: .*\n=+\n/, '') }];
  });
}

function coloured(patch: string, paint: Paint): string[] {
  return patch
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      const safe = sanitise(line);
      if (line.startsWith('+') && !line.startsWith('+++')) return paint('good', safe);
      if (line.startsWith('-') && !line.startsWith('---')) return paint('bad', safe);
      return line.startsWith('@@') ? paint('faint', safe) : safe;
    });
}

function gapsBeside(review: ReviewReport, other: ReviewReport): Gap[] {
  const known = new Set(other.gaps.map(({ id }) => id));
  return review.gaps.filter(({ id }) => !known.has(id));
}

function gapLines(word: string, gaps: readonly Gap[]): string[] {
  if (gaps.length === 0) return [];
  return [
    '',
    `${plural(gaps.length, `${word} gap`)}:`,
    ...gaps.map(({ severity, description }) => `  ${severity}  ${oneLine(description)}`),
  ];
}
