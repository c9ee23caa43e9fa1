import type { MarkdownTable } from './markdown.js';
import { isNoise, withoutStruck } from './noise.js';
import type { RequirementStrength } from './requirement.js';
import { isNormative } from './strength.js';

export interface TableRow {
  readonly line: number;
  readonly text: string;
  readonly rank: RequirementStrength | undefined;
  readonly kind: SectionKind;
}

const stated =
  /\b(?:requirements?|criteri(?:on|a)|stor(?:y|ies)|rules?|features?|expected|behaviou?r|anforderung(?:en)?|kriterium|kriterien|exigences?|critères?|requisitos?|criterios?)\b/i;

const ranking =
  /^(?:priority|prio|moscow|strength|level|importance|priorität|priorité|prioridad)$/i;

const numbering = /^(?:#|no\.?|nr\.?|ids?|n°|.*\b(?:id|number|nummer|key|ref)\.?)$/i;

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

/** An `open` heading does not decide. */
export type SectionKind = 'requirements' | 'acceptance' | 'background' | 'excluded' | 'open';

const names = (...words: readonly string[]): RegExp =>
  new RegExp(`(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})`, 'iu');

const excluded = names(
  "out of scope|not in scope|out-of-scope|non[- ]?goals?|non[- ]?objectives?|won[’']?t[ -]haves?",
  'future (?:work|ideas|enhancements)|^(?:later|deferred)$|alternatives? considered|(?:considered|rejected) \\w+|^alternatives?$',
  'nicht[- ]ziele|abgrenzung(?:skriterien)?|außerhalb des umfangs|verworfene? \\w+',
  'hors (?:du )?périmètre|non[- ]objectifs|alternatives (?:envisagées|rejetées)',
  'fuera de(?:l)? alcance|no objetivos|alternativas',
);

const contents =
  /^(?:table of contents|contents|toc|inhalt|inhaltsverzeichnis|table des matières|sommaire|índice)$/iu;

const acceptance = names(
  'acceptance(?: (?:criteria|criterion|scenarios|tests))?|definition of done|expected behaviou?r',
  'akzeptanzkriterien|akzeptanzkriterium|abnahmekriterien|erwartetes verhalten',
  "critères? d[’']acceptation|comportement attendu|criterios de aceptación|comportamiento esperado",
);

const requirements = names(
  'requirements?|must[- ]haves?|should[- ]haves?|could[- ]haves?|nice[- ]to[- ]haves?',
  'user stor(?:y|ies)|features?|functionality|functionalities|specifications?|constraints?|goals?',
  '\\p{L}*anforderung(?:en)?|(?:muss|soll|kann)[- ]?kriterien|funktionen|ziele?',
  'exigences?|fonctionnalités?|spécifications?|objectifs?',
  'requisitos?|funcionalidad(?:es)?|especificaci(?:ón|ones)|objetivos?',
);

const background = [
  'background|context|motivation|problem(?: statement)?|rationale|introduction|overview|summary',
  'purpose|about|history|references?|links?|resources|further reading|examples?|for example|e\\.g\\.',
  'glossary|definitions?|terms|personas?|audience|stakeholders?|questions?|faq|risks?',
  'assumptions?|dependencies|metrics|timeline|schedule|milestones|steps to reproduce|environment',
  'impact|consequences|pros|cons|(?:dis)?advantages|drawbacks|limitations|entities|notes',
  'usage|prerequisites|agenda|attendees|contributing|development|license|feature branch|input|epic|migration|reason',
  '(?:actual|current) behaviou?r|changelog|benefits?|appendix|status|authors?|owner|version|date',
  'priority|created|updated|deadline|due|contact|installation|getting started|grading|submission',
  'hintergrund|kontext|einleitung|überblick|ausgangslage|problem|beispiele?|zum beispiel|z\\. ?b\\.',
  'anmerkungen|fragen|risiken|annahmen|glossar|begriffe|quellen|zeitplan|anhang|stand|datum|autor',
  'remarques|notas|contexte|problème|exemples?|par exemple|glossaire|références|calendrier|annexe|risques|statut',
  'contexto|introducción|problema|ejemplos?|por ejemplo|preguntas|riesgos|glosario|referencias',
].join('|');

const explains = new RegExp(
  `^(?:(?:why|warum|pourquoi|por qué)\\b.*|(?:\\S+ ){0,2}(?:${background}))$`,
  'iu',
);

/** Without numbers, marks, remarks in parentheses and a colon. */
export function bareName(heading: string): string {
  return heading
    .slice(0, 200)
    .replace(/\([^()]*\)|[*_`]/g, ' ')
    .replace(/^[^\p{L}]+|[^\p{L}\p{N}.]+$/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

export function sectionKind(heading: string): SectionKind {
  const name = bareName(heading);
  if (contents.test(name)) return 'excluded';
  if (/\(optional\)/i.test(heading) && background.includes(name.toLowerCase())) return 'open';
  if (/^scenario\b.*:/i.test(name)) return 'open';
  const out = excluded.test(name);
  const asks = requirements.test(name.replace(excluded, ''));
  if (out) return asks ? 'open' : 'excluded';
  if (acceptance.test(name)) return 'acceptance';
  if (asks) return 'requirements';
  const parts = name.split(/ ?(?:,|\/|&|\band\b|\bund\b|\bet\b|\by\b) /i);
  return parts.every((part) => explains.test(part)) ? 'background' : 'open';
}

/** Outermost first. Nothing in an excluded section counts. */
export function kindOfSections(kinds: readonly SectionKind[]): SectionKind {
  if (kinds.includes('excluded')) return 'excluded';
  return kinds.findLast((kind) => kind !== 'open') ?? 'open';
}

/** "Must have", "Nice to have". */
export function headingStrength(heading: string): RequirementStrength | undefined {
  if (
    /\b(?:nice[- ]to[- ]have|could[- ]have|optional|bonus|stretch goal)|\bkann-?kriteri/i.test(
      heading,
    )
  )
    return 'MAY';
  if (/\b(?:must[- ]have|mandatory|required)|\bmuss-?kriteri/i.test(heading)) return 'MUST';
  return /\bshould[- ]have|\bsoll-?kriteri/i.test(heading) ? 'SHOULD' : undefined;
}
