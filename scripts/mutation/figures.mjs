const head = ['file', 'score', 'killed', 'timed out', 'survived', 'no test', 'left out', 'error'];

/** Returns whether a mutant timed out: vitest ends a test that hangs, before Stryker ends its process. */
export const isLate = ({ status, statusReason }) =>
  status === 'Timeout' ||
  (status === 'Killed' && /(?:Test|Hook) timed out in \d+ms/.test(statusReason ?? ''));

/** Returns whether a mutant ran a piece of code far too often, which no busy machine explains. */
export const isEndless = ({ statusReason }) => /Hit limit/.test(statusReason ?? '');

/** Returns a line of the table. */
function row(name, mutants) {
  const by = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const found = by('Killed', 'Timeout');
  const late = mutants.filter(isLate).length;
  const all = found + by('Survived', 'NoCoverage');
  const score = all === 0 ? '-' : `${((100 * found) / all).toFixed(2)} %`;
  const cells = [score, found - late, late, by('Survived'), by('NoCoverage')];
  return [name, ...cells, by('Ignored'), by('RuntimeError')];
}

/** Returns the 95 % interval of Wilson, in percent: where the score of all lies, if a part was tried. */
export function interval(report) {
  const mutants = Object.values(report.files).flatMap((file) => file.mutants);
  const by = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const found = by('Killed', 'Timeout');
  const all = found + by('Survived', 'NoCoverage');
  if (all === 0) return undefined;
  const z = 1.96;
  const middle = found / all + z ** 2 / (2 * all);
  const half = z * Math.sqrt((found * (all - found)) / all ** 3 + z ** 2 / (4 * all ** 2));
  return [middle - half, middle + half].map((end) => (100 * end) / (1 + z ** 2 / all));
}

/** Returns a table: a line for each file, and one for all. */
export function figures(report, { source, bar }) {
  const files = Object.entries(report.files);
  const all = files.flatMap(([, { mutants }]) => mutants);
  const rows = files.map(([file, { mutants }]) => row(file, mutants));
  return [head, ...rows, row(`${source}, bar ${bar} %`, all)].map(([name, ...cells]) =>
    [name.padEnd(56), ...cells.map((cell) => String(cell).padStart(9))].join(' '),
  );
}

/** Returns a line for each fault that no test found: where, what it was, and what it became. */
export const survivorLines = (report) =>
  linesOf(report, ({ status }) =>
    status === 'Survived' ? '' : status === 'NoCoverage' ? '(no test) ' : undefined,
  );

/** Returns a line for each fault that made a test hang. */
export const lateLines = (report) =>
  linesOf(report, (mutant) => (isLate(mutant) ? '(hangs) ' : undefined));

/** Returns a line for each mutant that has a mark. */
function linesOf(report, markOf) {
  return Object.entries(report.files).flatMap(([file, { mutants, source }]) =>
    mutants
      .filter((mutant) => markOf(mutant) !== undefined)
      .map((mutant) => {
        const { start, end } = mutant.location;
        const place = `${file}:${start.line}:${start.column}`;
        return `${place} ${markOf(mutant)}${cut(source, start, end)} -> ${short(mutant.replacement)}`;
      }),
  );
}

function cut(source, start, end) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return short(lines.join(' '));
}

const short = (text) => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 87)}...` : line;
};
