import type { MarkdownTable } from './markdown.js';
import { isNoise, withoutStruck } from './noise.js';
import type { RequirementStrength } from './requirement.js';
import { type SectionKind, sectionKind } from './section-kind.js';
import { isNormative } from './strength.js';

/** A row of a table that states a requirement. */
export interface TableRow {
  readonly line: number;
  readonly text: string;
  /** The strength that the row gives in a column of its own. */
  readonly rank: RequirementStrength | undefined;
  readonly kind: SectionKind;
}

/** Matches the name of a column whose cells are the requirements. */
const stated =
  /\b(?:requirements?|criteri(?:on|a)|stor(?:y|ies)|rules?|features?|expected|behaviou?r|anforderung(?:en)?|kriterium|kriterien|exigences?|critères?|requisitos?|criterios?)\b/i;
const ranking =
  /^(?:priority|prio|moscow|strength|level|importance|priorität|priorité|prioridad)$/i;
const numbering = /^(?:#|no\.?|nr\.?|ids?|n°|.*\b(?:id|number|nummer|key|ref)\.?)$/i;
/** Matches the columns that say how a row is checked, or how far it is. */
const beside =
  /\b(?:done|status|state|test(?:ed|s)?|checks?|verif\w+|notes?|comments?|owner|weight|points?|score|rationale|why|source|bemerkung|statut|estado)\b/i;
const number =
  /^[*_`]{0,6}(?:[A-Z]{0,6}[-_.]?\d{1,4}(?:[.-]\d{1,4}){0,3}[a-z]?\.?|[✓✗xX-]?)[*_`]{0,6}$/u;

/** Returns the rows that state requirements: all below such a heading or column, else those that bind. */
export function requirementRows(table: MarkdownTable, kind: SectionKind): TableRow[] {
  if (kind === 'excluded') return [];
  const header = table.header.map((cell) => cell.replace(/[*_`]/g, '').trim());
  const at = header.findIndex((name) => stated.test(name) && !numbering.test(name));
  const named = at === -1 ? 'open' : sectionKind(header[at] ?? '');
  const own = named === 'acceptance' && kind !== 'background' ? named : kind;
  const isAll = kind === 'requirements' || kind === 'acceptance' || (at !== -1 && kind === 'open');
  return table.rows.flatMap(({ line, cells }) => {
    const rank = cells.find((_, column) => ranking.test(header[column] ?? '')) ?? '';
    const others = cells.filter((cell, column) => isSaying(cell, header[column] ?? ''));
    const text = withoutStruck((at === -1 ? undefined : cells[at]) ?? others.join(' | ')).trim();
    const asks = isAll || isNormative(others.join(' | '));
    if (!asks || isNoise(text) || /\b(?:won['’]?t|out of scope|later|future)\b/i.test(rank))
      return [];
    return [{ line, text, rank: strengthOf(rank), kind: own }];
  });
}

function isSaying(cell: string, name: string): boolean {
  const isLabel = ranking.test(name) || numbering.test(name) || beside.test(name);
  return !isLabel && !number.test(cell);
}

function strengthOf(rank: string): RequirementStrength | undefined {
  if (/\b(?:must|shall|mandatory|required|critical|p0|muss|hoch)\b/i.test(rank)) return 'MUST';
  if (/\b(?:should|high|medium|p1|p2|soll|mittel)\b/i.test(rank)) return 'SHOULD';
  return /\b(?:may|could|optional|nice|low|p3|kann|niedrig)\b/i.test(rank) ? 'MAY' : undefined;
}
