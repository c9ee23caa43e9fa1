// The cells of a file of measurements, with all their chunks put together.
import { appendFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { seeds } from './jobs.mjs';
import { add, figures } from './measure.mjs';
import { linesOf } from './rounds.mjs';

/** What the pages are made of: one line a cell. */
export const measuredFile = fileURLToPath(new URL('measured.jsonl', import.meta.url));

/** The cells of a file; `find` gives one of them. */
export function cellsIn(file = measuredFile) {
  const list = cellsOf(linesOf(file)).map((one) => ({ ...one, figures: figures(one.counts) }));
  return {
    list,
    find: (regime, name, seed = seeds.tables) =>
      list.find((one) => one.regime === regime && one.name === name && one.seed === seed),
    under: (regime, seed = seeds.tables) =>
      list.filter((one) => one.regime === regime && one.seed === seed),
  };
}

/** The cells of lines, or of some of them. */
function cellsOf(lines, isPart = () => true) {
  const cells = new Map();
  for (const { seed, regime, name, counts, cpuMs = 0 } of lines.filter(isPart)) {
    const key = [seed, regime, name].join('|');
    const known = cells.get(key) ?? { seed, regime, name, counts: {}, cpuMs: 0 };
    add(known.counts, counts);
    known.cpuMs += cpuMs;
    cells.set(key, known);
  }
  return [...cells.values()];
}

/** Writes the cells of a file to another one, without what is nothing. All of a regime are over tasks that judges in turn had. */
export function condensed(file, to = measuredFile) {
  const whole = cellsIn(file);
  const tasksOf = ({ seed, regime }) => whole.find(regime, 'in turn 4/6', seed)?.counts.runs ?? 0;
  const isPart = (line) => line.name.endsWith('within a risk') || line.from < tasksOf(line);
  rmSync(to, { force: true });
  for (const { seed, regime, name, counts, cpuMs } of cellsOf(linesOf(file), isPart)) {
    const some = Object.fromEntries(
      Object.entries(counts)
        .filter(([, count]) => count !== 0)
        .map(([what, count]) => [what, Math.round(count * 100) / 100]),
    );
    appendFileSync(to, `${JSON.stringify({ seed, regime, name, cpuMs, counts: some })}\n`);
  }
}
