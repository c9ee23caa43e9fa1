import { checkWhole } from '../../../core/options.js';
import { plural } from '../../../core/plural.js';
import { markdownMark } from '../report-marks.js';
import type { RunReport } from '../run-report.js';
import { taskTitle } from '../run-words.js';
import { scoreTexts } from '../score-text.js';
import { countsText, coverageWord, requirementCount } from '../verdict-counts.js';
import { mustDecide, verdictOf } from '../verdict-words.js';
import { returnedVersion, versionText } from '../version-words.js';
import {
  checkedRuns,
  type FindingPlace,
  type FormatOptions,
  gatherFindings,
  plainLine,
  type RunFinding,
} from './findings-of.js';
import { notesOf } from './run-notes.js';

export interface MarkdownOptions extends FormatOptions {
  /** The most gaps that are shown, the worst first; from 0. @default all */
  readonly gaps?: number | undefined;
  /** The largest size in bytes; from 1000. What does not fit is counted. @default 900000 */
  readonly bytes?: number | undefined;
  /**
   * The repository and the commit that places link to, such as
   * `{ repository: 'https://github.com/owner/name', commit: '0a1b2c3' }`.
   *
   * @default no links
   */
  readonly links?: { readonly repository: string; readonly commit: string } | undefined;
}

/**
 * Returns runs as Markdown, for a job summary or a comment: the verdict, the worst gaps, open
 * questions, requirements, scores and cost. No text of a run forms markup, a link or a mention.
 *
 * @throws ReviewLoopError `invalid_options` if there is no run or an option is invalid
 * @example
 * ```ts
 * await appendFile(summaryFile, markdownReport(runReport(outcome), { gaps: 20 }));
 * ```
 */
export function markdownReport(
  runs: RunReport | readonly RunReport[],
  options: MarkdownOptions = {},
): string {
  const more = ['gaps', 'bytes', 'links'];
  const reports = checkedRuns('markdownReport', runs, { options, more });
  const { gaps, bytes = 900_000, links, ...rest } = options;
  if (gaps !== undefined) checkWhole('gaps', gaps, 0);
  checkWhole('bytes', bytes, 1_000);
  const sections = reports.flatMap((run) => sectionsOf(run, { ...rest, gaps, links, bytes }));
  return fitted([markdownMark, ...sections.filter((one) => one !== '')], bytes);
}

/** A section of the page: a text that is shown whole, a table that may lose its last rows, or both, folded. */
type Section = string | Table | Fold;

interface Fold {
  readonly summary: string;
  readonly folded: readonly Table[];
}

interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly string[];
  readonly left: number;
  readonly what: string;
}

function sectionsOf(
  run: RunReport,
  options: MarkdownOptions & { readonly bytes: number },
): Section[] {
  const findings = gatherFindings([run], options);
  const { word, why, tone } = verdictOf(run);
  const sign = word.startsWith('No verdict') ? '⚠️' : signs[tone];
  const asked = requirementCount(run);
  const counts = [
    plural(findings.length, 'gap'),
    ...(asked === 0 ? [] : [plural(asked, 'requirement')]),
  ];
  return [
    `## ${sign} reviewloop: ${markdownText(word, 1_000)}`,
    `**${markdownText(taskTitle(run).replace(/\.$/, ''))}.** ${markdownText(why, 1_000)}`.trimEnd(),
    worstFirst(findings, run, options),
    commandsOf(run),
    { summary: `All of it: ${counts.join(', ')}`, folded: tablesOf(run, findings, options) },
    smallPrint(run, options.links),
  ];
}

const signs = { good: '✅', bad: '❌', open: '🟡' } as const;

/** How many gaps or questions stand before what is folded. */
const shownFirst = { gaps: 3, questions: 5 };

