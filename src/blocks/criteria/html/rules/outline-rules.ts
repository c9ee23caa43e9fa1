import { attribute, childrenOf, descendantsOf, type Element, keyword, wordsIn } from '../dom.js';
import type { PageModel } from '../model/page-model.js';
import { semanticRole } from '../model/roles.js';
import { type Answer, type HtmlRule, htmlRule } from '../rule.js';

export const outlineRules: readonly HtmlRule[] = [
  htmlRule({
    id: 'heading-order',
    name: 'Heading order',
    description: 'Headings skip no level',
    severity: 'minor',
    category: 'quality',
    version: 2,
    wcag: '1.3.1',
    things: 'headings',
    suggestedFix: 'Use the next heading level',
    judge: () => {
      let before: number | undefined;
      return (element) => {
        const level = levelOf(element);
        if (level === undefined) return undefined;
        const last = before ?? level;
        before = level;
        const description = `a heading of level ${level} follows one of level ${last}`;
        return level > last + 1 ? [{ description, suggestedFix: `Use level ${last + 1}` }] : [];
      };
    },
  }),
  htmlRule({
    id: 'table-has-headers',
    name: 'Tables have headers',
    description: 'Every table of data has header cells',
    wcag: '1.3.1',
    things: 'tables of data',
    suggestedFix: 'Use <th scope="col"> or <th scope="row"> for the cells that name the others',
    judge: (model) => (element) =>
      isTable(element) ? judgeTable(element, gridOf(element), model) : undefined,
  }),
  htmlRule({
    id: 'table-headers',
    name: 'Headers of table cells',
    description: 'Every headers attribute names other cells of the same table',
    wcag: '1.3.1',
    act: ['a25f45'],
    things: 'headers attributes',
    suggestedFix: 'Name the ids of header cells of the same table',
    everywhere: true,
    judge: (model) => {
      const tables = cellsByElement(model);
      return (element) => {
        const { cells } = tables.get(element) ?? {};
        const ids = cells === undefined ? [] : wordsIn(element, 'headers');
        if (ids.length === 0) return undefined;
        const wrong = ids.find((id) => {
          const [target] = model.page.byId.get(id) ?? [];
          return target === undefined || target === element || tables.get(target)?.cells !== cells;
        });
        return wrong === undefined
          ? []
          : [`headers="${wrong.slice(0, 60)}" names no other cell of this table`];
      };
    },
  }),
  htmlRule({
    id: 'table-header-cells',
    version: 2,
    name: 'Header cells with data cells',
    description: 'Every header cell of a table has at least one other cell',
    wcag: '1.3.1',
    act: ['d0f69e'],
    things: 'header cells',
    suggestedFix: 'Use td for data cells, or give the header its cells',
    judge: (model) => {
      const tables = cellsByElement(model);
      return (element) => {
        if (!isHeader(element)) return undefined;
        if (!/^t[hd]$/.test(element.tagName))
          return { unchecked: 'a table made by roles is not counted' };
        const { cell, cells, named } = tables.get(element) ?? {};
        if (cell === undefined || cells === undefined) return undefined;
        return named?.has(attribute(element, 'id') ?? '') === true || hasCells(cell, cells)
          ? []
          : ['no cell belongs to this header cell'];
      };
    },
  }),
];

/** Elements that a cell with plain data may contain. */
const inline =
  /^(?:a|abbr|b|bdi|br|cite|code|data|del|em|i|ins|kbd|mark|s|small|span|strong|sub|sup|time|u|var|wbr)$/;
const longestCell = 120;

function levelOf(element: Element): number | undefined {
  if (semanticRole(element) !== 'heading') return undefined;
  const stated = Number(attribute(element, 'aria-level'));
  const native = /^h([1-6])$/.exec(element.tagName)?.[1];
  return Number.isInteger(stated) && stated > 0 ? stated : Number(native ?? 2);
}

function isTable(element: Element): boolean {
  return element.tagName === 'table' && /^(?:table|grid|treegrid)$/.test(semanticRole(element));
}

function isHeader(element: Element): boolean {
  return /^(?:column|row)header$/.test(semanticRole(element));
}

interface TableCell {
  readonly cell: Cell;
  readonly cells: readonly Cell[];
  readonly named: ReadonlySet<string>;
}

function cellsByElement({ page, exposure }: PageModel): ReadonlyMap<Element, TableCell> {
  const found = new Map<Element, TableCell>();
  for (const table of page.elements) {
    if (!exposure.isExposed(table) || !isTable(table)) continue;
    const cells = gridOf(table);
    const named = new Set(cells.flatMap(({ element }) => wordsIn(element, 'headers')));
    for (const cell of cells) found.set(cell.element, { cell, cells, named });
  }
  return found;
}

function hasCells(header: Cell, cells: readonly Cell[]): boolean {
  const scope = keyword(header.element, 'scope');
  const forRows = semanticRole(header.element) === 'rowheader' || scope.startsWith('row');
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

function judgeTable(table: Element, cells: readonly Cell[], model: PageModel): Answer {
  if (cells.some(({ element }) => isHeader(element))) return [];
  const rows = new Set(cells.map(({ row }) => row)).size;
  const columns = new Set(cells.map(({ column }) => column)).size;
  // a list, or a single row, has nothing to name
  if (rows < 2 || columns < 2) return undefined;
  const saysItself = childrenOf(table).some(
    (node) =>
      node.tagName === 'caption' ||
      (node.tagName === 'thead' && childrenOf(node).some(({ tagName }) => tagName === 'tr')),
  );
  if (saysItself) return ['the table has a caption or a head, but no header cell'];
  return cells.length >= 6 && cells.every(({ element }) => isPlain(element, model))
    ? ['the table has no header cell']
    : { unchecked: 'the table may only arrange things' };
}

function isPlain(cell: Element, { names }: PageModel): boolean {
  for (const { tagName } of descendantsOf(cell)) if (!inline.test(tagName)) return false;
  const text = names.contentOf(cell);
  return text !== '' && text.length <= longestCell;
}

interface Cell {
  readonly element: Element;
  readonly row: number;
  readonly column: number;
  readonly width: number;
  readonly height: number;
}

const widest = 1000;
const mostCells = 5000;

function gridOf(table: Element): Cell[] {
  const cells: Cell[] = [];
  const free: number[] = [];
  for (const [row, line] of rowsOf(table).entries()) {
    let column = 0;
    for (const element of childrenOf(line)
      .filter(({ tagName }) => /^t[dh]$/.test(tagName))
      .slice(0, mostCells - cells.length)) {
      while ((free[column] ?? 0) > row) column += 1;
      const width = spanOf(element, 'colspan');
      const height = spanOf(element, 'rowspan');
      cells.push({ element, row, column, width, height });
      free.splice(column, width, ...Array.from({ length: width }, () => row + height));
      column += width;
    }
  }
  return cells;
}

function rowsOf(table: Element): Element[] {
  const parts = childrenOf(table).flatMap((node) =>
    /^t(?:head|body|foot)$/.test(node.tagName) ? childrenOf(node) : [node],
  );
  return parts.filter(({ tagName }) => tagName === 'tr');
}

function spanOf(element: Element, name: string): number {
  const span = Number.parseInt(attribute(element, name) ?? '1', 10);
  return Number.isNaN(span) || span < 1 ? 1 : Math.min(span, widest);
}
