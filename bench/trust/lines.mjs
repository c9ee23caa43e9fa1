// What a file of table.mjs holds, cell by cell.
import { readFileSync } from 'node:fs';
import { figures } from './measure.mjs';

/** The points that were checked first, and the cells with all their chunks put together. */
export function readLines(file) {
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const cells = new Map();
  for (const { regime, name, counts } of lines.filter((line) => line.counts !== undefined)) {
    const key = `${regime}\u0000${name}`;
    const before = cells.get(key)?.counts ?? {};
    cells.set(key, {
      regime,
      name,
      counts: Object.fromEntries(
        Object.entries(counts).map(([what, count]) => [what, (before[what] ?? 0) + count]),
      ),
    });
  }
  const rows = [...cells.values()].map((row) => ({ ...row, figures: figures(row.counts) }));
  return { points: lines.find(({ points }) => points !== undefined)?.points, rows };
}
