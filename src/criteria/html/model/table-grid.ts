import { attribute, type Element } from '../dom.js';

/** The positions of the cells of a table. */
export interface Grid {
  readonly cells: readonly {
    readonly element: Element;
    readonly row: number;
    readonly column: number;
    readonly width: number;
    readonly height: number;
  }[];
}

const widest = 1000;
const mostCells = 5000;

/** Returns the positions and spans of the first 5,000 cells of a table. */
export function gridOf(table: Element): Grid {
  const cells: Grid['cells'][number][] = [];
  /** The next free row of each column. */
  const free: number[] = [];
  for (const [row, line] of rowsOf(table).entries()) {
    let column = 0;
    for (const element of cellsOf(line).slice(0, mostCells - cells.length)) {
      while ((free[column] ?? 0) > row) column += 1;
      const width = spanOf(element, 'colspan');
      const height = spanOf(element, 'rowspan');
      cells.push({ element, row, column, width, height });
      free.splice(column, width, ...Array.from({ length: width }, () => row + height));
      column += width;
    }
  }
  return { cells };
}

function cellsOf(line: Element): Element[] {
  return line.childNodes.filter(
    (node): node is Element => 'tagName' in node && /^t[dh]$/.test(node.tagName),
  );
}

function rowsOf(table: Element): Element[] {
  const parts = table.childNodes.flatMap((node) =>
    'tagName' in node && /^t(?:head|body|foot)$/.test(node.tagName) ? node.childNodes : [node],
  );
  return parts.filter((node): node is Element => 'tagName' in node && node.tagName === 'tr');
}

function spanOf(element: Element, name: string): number {
  const span = Number.parseInt(attribute(element, name) ?? '1', 10);
  return Number.isNaN(span) || span < 1 ? 1 : Math.min(span, widest);
}
