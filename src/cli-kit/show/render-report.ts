import { countOf, type Gap, isOpen } from '../../core/gap.js';
import { requirementPrefix } from '../../core/scores.js';
import { bySeverity } from '../../core/severity.js';
import type { RunReport } from '../../reports/run-report.js';
import { placeOf } from '../../reports/summary-markdown.js';
import { traceabilityMatrix } from '../../requirements/traceability.js';
import type { Paint } from '../../terminal/paint.js';
import { oneLine } from '../../terminal/sanitise.js';
import { tableOf } from '../../terminal/table.js';
import { questionLines } from './next-command.js';
import { plural, showScore } from './short-texts.js';

/** Options of {@link renderReport}. */
export interface RenderOptions {
  /** Columns of the terminal; `undefined` for lines of any length. */
  readonly columns: number | undefined;
  readonly paint: Paint;
  /** The folder of the run. */
  readonly folder: string | undefined;
  /** The next command. */
  readonly next: string;
}

/**
 * Returns a run as text: files, scores, fixes, coverage, and at the end the decision, its reason
 * and the next command.
 */
export function renderReport(report: RunReport, options: RenderOptions): string {
  const blocks = [
    [
      oneLine(
        `reviewed ${plural(report.files.length, 'file')} against ${report.task.source} ` +
          `with ${report.criteria.chosen.join(', ')} (${report.criteria.reason})`,
      ),
      ...(report.criteria.why ?? []).map((line) => `  ${oneLine(line)}`),
      ...requirementsLines(report),
    ],
    scoreLines(report, options),
    titled(
      'fixed:',
      tableOf(
        report.fixed.map(({ gap, by, iteration }) => [
          `  ${placeOf(gap)}`,
          criterionOf(gap),
          `${descriptionOf(gap, report)} ` +
            `(by ${by === 'fixer' ? 'its fixer' : 'the revision'} after review ${iteration - 1})`,
        ]),
        options,
      ),
    ),
    coverageLines(report, options),
    titled(
      'without a verdict:',
      tableOf(
        report.failures.map(({ criterion, text }) => [`  ${criterion}`, text]),
        options,
      ),
    ),
    titled(
      'not reviewed:',
      tableOf(
        report.notReviewed.map(({ path, reason }) => [`  ${path}`, reason]),
        options,
      ),
    ),
    fileLines(report),
    [...decisionLines(report, options)],
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

/** Returns where the requirements are listed, and whether that list is old. */
function requirementsLines({ requirements }: RunReport): string[] {
  if (requirements === undefined) return [];
  const { file, judged, leftOut, warning } = requirements;
  const out = leftOut.length === 0 ? '' : `, ${leftOut.length} left out`;
  return [
    `  ${oneLine(`${plural(judged, 'requirement')} of ${file}${out}`)}`,
    ...(warning === undefined ? [] : [oneLine(`warning: ${warning}`)]),
  ];
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0
    ? []
    : [title, ...lines.map((line) => (line.startsWith('  ') ? line : `  ${line}`))];
}

function scoreLines({ reviews }: RunReport, options: RenderOptions): string[] {
  const rows = reviews.map(({ iteration, scores, gaps, best, reused }) => [
    `review ${iteration}`,
    `overall ${showScore(scores.overall)}`,
    `quality ${showScore(scores.quality)}`,
    `completeness ${showScore(scores.completeness)}`,
    `correctness ${showScore(scores.correctness)}`,
    plural(gaps.length, 'gap') +
      (best && reviews.length > 1 ? ', the best' : '') +
      (reused === undefined ? '' : `, ${plural(reused.verdicts, 'verdict')} reused`),
  ]);
  return tableOf(rows, options);
}

function coverageLines({ coverage }: RunReport, options: RenderOptions): readonly string[] {
  const { rows, counts } = traceabilityMatrix(coverage);
  const lines = rows.map(({ state, cells, location, requirement }) => [
    `  ${stateWords[state]}`,
    placesOf(Object.values(cells), location),
    requirement,
  ]);
  const unsure = counts.unsure === 0 ? '' : `, ${counts.unsure} unsure`;
  return titled(
    `requirements: ${counts.covered} of ${coverage.length} covered${unsure}`,
    tableOf(lines, options),
  );
}

const stateWords = { covered: 'yes', uncovered: 'no', unsure: 'unsure' } as const;

/** Returns the best place, and how many other artifacts have evidence. */
function placesOf(cells: readonly unknown[], location: string | undefined): string {
  const others = cells.length > 1 ? ` +${cells.length - 1}` : '';
  return location === undefined ? '' : `${location}${others}`;
}

function fileLines({ changed, written }: RunReport): string[] {
  if (written.length > 0) return [`written: ${oneLine(written.join(', '))}`];
  return changed.length > 0 ? [`changed, not written: ${oneLine(changed.join(', '))}`] : [];
}

function* decisionLines(report: RunReport, options: RenderOptions): Generator<string> {
  const { paint } = options;
  const suspended = report.status === 'suspended';
  const decision = paint(report.exitCode === 0 ? 'good' : 'bad', oneLine(headline(report)));
  if (!suspended) yield decision;
  const gaps = [...report.gaps].sort(byPlace).sort(bySeverity);
  const lines = tableOf(
    gaps.map((gap) => [
      placeOf(gap) || (gap.affectedRequirement === undefined ? '-' : 'task'),
      gap.severity,
      criterionOf(gap),
      descriptionOf(gap, report) + (isOpen(gap) ? '' : ` (${gap.standing})`),
    ]),
    options,
  );
  for (const [index, line] of lines.entries())
    yield paintSeverity(line, gaps[index]?.severity, paint);
  if (report.acceptance !== undefined)
    yield oneLine(
      `accepted by: ${report.acceptance.by} (${report.acceptance.kind}): ${report.acceptance.reason}`,
    );
  if (!suspended) yield oneLine(`why: ${whyOf(report)}`);
  if (options.folder !== undefined) yield oneLine(`stored: ${options.folder}`);
  if (suspended) yield* [decision, ...questionLines(report).map(oneLine)];
  yield `next: ${oneLine(options.next)}`;
}

function paintSeverity(line: string, severity: Gap['severity'] | undefined, paint: Paint): string {
  return severity === undefined
    ? line
    : line.replace(
        new RegExp(`(  )(${severity})(?=  )`),
        (_, space: string, word: string) => `${space}${paint(severity, word)}`,
      );
}

/** Returns the decision in one line. */
export function headline(report: RunReport): string {
  const { status, approved, reviews, notReviewed } = report;
  const left =
    notReviewed.length === 0 ? '' : `; ${plural(notReviewed.length, 'file')} not reviewed`;
  const open = gapCounts(report.gaps);
  if (approved)
    return `APPROVED: ${report.exitCode === 0 ? '' : 'but --fail-on found '}${open}${left}`;
  if (status === 'suspended') return `SUSPENDED: ${report.reason}`;
  if (status === 'accepted') return `ACCEPTED, not approved by reviewers: ${open}${left}`;
  const best = reviews.length > 1 ? `, best of ${reviews.length} versions` : '';
  return `NOT APPROVED${isSingle(report) ? '' : ` (${status})`}: ${open}${best}${left}`;
}

/** Returns whether the run was one review without a loop. */
function isSingle({ reviews, code }: RunReport): boolean {
  return reviews.length === 1 && code === 'iterations';
}

function whyOf(report: RunReport): string {
  return isSingle(report) ? (report.reviews[0]?.decision.reason ?? report.reason) : report.reason;
}

/** Returns the numbers of open, disputed and waived gaps as text. */
function gapCounts(gaps: readonly Gap[]): string {
  const open = gaps.filter(isOpen);
  const counts = (['critical', 'major', 'minor'] as const)
    .map((severity) => [severity, countOf(open, severity)] as const)
    .filter(([, count]) => count > 0);
  const closed = (['disputed', 'waived'] as const)
    .map((standing) => [standing, gaps.filter((gap) => gap.standing === standing).length] as const)
    .filter(([, count]) => count > 0);
  const more = closed.map(([standing, count]) => `, ${count} ${standing}`).join('');
  if (counts.length === 0) return more === '' ? 'no gaps' : `no open gaps${more}`;
  const listed = counts.map(([severity, count]) => `${count} ${severity}`).join(', ');
  return `${listed} ${open.length === 1 ? 'gap' : 'gaps'}${more}`;
}

/** Returns the description without the criterion's name, which the line already shows. */
function descriptionOf({ criterionId = '', description }: Gap, { criteria }: RunReport): string {
  const start = `${criteria.names[criterionId] ?? criterionId}: `;
  return description.startsWith(start) ? description.slice(start.length) : description;
}

function criterionOf({ criterionId = '' }: Gap): string {
  return criterionId.startsWith(requirementPrefix) ? 'requirement' : criterionId;
}

function byPlace(a: Gap, b: Gap): number {
  const files = [a, b].map((gap) => gap.location?.file ?? gap.affectedArtifact ?? '');
  if (files[0] !== files[1]) return String(files[0]) < String(files[1]) ? -1 : 1;
  return (a.location?.line ?? 0) - (b.location?.line ?? 0);
}
