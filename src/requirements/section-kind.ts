import type { RequirementStrength } from './requirement.js';

/** What the text below a heading is. An `open` heading does not decide. */
export type SectionKind = 'requirements' | 'acceptance' | 'background' | 'excluded' | 'open';

/** Returns a pattern for names of one kind, in English, German, French and Spanish. */
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
/** Names that are background when they are the whole name, or one with few words around them. */
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

/** Returns a heading or label without numbers, marks, remarks in parentheses and a colon. */
export function bareName(heading: string): string {
  return heading
    .slice(0, 200)
    .replace(/\([^()]*\)|[*_`]/g, ' ')
    .replace(/^[^\p{L}]+|[^\p{L}\p{N}.]+$/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the kind of the text below a heading or label, by a few standard names. */
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

/** Returns the kind below several headings, outermost first. Nothing in an excluded section counts. */
export function kindOfSections(kinds: readonly SectionKind[]): SectionKind {
  if (kinds.includes('excluded')) return 'excluded';
  return kinds.findLast((kind) => kind !== 'open') ?? 'open';
}

/** Returns the strength that a heading gives to what is below it: "Must have", "Nice to have". */
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
