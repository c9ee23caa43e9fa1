import { attribute, type Element, type Page } from '../dom.js';
import { modelOf } from '../model/page-model.js';
import { semanticRole } from '../model/roles.js';
import { type Grid, gridOf } from '../model/table-grid.js';
import { foundAt, uncheckedAt } from '../place.js';
import type { HtmlRule } from '../rule.js';

const common = {
  severity: 'major',
  category: 'incorrect',
  version: 1,
  repairs: false,
  wcag: '1.3.1',
} as const;

/** The rule for `headers` of table cells. */
export const tableHeaders: HtmlRule = {
  ...common,
  id: 'table-headers',
  name: 'Headers of table cells',
  description: 'Every headers attribute names other cells of the same table',
  act: ['a25f45'],
  things: 'headers attributes',
  suggestedFix: 'Name the ids of header cells of the same table',
  judge: ({ pages }) => {
    let judged = 0;
    const findings = pages.flatMap((page) => {
      const { exposure } = modelOf(page);
      return page.elements.flatMap((table) => {
        const cells =
          table.tagName === 'table' && exposure.isExposed(table) && isTable(table)
            ? gridOf(table).cells
            : [];
        const inTable = new Set(cells.map(({ element }) => element));
        return [...inTable].flatMap((element) => {
          const ids = (attribute(element, 'headers') ?? '')
            .split(/\s+/, 50)
            .filter((id) => id !== '');
          if (ids.length === 0) return [];
          judged += 1;
          const wrong = ids.find((id) => {
            const [target] = page.byId.get(id) ?? [];
            return target === undefined || target === element || !inTable.has(target);
          });
          return wrong === undefined
            ? []
            : [
                foundAt(page, element, {
                  description: `headers="${wrong.slice(0, 60)}" names no other cell of this table`,
                }),
              ];
        });
      });
    });
    return { judged, findings };
  },
};

export const tableHeaderCells: HtmlRule = {
  ...common,
  id: 'table-header-cells',
  version: 2,
  name: 'Header cells with data cells',
  description: 'Every header cell of a table has at least one other cell',
  act: ['d0f69e'],
  things: 'header cells',
  suggestedFix: 'Use td for data cells, or give the header its cells',
  judge: ({ pages }) => {
    let judged = 0;
    const findings = pages.flatMap((page) => {
      const { exposure } = modelOf(page);
      return page.elements.flatMap((table) => {
        if (table.tagName !== 'table' || !exposure.isExposed(table) || !isTable(table)) return [];
        const grid = gridOf(table);
        const headers = grid.cells.filter(
          ({ element }) =>
            exposure.isExposed(element) && /^(?:column|row)header$/.test(semanticRole(element)),
        );
        judged += headers.length;
        const named = namedHeaders(grid);
        return headers
          .filter(
            (header) =>
              !named.has(attribute(header.element, 'id') ?? '') && !hasCells(header, grid),
          )
          .map(({ element }) =>
            foundAt(page, element, { description: 'no cell belongs to this header cell' }),
          );
      });
    });
    return { judged, findings, unchecked: pages.flatMap(headersByRole) };
  },
};

/** Names header cells that only roles make: their columns are not counted. */
function headersByRole(page: Page): string[] {
  const { exposure } = modelOf(page);
  return page.elements
    .filter(
      (element) =>
        !/^t[hd]$/.test(element.tagName) &&
        /^(?:column|row)header$/.test(semanticRole(element)) &&
        exposure.isExposed(element),
    )
    .map((element) => uncheckedAt(page, element, 'a table made by roles is not counted'));
}

function isTable(table: Element): boolean {
  return /^(?:table|grid|treegrid)$/.test(semanticRole(table));
}

function namedHeaders({ cells }: Grid): ReadonlySet<string> {
  return new Set(
    cells
      .flatMap(({ element }) => (attribute(element, 'headers') ?? '').split(/\s+/, 50))
      .filter((id) => id !== ''),
  );
}

/** Returns whether a cell is below a column header or beside a row header. */
function hasCells(header: Grid['cells'][number], { cells }: Grid): boolean {
  const role = semanticRole(header.element);
  const scope = attribute(header.element, 'scope')?.trim().toLowerCase() ?? '';
  const forRows = role === 'rowheader' || scope.startsWith('row');
  const forColumns = !forRows || scope.startsWith('col');
  return cells.some((cell) => {
    if (cell === header || attribute(cell.element, 'headers') !== undefined) return false;
    const sameColumn =
      cell.column < header.column + header.width && header.column < cell.column + cell.width;
    const sameRow = cell.row < header.row + header.height && header.row < cell.row + cell.height;
    if (forColumns && sameColumn && cell.row > header.row) return true;
    return (forRows || scope === '') && sameRow && (forRows || cell.column > header.column);
  });
}
