import { isAction, isCommand } from './demand.js';
import type { MarkdownTable } from './markdown.js';
import { plainStart, wordCount } from './obligation.js';
import type { RequirementRow } from './table-requirements.js';

const peoplesWork =
  /^(?:monitor|review|plan|schedule|track|assign|start|begin|hold|train|test|validate|focus|communicate)\b/i;
/** Matches a remedy that is the work of people, or a judgement: "Regular drills", "Low risk". */
const peoples =
  /\b(?:training|drills?|meetings?|reviews?|test(?:s|ed|ing)?|playbooks?|hir(?:e|ing)|budget|buffers?|marketing|legal|lawyers?|insurance|interviews?|surveys?|feedback|communication|onboarding|research|consult\w*|diversif\w+|partners?(?:hips?)?|contracts?|prioriti[sz]\w+|timebox\w*|audits?|phased|pilots?|team|stakeholders?|sufficient|acceptable|accept(?:ed)?|unlikely|already|existing|monitoring|not applicable|documentation|early|regular(?:ly)?|thorough)\b/i;
const answering =
  /\bmitigat|^(?:counter-?measures?|(?:\w+ )?solutions?|remed(?:y|ies)|(?:risk )?(?:responses?|treatments?|handling|controls?)|preventions?|safeguards?|contingenc(?:y|ies)|how (?:we|it|to) .*)$/i;

/** Returns the rows of a table of risks whose mitigation says what the result does: "Daily backup". */
export function mitigationRows(table: MarkdownTable): RequirementRow[] {
  const column = table.header.findIndex((cell) =>
    answering.test(cell.replace(/[*_`]/g, '').trim()),
  );
  return table.rows.flatMap(({ line, cells }) => {
    const clauses = (cells[column] ?? '').split(/[,;+]\s|[.;]\s|\s[-–—]\s/);
    if (!clauses.some(isRemedy)) return [];
    return [{ line, text: cells.filter((cell) => cell !== '').join(' | '), strength: undefined }];
  });
}

/** Returns whether a clause of a mitigation commands, or names a part of the result. */
function isRemedy(clause: string): boolean {
  const said = plainStart(clause).trim();
  if (/^(?:none\b|no (?:changes?|actions?|impact|risks?)\b)/i.test(said)) return false;
  if (isMitigation(said) || isAction(said)) return true;
  return (
    wordCount(said) > 1 &&
    !peoplesWork.test(said) &&
    !peoples.test(said) &&
    !/[?]$|^no\b|\bnot?\b/i.test(said)
  );
}

/** Returns whether a text commands something against a risk that is not the work of people. */
function isMitigation(text: string): boolean {
  return isCommand(text) && !peoplesWork.test(text);
}

/** Returns whether a text about a risk also says what to do: "Slow start; cache the list". */
export function mitigates(text: string): boolean {
  const [, ...clauses] = text.split(/(?:[.;]|\s[-–—])[*_]*\s+/);
  return clauses.some((clause) => isMitigation(clause));
}
