import { isAction, isCommand } from './demand.js';
import type { MarkdownTable } from './markdown.js';
import { isQuestion } from './noise.js';
import { isObligation, statedStrength } from './obligation.js';
import type { RequirementStrength } from './requirement.js';

/** A row that states a requirement. */
export interface RequirementRow {
  readonly line: number;
  readonly text: string;
  readonly strength: RequirementStrength | undefined;
}

const asking =
  /^(?:.*\brequirements?\b.*|(?:acceptance )?criteri(?:a|on)|(?:user )?stor(?:y|ies)|expected.*|technolog(?:y|ies)|rules?|principles?|behaviou?rs?|returns|responses?|results?|outcomes?|actions?|effects?|events?|tasks?|features?|(?:.* )?when|cases?|conditions?|goals?|targets?|reactions?|resolution|repair|max(?:imum)?|min(?:imum)?|limits?|then|i want.*)$/i;
const identifying = /^(?:id|no\.?|nr\.?|#|key|(?:requirement|req) ?(?:id|no\.?|#))$/i;
const explaining =
  /^(?:pros?|cons?|advantages?|disadvantages?|rationale|reason|why|notes?|comments?|examples?|status|owner|default|problem|current.*|today|risk|impact|mitigation|question|alternatives?|authors?|reviewers?|dates?|version|who|role)$/i;
const identifier =
  /^[*`]*(?:N?FR|NFR|REQ|AC|US|SR|BR|UR|UC|FEAT)(?:[-_.][A-Z\d]{1,12}){0,3}[-_.]?\d{1,4}[a-z]?[*`]*$/i;
const ranking = /^(?:priority|prio|moscow|strength|level|importance)$/i;

/**
 * Returns the rows with a requirement: all rows of a table with a column for requirements, or else
 * rows with an obligation.
 */
export function requirementRows(table: MarkdownTable, inRequirements: boolean): RequirementRow[] {
  if (table.header.some((cell) => /^(?:weight|points?|score|grade|marks?)$/i.test(cell))) return [];
  const header = table.header.map((cell) => cell.replace(/[*_`]/g, '').trim());
  const asked = header.map((name) => asking.test(name) && !identifying.test(name));
  const identified =
    (inRequirements && header.some((name) => identifying.test(name))) ||
    table.rows.every(({ cells }) => identifier.test(cells[0] ?? ''));
  const whole = asked.includes(true) || identified;
  return table.rows.flatMap(({ line, cells }) => {
    const text = cells.filter((cell) => cell !== '').join(' | ');
    const open = cells.filter(
      (_, index) => !explaining.test(header[index] ?? '') && !ranking.test(header[index] ?? ''),
    );
    const said = open.join(' | ');
    const chosen = asked.includes(true) ? cells.filter((_, index) => asked[index]) : open;
    const filled = chosen.some(
      (cell) => /[\p{L}\p{N}]/u.test(cell) && !/^(?:n\/a|none|tbd)$/i.test(cell),
    );
    if (
      isQuestion(said) ||
      !((whole && filled) || isObligation(said) || open.some((cell) => isAction(cell, 'cell')))
    )
      return [];
    const rank = cells.find((_, index) => ranking.test(header[index] ?? '')) ?? '';
    if (/\bwon['’]?t\b/i.test(rank)) return [];
    return [{ line, text, strength: strengthOfRank(rank) ?? statedStrength(chosen.join(' ')) }];
  });
}

const peoplesWork =
  /^(?:monitor|review|plan|schedule|track|assign|start|begin|hold|train|test|validate|focus|communicate)\b/i;
const answering = /^(?:mitigations?|counter-?measures?|mitigation (?:strategy|plan))$/i;

/** Returns the rows of a table of risks whose mitigation is a command: "Add a daily backup". */
export function mitigationRows(table: MarkdownTable): RequirementRow[] {
  const column = table.header.findIndex((cell) =>
    answering.test(cell.replace(/[*_`]/g, '').trim()),
  );
  return table.rows.flatMap(({ line, cells }) => {
    const mitigation = cells[column] ?? '';
    if (!isCommand(mitigation) || peoplesWork.test(mitigation)) return [];
    return [{ line, text: cells.filter((cell) => cell !== '').join(' | '), strength: undefined }];
  });
}

function strengthOfRank(rank: string): RequirementStrength | undefined {
  if (/\b(?:must|shall|mandatory|required|critical|p0)\b/i.test(rank)) return 'MUST';
  if (/\b(?:should|high|medium|p1|p2)\b/i.test(rank)) return 'SHOULD';
  return /\b(?:may|could|optional|nice|low|p3)\b/i.test(rank) ? 'MAY' : undefined;
}
