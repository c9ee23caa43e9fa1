import { plural } from '../../core/plural.js';
import { redactSecrets } from '../../redact/secrets.js';
import { gapDescription } from '../../reports/gap-description.js';
import { placeOf } from '../../reports/gap-order.js';
import { headline, isSingle } from '../../reports/headline.js';
import type { ReviewReport, RunReport } from '../../reports/run-report.js';
import { scoreTexts } from '../../reports/score-text.js';
import { countsText, verdictCounts } from '../../reports/verdict-counts.js';
import { voteRows } from '../../reports/vote-rows.js';
import type { Paint } from '../../terminal/paint.js';
import { oneLine } from '../../terminal/sanitise.js';
import { type TableOptions, tableOf } from '../../terminal/table.js';
import { criterionOf, gapLines } from './gap-lines.js';
import { questionLines } from './next-command.js';
import { requirementLines, undecidedLines } from './requirement-lines.js';

/** Options of {@link renderReport}. */
export interface RenderOptions {
  /** Columns of the terminal; `undefined` for lines of any length. */
  readonly columns: number | undefined;
  readonly paint: Paint;
  /** The folder of the run. */
  readonly folder: string | undefined;
  /** The next command, then other ways on. */
  readonly next: readonly [string, ...string[]];
}

/**
 * Returns a run as text: the decision with its reason, files, scores, fixes, requirements, gaps with
 * their fixes, what is undecided, and at the end the next command.
 */
export function renderReport(report: RunReport, options: RenderOptions): string {
  const inner = { columns: options.columns && options.columns - 2 };
  const { chosen, reason } = report.criteria;
  const tone = report.checksPassed ? 'minor' : report.exitCode === 0 ? 'good' : 'bad';
  const decision = options.paint(tone, oneLine(headline(report)));
  const blocks = [
    report.status === 'suspended' ? [] : [decision],
    [
      oneLine(
        `reviewed ${plural(report.files.length, 'file')} against ${report.task.source}` +
          (chosen.length === 0 ? '' : ` with ${chosen.join(', ')} (${reason})`),
      ),
      ...(report.criteria.why ?? []).map((line) => `  ${oneLine(line)}`),
      ...requirementsLines(report),
    ],
    scoreLines(report, options),
    titled('fixed:', fixedLines(report, inner)),
    titled(
      'not reviewed:',
      tableOf(
        report.notReviewed.map(({ path, reason }) => [path, reason]),
        inner,
      ),
    ),
    requirementLines(report, options),
    gapLines(report, options),
    titled('failed without a gap:', tableOf(findingRows(report), inner)),
    titled(
      'judges that failed:',
      tableOf(
        report.failures.map(({ criterion, text }) => [criterion, text]),
        inner,
      ),
    ),
    undecidedLines(report, options),
    titled('votes:', voteLines(report, inner)),
    fileLines(report),
    endLines(report, decision, options),
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

/** Returns what failed and raised no gap, as the checks and the review of a task do. */
function findingRows({ reviews, gaps }: RunReport): string[][] {
  const raised = new Set(gaps.map(criterionOf));
  return (reviews.find(({ best }) => best)?.assessments ?? []).flatMap(
    ({ criterion, verdict, text }) =>
      verdict === 'fail' && !raised.has(criterion)
        ? text.split('\n').map((line, index) => [index === 0 ? criterion : '', line])
        : [],
  );
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function scoreLines({ reviews, counts }: RunReport, options: RenderOptions): string[] {
  const rows = reviews.map((review) => {
    const { iteration, scores, gaps, closed = [], best, reused } = review;
    if (scores.total === 0 && review.assessments.length > 0) return unscoredRow(review);
    const { overall, quality, completeness, correctness } = scoreTexts(scores);
    const gone = closed.filter(({ lifecycle }) => lifecycle === 'gone').length;
    return [
      `review ${iteration}`,
      `overall ${overall}`,
      `quality ${quality}`,
      `completeness ${completeness}`,
      `correctness ${correctness}`,
      plural(gaps.length, 'gap') +
        (gone === 0 ? '' : `, ${gone} gone`) +
        (gone === closed.length ? '' : `, ${closed.length - gone} unknown`) +
        (best && reviews.length > 1 ? ', the best' : '') +
        (reused === undefined ? '' : `, ${plural(reused.verdicts, 'verdict')} reused`),
    ];
  });
  return [
    // a score that lost its name would say nothing
    ...tableOf(rows, { columns: options.columns, widest: 60 }),
    ...(counts === undefined ? [] : [`checks: ${countsText(counts)}`]),
  ];
}

/** Returns a review whose verdicts have no scores, as those of a task: its end and its verdicts. */
function unscoredRow({ iteration, decision, assessments }: ReviewReport): string[] {
  const counts = countsText(verdictCounts(assessments));
  return [`review ${iteration}`, decision.kind, counts];
}

const mostVotes = 20;

function voteLines({ reviews }: RunReport, options: TableOptions): string[] {
  const shown = reviews.find(({ best }) => best) ?? reviews.at(-1);
  const rows = voteRows(shown === undefined ? [] : [shown]);
  const more = rows.length - mostVotes;
  return [
    ...tableOf(
      rows.slice(0, mostVotes).map(({ criterion, text, votes }) => [criterion, text, votes]),
      options,
    ),
    ...(more > 0 ? [`and ${more} more in review.json`] : []),
  ];
}

function fixedLines(report: RunReport, options: TableOptions): string[] {
  return tableOf(
    report.fixed.map(({ gap, by, iteration }) => [
      placeOf(gap),
      criterionOf(gap),
      `${gapDescription(gap, report)} ` +
        `(by ${by === 'fixer' ? 'its fixer' : 'the revision'} after review ${iteration - 1})`,
    ]),
    options,
  );
}

function fileLines({ changed, written }: RunReport): string[] {
  if (written.length > 0) return [`written: ${oneLine(written.join(', '))}`];
  return changed.length > 0 ? [`changed, not written: ${oneLine(changed.join(', '))}`] : [];
}

function endLines(
  report: RunReport,
  decision: string,
  { folder, next: [next, ...ways] }: RenderOptions,
): string[] {
  const { acceptance, status } = report;
  const lines = [
    ...(acceptance === undefined
      ? []
      : [`accepted by: ${acceptance.by} (${acceptance.kind}): ${acceptance.reason}`]),
    ...(status === 'suspended' ? [] : [`why: ${whyOf(report)}`]),
    ...(folder === undefined ? [] : [`stored: ${folder}`]),
  ];
  return [
    ...lines.map(oneLine),
    ...(status === 'suspended' ? [decision, ...questionLines(report).map(oneLine)] : []),
    // the command may contain the text of the task
    `next: ${oneLine(redactSecrets(next))}`,
    ...ways.map((way) => `  or: ${oneLine(redactSecrets(way))}`),
  ];
}

function whyOf(report: RunReport): string {
  const { status, decidedBy, reason } = report;
  const rejected = `rejected by ${decidedBy}`;
  if (status === 'rejected' && decidedBy !== undefined)
    return reason === rejected ? reason : `${rejected}: ${reason}`;
  return isSingle(report) ? (report.reviews[0]?.decision.reason ?? report.reason) : report.reason;
}
