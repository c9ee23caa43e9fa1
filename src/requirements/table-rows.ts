import type { MarkdownTable } from './markdown.js';
import { mitigationRows } from './mitigation.js';
import {
  permissionRows,
  type RequirementRow,
  requirementRows,
  type TablePlace,
} from './table-requirements.js';

/** Returns the rows of a table that ask in a section of a kind. */
export function rowsOf(table: MarkdownTable, place: TablePlace): RequirementRow[] {
  if (place.kind === 'excluded') return [];
  if (place.kind === 'background') return mitigationRows(table);
  return place.kind === 'unclear' ? permissionRows(table) : requirementRows(table, place);
}
