import type { Table } from './block.js';
import { isObligation, statedStrength } from './modality.js';
import type { RequirementStrength } from './requirement.js';

/** A row that asks for something. */
export interface AskedRow {
  readonly line: number;
  readonly text: string;
  readonly strength: RequirementStrength | undefined;
}

const asking =
  /^(?:.*\brequirements?\b.*|acceptance criteri(?:a|on)|criteri(?:a|on)|user stor(?:y|ies)|stor(?:y|ies)|expected(?: (?:results?|behaviou?r|outcomes?))?|rules?|tasks?|todos?|features?|functionality|capabilit(?:y|ies)|specification|statement|targets?|maximum|minimum|limits?|thresholds?|slas?|slos?|then|i want(?: to)?.*|outcomes?|expectations?|goals?|anforderung(?:en)?|aufgaben?|funktion(?:en)?|akzeptanzkriteri(?:um|en)|exigences?|fonctionnalités?|tâches?|requisit[oi]s?|funcionalidad(?:e?s)?|funcionalidade|tareas?|tarefas?|требовани[ея]|задач[аи]|.*(?:需求|要求|要件|任[务務]|功能|機能|验收|驗收)|(?:.* )?(?:요구 ?사항|기능|작업))$/iu;
const naming = /^(?:id|ids|no\.?|nr\.?|#|ref\.?|key|req(?:uirement)? ?(?:id|no\.?|#)|fr|nfr|req)$/i;
const describing =
  /^(?:description|text|title|summary|name|what|details|beschreibung|descripci[óo]n|descri[çc][ãa]o|descrizione|описание|描述|[说説][明]|內容|内容|설명|내용)$/iu;
const explaining =
  /^(?:pros?|cons?|advantages?|disadvantages?|benefits?|drawbacks?|options?|meaning|definition|rationale|reason|why|notes?|comments?|examples?|sources?|status|owner|default|description of .*|problem|current.*|today|before|risk|impact|mitigation|question|alternatives?|authors?|reviewers?|approvers?|dates?|version|who|role|team|(?:\w+ )by|due(?: date)?|deadline)$/i;
const ranking =
  /^(?:priority|prio|moscow|must\/should|strength|level|importance|severity|keyword|priorität|priorité|prioridade?|priorità|приоритет|[优優]先(?:[级級度])|우선 ?순위)$/iu;

/**
 * The rows of a table that ask for something: all of them where a column says that it holds requirements, else those with an
 * obligation outside of the columns that explain.
 */
export function askedRows(table: Table, asked: boolean): AskedRow[] {
  const header = (table.header ?? []).map((cell) => cell.replace(/[*_`]/g, '').trim());
  const wanted = columns(header, (name) => asking.test(name) && !naming.test(name));
  const identified = header.some((name) => naming.test(name));
  const described =
    wanted.length === 0 && asked && identified
      ? columns(header, (name) => describing.test(name))
      : [];
  const skipped = new Set(columns(header, (name) => explaining.test(name)));
  const ranks = columns(header, (name) => ranking.test(name));
  return table.rows.flatMap(({ line, cells }) => {
    const chosen = [...wanted, ...described]
      .map((index) => cells[index] ?? '')
      .filter((cell) => /[\p{L}\p{N}]/u.test(cell) && !/^(?:n\/a|none|tbd|-+)$/i.test(cell));
    const rank = rankOf(ranks.map((index) => cells[index] ?? '').join(' '));
    if (rank === 'none') return [];
    const text = cells.filter((cell) => cell !== '').join(' | ');
    const open = cells
      .filter((_, index) => !skipped.has(index) && !ranks.includes(index))
      .join(' | ');
    if (text === '' || /\?\s*$/.test(open) || (chosen.length === 0 && !isObligation(open)))
      return [];
    return [
      { line, text, strength: rank ?? statedStrength(chosen.length > 0 ? chosen.join(' ') : open) },
    ];
  });
}

function columns(header: readonly string[], fits: (name: string) => boolean): number[] {
  return header.flatMap((name, index) => (fits(name) ? [index] : []));
}

function rankOf(cell: string): RequirementStrength | 'none' | undefined {
  if (/\bwon['’]?t\b|\bout\b/i.test(cell)) return 'none';
  if (/\b(?:must|shall|mandatory|required|critical|p0)\b/i.test(cell)) return 'MUST';
  if (/\b(?:should|high|medium|p1|p2)\b/i.test(cell)) return 'SHOULD';
  return /\b(?:may|could|optional|nice|low|p3|p4)\b/i.test(cell) ? 'MAY' : undefined;
}