function worstFirst(
  findings: readonly RunFinding[],
  run: RunReport,
  { gaps = shownFirst.gaps, links, bytes }: MarkdownOptions & { readonly bytes: number },
): string {
  const open = findings.filter(({ state }) => state === 'open');
  const worst = open.slice(0, Math.min(gaps, shownFirst.gaps)).map(({ gap, place }, index) => {
    const where = place === undefined ? '' : `${linkOf(place, links)} `;
    const isTold = ['', gap.description].includes(gap.suggestedFix);
    const fix = isTold ? '' : ` **Fix:** ${cell(gap.suggestedFix)}`;
    return `${index + 1}. ${where}${cell(gap.description)}${fix}`;
  });
  // the tables below say all: in a short page they come first
  if (worst.length > 0)
    return Buffer.byteLength(worst.join('\n')) > bytes / 4 ? '' : worst.join('\n');
  return mustDecide(run)
    .slice(0, shownFirst.questions)
    .map(
      ({ id, criterion, question }) =>
        `- **${markdownText(id ?? criterion)}** ${cell(question ?? '')}`,
    )
    .join('\n');
}

function commandsOf({ next = [] }: RunReport): string {
  const lines = next.map(({ why, command }) => (why === '' ? command : `${command} # ${why}`));
  if (lines.length === 0) return '';
  return `To go on:\n\n${lines.map((line) => `    ${markdownCode(line)}`).join('\n')}`;
}

function tablesOf(
  run: RunReport,
  findings: readonly RunFinding[],
  options: MarkdownOptions,
): Table[] {
  const most = options.gaps ?? findings.length;
  const notes = notesOf(run);
  return [
    {
      title: 'Gaps',
      head: ['severity', 'where', 'what', 'how to fix it'],
      rows: findings.slice(0, most).map((finding) => gapRow(finding, options.links)),
      left: Math.max(0, findings.length - most),
      what: 'gaps',
    },
    noteTable(
      'Without a verdict',
      notes.filter(({ kind }) => kind === 'failed_judge'),
    ),
    noteTable(
      'Undecided',
      notes.filter(({ kind }) => kind === 'undecided'),
    ),
    requirementTable(run),
    noteTable(
      'Not reviewed',
      notes.filter(({ kind }) => kind === 'not_reviewed'),
    ),
  ];
}

function smallPrint(run: RunReport, links: MarkdownOptions['links']): string {
  const facts = [
    markdownText(versionText(returnedVersion(run)), 1_000),
    ...factsOf(run),
    links === undefined ? '' : `Checked at ${markdownText(links.commit.slice(0, 7))}`,
  ];
  return `<sub>${facts.filter((fact) => fact !== '').join(' · ')}</sub>`;
}

function factsOf({ runId, pipeline, counts, scores, usage, acceptance }: RunReport): string[] {
  const texts = scores && scoreTexts(scores);
  const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
  const { costUsd } = usage ?? {};
  return [
    `Run ${markdownText(runId)}${pipeline === undefined ? '' : ` of ${markdownText(pipeline, 200)}`}`,
    ...(acceptance === undefined
      ? []
      : [markdownText(`${acceptance.kind} by ${acceptance.by}: ${acceptance.reason}`, 1_000)]),
    ...(counts === undefined ? [] : [`Checks: ${countsText(counts)}`]),
    ...(texts === undefined
      ? []
      : [
          `Scores: overall ${texts.overall}, quality ${texts.quality}, completeness ${texts.completeness}, correctness ${texts.correctness}`,
        ]),
    ...(tokens > 0
      ? [`Cost: ${tokens} tokens${costUsd === undefined ? '' : `, $${costUsd.toFixed(2)}`}`]
      : []),
  ];
}

function gapRow(
  { gap, state, justification, place }: RunFinding,
  links: MarkdownOptions['links'],
): string {
  const word = state === 'open' ? gap.severity : `${gap.severity}, ${justification ?? state}`;
  const where = place === undefined ? '' : linkOf(place, links);
  return row([markdownText(word, 500), where, cell(gap.description), cell(gap.suggestedFix)]);
}

