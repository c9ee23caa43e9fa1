// Which contenders do better than an arrangement in turn at as many judge calls or fewer, and which plain loop is the strongest.
import { contenders } from './contenders.mjs';

const ours = new Set(['in turn', 'within a risk', 'preset']);
const isOurs = ({ name }) => ours.has(contenders[name].kind);
const percent = ({ value }) => `${(100 * value).toFixed(1)} %`;
const beyond = (a, b) => (a.value - b.value) / Math.hypot(a.error, b.error);

/** Judge calls that are as good as equal. */
const equalCalls = 1.02;
const atMost = (cell, other) => other.figures.calls <= cell.figures.calls * equalCalls;

/** For each arrangement in turn: who is better in clean, or in wrong of approvals while it approves as much, by two standard errors. */
export function strongerThan(cells) {
  return cells.list
    .filter(({ name, counts }) => contenders[name].kind === 'in turn' && counts.runs >= 500)
    .map((cell) => ({
      cell,
      others: cells
        .under(cell.regime, cell.seed)
        .filter((other) => !isOurs(other) && atMost(cell, other))
        .flatMap((other) => {
          const why = whyStronger(cell.figures, other.figures);
          return why === undefined ? [] : [{ name: other.name, why }];
        }),
    }));
}

function whyStronger(mine, other) {
  if (beyond(other.clean, mine.clean) > 2)
    return `clean ${percent(other.clean)} against ${percent(mine.clean)}`;
  const approves = other.approved.value > 0 && other.approved.value >= 0.95 * mine.approved.value;
  if (approves && beyond(mine.falseApprovals, other.falseApprovals) > 2)
    return `wrong of approvals ${percent(other.falseApprovals)} against ${percent(mine.falseApprovals)}`;
  return undefined;
}

/** Who is wrong less often in its approvals at as many calls or fewer, but approves less. */
export const fewerButBetter = (cells, cell) =>
  cells
    .under(cell.regime, cell.seed)
    .filter((other) => !isOurs(other) && atMost(cell, other) && other.counts.approved > 0)
    .filter(({ figures }) => beyond(cell.figures.falseApprovals, figures.falseApprovals) > 2);

/** The plain loop with the most clean versions that asks at most as much as a cell. */
export function strongestPlain(cells, cell) {
  const affordable = cells
    .under(cell.regime, cell.seed)
    .filter((other) => contenders[other.name].kind === 'plain' && atMost(cell, other));
  return affordable.reduce(
    (best, other) =>
      best === undefined || other.figures.clean.value > best.figures.clean.value ? other : best,
    undefined,
  );
}
