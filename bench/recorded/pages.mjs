// The pages that show tables of recorded judges. Each stands between `<!-- recorded NAME -->` and `<!-- /recorded -->`.
import { resolve } from 'node:path';
import { tables } from './tables.mjs';

export const pages = ['README.md', 'docs/trust.md'];

const marked = /(<!-- recorded (\w+) -->\n)([\s\S]*?)(<!-- \/recorded -->)/g;

/**
 * Returns the pages with a table that differs from the record, and their right texts.
 *
 * @throws if a page shows no table, or one that nobody makes
 */
export function staleTables(root, items, read) {
  return pages.flatMap((page) => {
    const before = read(resolve(root, page), 'utf8');
    const stale = [];
    let shown = 0;
    const text = before.replace(marked, (_, open, name, table, close) => {
      const make = tables[name];
      if (make === undefined) throw new Error(`${page} shows an unknown table: ${name}`);
      shown += 1;
      const right = `\n${make(items)}\n\n`;
      if (right !== table) stale.push(name);
      return `${open}${right}${close}`;
    });
    if (shown === 0) throw new Error(`${page} shows no table of recorded judges`);
    return stale.length === 0 ? [] : [{ page, text, tables: stale }];
  });
}
