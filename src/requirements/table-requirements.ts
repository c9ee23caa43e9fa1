import { isAction } from './demand.js';
import type { MarkdownTable } from './markdown.js';
import { isQuestion } from './noise.js';
import { isObligation, statedStrength, wordCount } from './obligation.js';
import type { RequirementStrength } from './requirement.js';
import { isRequirementId } from './requirement-id.js';
import { isRequired, type SectionKind } from './sections.js';

/** A row that states a requirement. */
export interface RequirementRow {
  readonly line: number;
  readonly text: string;
  readonly strength: RequirementStrength | undefined;
}

export interface TablePlace {
  /** Whether its document lists requirements. */
  readonly listsRequirements: boolean;
  /** Whether a heading other than the title is above. */
  readonly headed: boolean;
}

const asking =
  /^(?:.*\brequirements?\b.*|(?:acceptance )?criteri(?:a|on)|(?:user )?stor(?:y|ies)|expected.*|technolog(?:y|ies)|rules?|principles?|behaviou?rs?|returns|responses?|results?|outcomes?|actions?|effects?|events?|tasks?|features?|decisions?|choices?|(?:\w+ )?solutions?|(?:.* )?when|cases?|conditions?|goals?|targets?|reactions?|resolution|repair|max(?:imum)?|min(?:imum)?|limits?|then|i want.*|what (?:gets|is|will be|to|we|they) .*)$/i;
/** Matches a column of limits, with what they hold for: "Budget (warm)", "p95 target". */
const limiting =
  /^(?:[\w-]+ ){0,2}(?:budgets?|limits?|targets?|thresholds?|quotas?)(?: \([^()]*\))?$/i;
/** Matches a measured value, but not a sum of money: "20 ms", "< 5 MB". */
const measured = /^[^\p{L}\p{Sc}]{0,6}\d[\d.,_]*\s?(?:%|\p{L}{1,8}(?![\p{L}]))?[^\p{Sc}]{0,30}$/u;
/** Matches columns that say what a role may do. */
const allowing =
  /^(?:(?:.* )?(?:permissions?|capabilit(?:y|ies)|privileges?|abilities|access rights)|access(?: level)?|rights|(?:what (?:they|he|she|it) )?(?:can|may|cannot)\b.*)$/i;
/** Matches columns that say how a part is now and how it shall become. */
const now =
  /^(?:(?:the )?(?:current|existing|present|old|as-is)\b.*|(?:today|now|before|baseline)\b.*)$/i;
const next =
  /^(?:(?:the )?(?:proposed|new|planned|desired|to-be)\b.*|(?:after|target|with|then)\b.*)$/i;
/** Matches the first column of a table of people, words or measures. */
const names =
  /^(?:actors?|roles?|users?|personas?|names?|terms?|(?:success )?metrics?|kpis?|measures?|goals?|objectives?)$/i;
/** Matches the first column of a table of what a program answers to. */
const interfaces =
  /^(?:verbs?|(?:sub)?commands?(?: examples?)?|endpoints?|routes?|operations?|events?|errors?|codes?)$/i;
