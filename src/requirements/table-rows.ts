import type { MarkdownTable } from './markdown.js';
import { mitigationRows } from './mitigation.js';
import type { SectionKind } from './sections.js';
import {
  permissionRows,
  type RequirementRow,
  requirementRows,
  type TablePlace,
} from './table-requirements.js';

/** Returns the rows of a table that ask in a section of a kind. */
export function rowsOf(
  table: MarkdownTable,
  kind: SectionKind,
  place: TablePlace,
): RequirementRow[] {
  if (kind === 'excluded') return [];
  if (kind === 'background') return mitigationRows(table);
  return kind === 'unclear' ? permissionRows(table) : requirementRows(table, kind, place);
}
