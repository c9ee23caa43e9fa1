import type { Element } from '../dom.js';
import type { PageModel } from '../model/page-model.js';
import { semanticRole } from '../model/roles.js';
import { type Grid, gridOf } from '../model/table-grid.js';
import { type Answer, type HtmlRule, judgeEach } from '../rule.js';

/** Elements that a cell with plain data may contain. */
const inline =
  /^(?:a|abbr|b|bdi|br|cite|code|data|del|em|i|ins|kbd|mark|s|small|span|strong|sub|sup|time|u|var|wbr)$/;
const longestCell = 120;

/** The rule for tables without any header cell. */
export const tableHasHeaders: HtmlRule = {
  id: 'table-has-headers',
  name: 'Tables have headers',
  description: 'Every table of data has header cells',
  severity: 'major',
  category: 'incorrect',
  version: 1,
  wcag: '1.3.1',
  things: 'tables of data',
  suggestedFix: 'Use <th scope="col"> or <th scope="row"> for the cells that name the others',
  repairs: false,
  judge: ({ pages }) =>
    judgeEach(pages, (model) => (element) => {
      if (
        element.tagName !== 'table' ||
        !model.exposure.isExposed(element) ||
        !/^(?:table|grid|treegrid)$/.test(semanticRole(element))
      )
        return undefined;
      return answerTo(element, gridOf(element), model);
    }),
};

function answerTo(table: Element, { cells }: Grid, model: PageModel): Answer {
  if (cells.some(({ element }) => /^(?:column|row)header$/.test(semanticRole(element)))) return [];
  const rows = new Set(cells.map(({ row }) => row)).size;
  const columns = new Set(cells.map(({ column }) => column)).size;
  // a list, or a single row, has nothing to name
  if (rows < 2 || columns < 2) return undefined;
  if (namesItself(table)) return ['the table has a caption or a head, but no header cell'];
  return cells.length >= 6 && cells.every(({ element }) => isPlain(element, model))
    ? ['the table has no header cell']
    : { unchecked: 'the table may only arrange things' };
}

/** Returns whether a table says by its parts that it contains data. */
function namesItself(table: Element): boolean {
  return table.childNodes.some(
    (node) =>
      'tagName' in node &&
      (node.tagName === 'caption' || (node.tagName === 'thead' && node.childNodes.some(isRow))),
  );
}

function isRow(node: Element['childNodes'][number]): boolean {
  return 'tagName' in node && node.tagName === 'tr';
}

/** Returns whether a cell contains a short text and nothing else. */
function isPlain(cell: Element, { names }: PageModel): boolean {
  const waiting = [...cell.childNodes];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!('tagName' in node)) continue;
    if (!inline.test(node.tagName)) return false;
    waiting.push(...node.childNodes);
  }
  const text = names.contentOf(cell);
  return text !== '' && text.length <= longestCell;
}
