import { figureText } from '../../core/score-text.js';
import type { Gate } from '../gate.js';

/** The titles of the columns of {@link gateRows}. */
export const gateTitles = ['judges', 'bar', 'calls', 'right approved', 'wrong of approvals'];

/** Returns what gates let through, in per cent with intervals. */
export function gateRows(gates: readonly Gate[]): string[][] {
  return gates.map(({ judges, bar, calls, right, wrong }) => [
    judges.join(', '),
    bar === null ? '-' : String(bar),
    figureText(calls),
    percent(right),
    percent(wrong),
  ]);
}

function percent(figure: Gate['wrong']): string {
  if (figure === null) return '-';
  const [value, low, high] = [figure.value, figure.low, figure.high].map((share) =>
    (share * 100).toFixed(1),
  );
  return `${value} % (${low} to ${high})`;
}

/** Returns the gate of each set of judges in its cheapest order: what passes is the same in each. */
export function cheapestOrders(gates: readonly Gate[]): Gate[] {
  const best = new Map<string, Gate>();
  for (const gate of gates) {
    const key = [...gate.judges].sort().join('\n');
    const known = best.get(key);
    if (known === undefined || gate.calls < known.calls) best.set(key, gate);
  }
  return [...best.values()];
}