const paths = /^(?:paths?|endpoints?|routes?|urls?)$/i;
const identifying = /^(?:id|no\.?|nr\.?|#|(?:requirement|req) ?(?:id|no\.?|#))$/i;
const explaining =
  /^(?:pros?|cons?|advantages?|disadvantages?|rationale|reason|why|notes?|comments?|examples?|status|owner|default|problem|current.*|today|risk|impact|mitigation|question|findings?|insights?|preferences?|alternatives?|authors?|reviewers?|dates?|version|who|role)$/i;
/** Matches the first column of a table of parts, and a column that says what each part does. */
const partNames =
  /^(?:components?|modules?|resources?|surfaces?|pages?|screens?|views?|routes?|services?|layers?|sections?|parts?|elements?|widgets?)$/i;
const serving =
  /^(?:(?:main )?purposes?|descriptions?|functions?|responsibilit(?:y|ies)|meanings?|contents?|what it (?:does|is|shows)|notes?|details?|default|usage)$/i;
/** Matches a cell that leaves its row out for now: "Later", "Post-MVP". */
const leftOut =
  /^[*_`]*(?:later|future|backlog|deferred|post-?(?:mvp|launch)|out of scope|non-goal\b.{0,20}|not (?:planned|in scope|in mvp)|won['’]?t(?: have)?)[*_`.]*$/i;
const ranking = /^(?:priority|prio|moscow|strength|level|importance)$/i;

/**
 * Returns the rows with a requirement: all rows of a table in a section for requirements or with a
 * column for them, or else rows with an obligation.
 */
export function requirementRows(
  table: MarkdownTable,
  kind: SectionKind,
  { listsRequirements, headed }: TablePlace,
): RequirementRow[] {
  if (table.header.some((cell) => /^(?:weight|points?|score|grade|marks?)$/i.test(cell))) return [];
  const header = table.header.map((cell) => cell.replace(/[*_`]/g, '').trim());
  const asked = header.map(
    (name, index) =>
      (asking.test(name) || allowing.test(name) || isLimited(table, index, name)) &&
      !identifying.test(name),
  );
  const isIdentified = listsRequirements && header.some((name) => identifying.test(name));
  const byColumns =
    asked.includes(true) ||
    isIdentified ||
    compares(header) ||
    table.rows.every(({ cells }) => isRequirementId(cells[0] ?? ''));
  const byName =
    asksByName(header, kind) ||
    (kind === 'open' &&
      (describesCode(header, table) || (headed && describesParts(header, table))));
  return table.rows.flatMap(({ line, cells }) => {
    const text = cells.filter((cell) => cell !== '').join(' | ');
    const open = openCells(header, cells);
    const said = open.join(' | ');
    const chosen = asked.includes(true) ? cells.filter((_, index) => asked[index]) : open;
    const isWhole = isFilled(chosen) && (byColumns || (byName && saysMore(cells)));
    if (isQuestion(said) || !(isWhole || asksByText(open))) return [];
    const rank = rankOf(header, cells);
    if (isLeftOut(rank, cells)) return [];
    return [{ line, text, strength: strengthOfRank(rank) ?? statedStrength(chosen.join(' ')) }];
  });
}

/** Returns whether all cells of a column are measured limits. */
function isLimited({ rows }: MarkdownTable, column: number, name: string): boolean {
  const values = rows.map(({ cells }) => cells[column] ?? '').filter((cell) => cell !== '');
  return limiting.test(name) && values.length > 0 && values.every((cell) => measured.test(cell));
}

/** Returns whether a row is left out for now, by its priority or by one of its cells. */
function isLeftOut(rank: string, cells: readonly string[]): boolean {
  return /\bwon['’]?t\b/i.test(rank) || cells.some((cell) => leftOut.test(cell));
}

/** Returns the rows that say what a role may do, in a section that may be about people. */
export function permissionRows(table: MarkdownTable): RequirementRow[] {
  const header = table.header.map((cell) => cell.replace(/[*_`]/g, '').trim());
  const columns = header.map((name) => allowing.test(name));
  return table.rows.flatMap(({ line, cells }) => {
    const said = cells.filter(
      (cell, index) => columns[index] || /^(?:can|cannot|may)\s/i.test(cell),
    );
    if (!isFilled(said)) return [];
    return [{ line, text: cells.filter((cell) => cell !== '').join(' | '), strength: undefined }];
  });
}

/** Returns the cell with the priority of a row, or ''. */
function rankOf(header: readonly string[], cells: readonly string[]): string {
  return cells.find((_, index) => ranking.test(header[index] ?? '')) ?? '';
}

/** Returns the cells of a row whose columns neither explain nor rank. */
function openCells(header: readonly string[], cells: readonly string[]): string[] {
  const isOpen = (name: string): boolean => !explaining.test(name) && !ranking.test(name);
  return cells.filter((_, index) => isOpen(header[index] ?? ''));
}

/** Returns whether the cells of a row say what must be or what a part does. */
function asksByText(cells: readonly string[]): boolean {
  return isObligation(cells.join(' | ')) || cells.some((cell) => isAction(cell, 'cell'));
}

/** Returns whether a row is more than names and numbers. */
function saysMore([, ...cells]: readonly string[]): boolean {
  return cells.some((cell) => wordCount(cell) > 1 && /\p{L}{2}/u.test(cell));
}

/** Returns whether one of the cells says something. */
function isFilled(cells: readonly string[]): boolean {
  return cells.some((cell) => /[\p{L}\p{N}]/u.test(cell) && !/^(?:n\/a|none|tbd)$/i.test(cell));
}

/** Returns whether the rows of a table that say something ask, by its section or its first column. */
function asksByName(header: readonly string[], kind: SectionKind): boolean {
  const [name = '', second = ''] = header;
  if (names.test(name)) return false;
  const isInterface =
    interfaces.test(name) ||
    /^commands?(?: examples?)?$/i.test(second) ||
    (/^methods?$/i.test(name) && paths.test(second));
  const isPart = partNames.test(name) && header.slice(1).some((column) => serving.test(column));
  return isRequired(kind) || (kind === 'open' && (isInterface || isPart));
}

/** Matches the first column of a table of what people do, of measures, or of the document. */
const aboutPeople =
  /^(?:steps?|phases?|fields?|factors?|criteri.*|accounts?|user ?names?|tools?|documents?|files?|versions?|dates?|gates?|weeks?|days?|milestones?|known.*|risks?|options?|alternatives?|approach(?:es)?|competitors?|item|request)$/i;

/** Returns whether a table below a heading of its own says of most parts more than one word. */
function describesParts(header: readonly string[], { rows }: MarkdownTable): boolean {
  const [name = ''] = header;
  if (names.test(name) || known.test(name) || aboutPeople.test(name)) return false;
  if (header.some((column) => explaining.test(column))) return false;
  const saying = rows.filter(({ cells }) => saysMore(cells));
  return rows.length > 2 && saying.length * 3 > rows.length * 2;
}

/** Matches the first column of a table of words, people or measures, although it is in code. */
const known =
  /^(?:terms?|words?|examples?|(?:success )?metrics?|before|current.*|old|existing.*)$/i;

/** Matches the columns of a table of parameters, whose rows only name a value. */
const valued = /^(?:defaults?|default values?|required|optional)\??$/i;

/** Matches the name of a document: a table of these is an index. */
const documentFile = /^[*_]*`[^`]+\.(?:mdx?|txt|pdf|docx?|adoc|rst)`[*_]*$/i;

/** Returns whether a table names parts of the code, and says what each of them is or does. */
function describesCode(
  [name = '', ...columns]: readonly string[],
  { rows }: MarkdownTable,
): boolean {
  const isCode = rows.every(({ cells }) => /^[*_]*`[^`]+`/.test(cells[0] ?? ''));
  const isIndex = rows.every(({ cells }) => documentFile.test(cells[0] ?? ''));
  const isValue = columns.some((column) => valued.test(column));
  return rows.length > 1 && isCode && !isIndex && !isValue && !known.test(name);
}

/** Returns whether a table says for each part how it is and how it shall become. */
function compares([name = '', ...columns]: readonly string[]): boolean {
  const [from, to] = [now, next].map((words) => columns.some((column) => words.test(column)));
  return from === true && to === true && !names.test(name);
}

function strengthOfRank(rank: string): RequirementStrength | undefined {
  if (/\b(?:must|shall|mandatory|required|critical|p0)\b/i.test(rank)) return 'MUST';
  if (/\b(?:should|high|medium|p1|p2)\b/i.test(rank)) return 'SHOULD';
  return /\b(?:may|could|optional|nice|low|p3)\b/i.test(rank) ? 'MAY' : undefined;
}
