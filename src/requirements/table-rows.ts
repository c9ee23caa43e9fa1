import type { MarkdownTable } from './markdown.js';
import { mitigationRows } from './mitigation.js';
import type { SectionKind } from './sections.js';
import { permissionRows, type RequirementRow, requirementRows } from './table-requirements.js';

/** Returns the rows of a table that ask in a section of a kind. */
export function rowsOf(
  table: MarkdownTable,
  place: { readonly kind: SectionKind; readonly listed: boolean },
): RequirementRow[] {
  if (place.kind === 'excluded') return [];
  if (place.kind === 'background') return mitigationRows(table);
  return place.kind === 'unclear' ? permissionRows(table) : requirementRows(table, place);
}
