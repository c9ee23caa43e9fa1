import { plural } from '../../../core/plural.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import { oneLine, sanitise } from '../../../node/terminal/sanitise.js';
import { cut, pad, tableOf, widthOf } from '../../../node/terminal/table.js';
import { gapDescription, placeOf } from '../../reports/gap-order.js';
import type { RunReport } from '../../reports/run-report.js';
import { costText, openQuestions, taskTitle } from '../../reports/run-words.js';
import { scoreTexts } from '../../reports/score-text.js';
import { timeText } from '../../reports/shown-text.js';
import { countsText, coverageWord, failedRequirements } from '../../reports/verdict-counts.js';
import { gapLives, gapTotals, returnedVersion, versionText } from '../../reports/version-words.js';
import { voteRows } from '../../reports/vote-rows.js';
import { durationText } from './live-view.js';
import { nextLines } from './next-command.js';
import { criterionOf, openLines } from './open-lines.js';
import { joined, type RenderOptions, verdictLines } from './render-report.js';

export const runParts = ['gaps', 'requirements', 'judges', 'task', 'next'] as const;
export type RunPart = (typeof runParts)[number];

/** The most lines of a screen without its prompt, and those that its lists of what is open get at least. */
const mostLines = 23;
const leastLists = 5;

/** With fewer lines, requirements are only counted. */
const leastRequirements = 4;

export function renderRun(
  report: RunReport,
  options: RenderOptions,
  parts: readonly RunPart[] = [],
): string {
  const { columns, show } = options;
  const head = headLines(report, options);
  if (parts.length > 0)
    return joined([head, ...parts.map((part) => partLines[part](report, options))]);
  const top = [...head, ...verdictLines(report, options)];
  const end = [
    ...nextLines(report, { columns, show }),
    `more: ${runParts.map((part) => `--${part}`).join('  ')}`,
  ];
  // an empty line stands between two blocks
  const left =
    columns === undefined ? Number.POSITIVE_INFINITY : mostLines - top.length - end.length - 4;
  const figures = figureLines(report, options).slice(0, Math.max(0, left - leastLists));
  const room = left - figures.length;
  const requirements = requirementLines(report, options, report.gaps.length > 0 ? room / 2 : room);
  const most = columns === undefined ? undefined : Math.max(2, room - requirements.length);
  const blocks = [top, figures];
  return joined([
    ...blocks,
    requirements,
    openLines({ ...report, undecided: [], notReviewed: [] }, { ...options, most }),
    end,
  ]);
}

function headLines(report: RunReport, { columns }: RenderOptions): string[] {
  const { runId, at, durationMs } = report;
  const title = oneLine(redactSecrets(taskTitle(report)));
  const end = `${runId}  ${timeText(at)}  ${durationText(durationMs)}`;
  if (columns === undefined) return [`${title}  ${end}`];
  const room = columns - widthOf(end) - 2;
  return room < widthOf(title) ? [cut(title, columns), end] : [`${pad(title, room)}  ${end}`];
}

function figureLines(report: RunReport, { columns, folder = '' }: RenderOptions): string[] {
  const { counts, usage, notReviewed, written, changed, status, code } = report;
  const left = notReviewed.map(({ path, reason }) => `${path} (${reason})`);
  const rows = [
    ['status', `${status} (${code})`],
    ['came back', versionText(returnedVersion(report))],
    ['open', openText(report)],
    ['gaps', gapTotals(report)],
    ['verdicts', counts === undefined ? '' : countsText(counts)],
    ['scores', scoresText(report)],
    ['cost', costText(usage ?? {})],
    ['repaired', fixedText(report)],
    ['written', written.join(', ')],
    ['changed', written.length > 0 ? '' : changed.join(', ')],
    ['left out', left.join(', ')],
    ['stored', folder],
  ];
  const known = rows.map((row) => row.map((cell = '') => cell)).filter(([, text]) => text !== '');
  return tableOf(known, { columns });
}

function scoresText({ scores }: RunReport): string {
  if (scores === undefined || scores.total === 0) return '';
  const { overall, quality, completeness, correctness } = scoreTexts(scores);
  return `overall ${overall}, quality ${quality}, completeness ${completeness}, correctness ${correctness}`;
}

function openText(report: RunReport): string {
  const open = openQuestions(report);
  const named = (must: boolean): string =>
    open
      .filter((one) => one.must === must)
      .map(({ id }) => id)
      .join(', ');
  return [
    ...(named(true) === '' ? [] : [`${named(true)} must be decided`]),
    ...(named(false) === '' ? [] : [`${named(false)} may stay open`]),
  ].join('; ');
}

function fixedText({ fixed }: RunReport): string {
  if (fixed.length === 0) return '';
  const byRule = fixed.filter(({ by }) => by === 'fixer').length;
  return `${byRule} by a rule, ${fixed.length - byRule} by a revision`;
}

const signs = { satisfied: '✓', violated: '✗', undecided: '?' } as const;