function linkOf({ file, region }: FindingPlace, links: MarkdownOptions['links']): string {
  const { startLine, endLine } = region;
  const text = markdownText(`${file}:${startLine}`, 500);
  if (links === undefined) return text;
  const path = file
    .split('/')
    .map((part) => encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\ufffd')))
    .join('/')
    .replace(/[()!*'~]/g, (found) => `%${found.charCodeAt(0).toString(16)}`);
  const lines = endLine > startLine ? `#L${startLine}-L${endLine}` : `#L${startLine}`;
  return `[${text}](${links.repository}/blob/${encodeURIComponent(links.commit)}/${path}${lines})`;
}

function requirementTable({ coverage }: RunReport): Table {
  return {
    title: 'Requirements',
    head: ['id', 'state', 'requirement', 'why'],
    rows: coverage.map((entry) =>
      row([
        markdownText(entry.id ?? ''),
        coverageWord(entry),
        cell(entry.requirement),
        cell(entry.coverageDetails),
      ]),
    ),
    left: 0,
    what: 'requirements',
  };
}

function noteTable(title: string, notes: readonly { readonly message: string }[]): Table {
  return {
    title,
    head: ['what'],
    rows: notes.map(({ message }) => row([cell(message)])),
    left: 0,
    what: 'entries',
  };
}

function cell(text: string): string {
  return markdownText(text, 1_000);
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

const reserve = 200;

function fitted(sections: readonly Section[], bytes: number): string {
  let left = bytes - reserve;
  const texts = sections.map((section) => {
    const text = sectionText(section, left);
    const size = Buffer.byteLength(text) + 2;
    if (size > left) return undefined;
    left -= size;
    return text;
  });
  const missing = texts.filter((text) => text === undefined).length;
  const more = missing === 0 ? [] : [`${missing} more sections are not shown here.`];
  const shown = texts.filter((text) => text !== undefined && text !== '');
  return `${[...shown, ...more].join('\n\n')}\n`;
}

function sectionText(section: Section, left: number): string {
  if (typeof section === 'string') return section;
  if (!('folded' in section)) return tableText(section, left);
  const inside = fitted(section.folded, left - reserve).trimEnd();
  if (inside === '') return '';
  return `<details><summary>${section.summary}</summary>\n\n${inside}\n\n</details>`;
}

/** A last line counts the rows that it lacks. */
function tableText({ title, head, rows, left, what }: Table, bytes: number): string {
  if (rows.length + left === 0) return '';
  const begin = [`### ${title}`, '', row(head), `|${' --- |'.repeat(head.length)}`];
  let size = Buffer.byteLength(begin.join('\n')) + reserve;
  const shown = rows.filter((line) => {
    size += Buffer.byteLength(line) + 1;
    return size <= bytes;
  });
  const missing = left + rows.length - shown.length;
  const table = shown.length === 0 ? [`### ${title}`] : [...begin, ...shown];
  const more = missing === 0 ? [] : ['', `${missing} more ${what} are not shown here.`];
  return [...table, ...more].join('\n');
}

/** Characters that Markdown and HTML read as more than text. */
const special = /[\\`*_[\]<>|#~$!]/g;

/** Forms no markup, no HTML, no link, and mentions no person or issue. */
function markdownText(text: string, most?: number): string {
  return plainLine(text, most)
    .replaceAll('&', '&amp;')
    .replace(special, (found) => (found === '<' ? '&lt;' : found === '>' ? '&gt;' : `\\${found}`))
    .replace(/@(?=[\w-])/g, '@\u200b')
    .replace(/#(?=\d)/g, '#\u200b')
    .replace(/\bGH-(?=\d)/gi, 'GH\u200b-')
    .replace(/:\/\//g, ':\u200b//')
    .replace(/\bwww\./gi, 'www\u200b.');
}

function markdownCode(text: string): string {
  return plainLine(text).replaceAll('`', "'");
}
