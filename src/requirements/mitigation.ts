import { isCommand } from './demand.js';
import type { MarkdownTable } from './markdown.js';
import type { RequirementRow } from './table-requirements.js';

const peoplesWork =
  /^(?:monitor|review|plan|schedule|track|assign|start|begin|hold|train|test|validate|focus|communicate)\b/i;
const answering =
  /^(?:mitigations?|counter-?measures?|mitigation (?:strategy|plan)|(?:\w+ )?solutions?|remed(?:y|ies))$/i;

/** Returns the rows of a table of risks whose mitigation is a command: "Add a daily backup". */
export function mitigationRows(table: MarkdownTable): RequirementRow[] {
  const column = table.header.findIndex((cell) =>
    answering.test(cell.replace(/[*_`]/g, '').trim()),
  );
  return table.rows.flatMap(({ line, cells }) => {
    const mitigation = cells[column] ?? '';
    if (!isMitigation(mitigation)) return [];
    return [{ line, text: cells.filter((cell) => cell !== '').join(' | '), strength: undefined }];
  });
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