function requirementLines(
  report: RunReport,
  { columns, show }: RenderOptions,
  most = Number.POSITIVE_INFINITY,
): string[] {
  const { coverage } = report;
  const title = `requirements (${requirementCounts(report)})`;
  if (coverage.length === 0) return [];
  const isWhole = coverage.length + 1 <= most;
  if (!isWhole && most < leastRequirements) return [`${title}: ${show(' --requirements')}`];
  const shown = isWhole ? coverage : coverage.slice(0, Math.floor(most) - 2);
  const open = new Map(openQuestions(report).map((one) => [one.id, one]));
  const rows = shown.map((entry) => {
    const word = coverageWord(entry);
    const question = open.get(entry.id ?? '');
    const who =
      word === 'undecided'
        ? `nobody${question?.must === false ? ', optional' : ''}`
        : (entry.decidedBy ?? 'words');
    return { left: `  ${signs[word]} ${pad(entry.id ?? '', 3)}  `, text: entry.requirement, who };
  });
  const width = Math.max(0, ...rows.map(({ who }) => widthOf(oneLine(who))));
  const more = coverage.length - shown.length;
  return [
    title,
    ...rows.map(({ left, text, who }) => {
      if (columns === undefined) return `${left}${oneLine(text)} (${oneLine(who)})`;
      const room = Math.max(20, columns - widthOf(left) - width - 2);
      return `${left}${pad(cut(oneLine(text), room), room)}  ${cut(oneLine(who), columns - room - widthOf(left) - 2)}`;
    }),
    ...(more === 0 ? [] : [`  ${more} more: ${show(' --requirements')}`]),
  ];
}

function requirementCounts(report: RunReport): string {
  const { coverage } = report;
  const counts = (['satisfied', 'violated', 'undecided'] as const).map(
    (word) => [coverage.filter((entry) => coverageWord(entry) === word).length, word] as const,
  );
  return [...counts, [failedRequirements(report).length, 'without a verdict'] as const]
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}

const partLines: Readonly<
  Record<RunPart, (report: RunReport, options: RenderOptions) => readonly string[]>
> = {
  gaps: (report, options) => [
    `gaps: ${gapTotals(report)}`,
    ...openLines(
      { ...report, undecided: [], failures: [], notReviewed: [], requests: [] },
      options,
    ),
    ...lifeLines(report, options.columns),
  ],
  requirements: (report, options) => requirementLines(report, options),
  judges: judgeLines,
  task: ({ task, requirements }) => [
    oneLine(task.source),
    ...sanitise(redactSecrets(task.text ?? 'its text is not stored')).split('\n'),
    ...(requirements === undefined
      ? []
      : [
          oneLine(
            `${plural(requirements.judged, 'requirement')} of ${requirements.file}, ${requirements.leftOut.length} left out`,
          ),
        ]),
  ],
  next: (report) => nextLines(report),
};

/** What became of gaps that are not open any more. */
function lifeLines(report: RunReport, columns: number | undefined): string[] {
  const byRule = new Set(report.fixed.filter(({ by }) => by === 'fixer').map(({ gap }) => gap.id));
  const rows = gapLives(report).flatMap(({ gap, states }) => {
    const at = states.findLastIndex((state) => state !== '');
    const state = states[at] ?? '';
    if (state !== 'fixed' && state !== 'no longer there' && state !== 'unknown') return [];
    const by = state === 'fixed' && byRule.has(gap.id) ? ' by rule' : '';
    return [
      [
        placeOf(gap),
        criterionOf(gap),
        `${state}${by}, v${report.reviews[at]?.iteration}`,
        gapDescription(gap, report),
      ],
    ];
  });
  return rows.length === 0
    ? []
    : ['closed', ...tableOf(rows, { columns: columns && columns - 2 }).map((line) => `  ${line}`)];
}

function judgeLines(report: RunReport, { columns }: RenderOptions): string[] {
  const { criteria, reviews, judges = [] } = report;
  const shown = reviews.find(({ best }) => best) ?? reviews.at(-1);
  const found = judges.filter(
    ({ failed, undecided, errored, usage }) =>
      failed + undecided + errored > 0 || costText(usage ?? {}) !== '',
  );
  const rows = found.map(({ id, passed, failed, undecided, errored, skipped, usage }) => [
    id,
    countsText({ passed, failed, undecided, errored, skipped }),
    costText(usage ?? {}),
  ]);
  const votes = voteRows(shown === undefined ? [] : [shown]);
  const quiet = judges.length - found.length;
  return [
    ...(criteria.chosen.length === 0
      ? []
      : [oneLine(`${criteria.chosen.join(', ')} (${criteria.reason})`)]),
    ...(criteria.why ?? []).map((line) => `  ${oneLine(line)}`),
    ...tableOf(rows, { columns }),
    ...(quiet > 0 ? [`${quiet} more found nothing and used no tokens`] : []),
    ...(votes.length === 0 ? [] : ['votes']),
    ...tableOf(
      votes.map(({ criterion, text, votes: said }) => [criterion, text, said]),
      { columns: columns && columns - 2 },
    ).map((line) => `  ${line}`),
  ];
}
