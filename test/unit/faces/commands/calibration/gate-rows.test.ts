import { expect, it } from 'vitest';
import {
  calibrationLines,
  cheapestOrders,
  gateRows,
} from '@/faces/commands/calibration/calibration-lines.js';
import { llmCriterion } from '@/index.js';
import { gatesOf } from '@/products/calibration/gate.js';
import { calibrate } from '@/products/calibration/index.js';
import { scriptedJudge } from '@/testing/index.js';

const facts = { judges: ['strict', 'lenient'], prior: 0.15, confidence: 0.95 };
const text = (good: boolean, strict: boolean, lenient: boolean) => ({
  good,
  said: [{ passed: strict }, { passed: lenient }],
});
const texts = [
  ...Array.from({ length: 8 }, () => text(true, true, true)),
  ...Array.from({ length: 2 }, () => text(true, false, true)),
  ...Array.from({ length: 9 }, () => text(false, false, true)),
  text(false, true, true),
];

it('each set of judges is shown in its cheapest order, with what it lets through', () => {
  const rows = gateRows(cheapestOrders(gatesOf(texts, facts)));
  // asking the strict judge first spares a call where it fails
  expect(rows.map(([judges, bar, calls]) => [judges, bar, calls])).toEqual([
    ['strict', '-', '1'],
    ['lenient', '-', '1'],
    ['strict, lenient', '-', '1.7'],
  ]);
  expect(rows[0]?.slice(3)).toEqual(['80.0 % (49.0 to 94.3)', expect.stringMatching(/^2\.2 % \(/)]);
  expect(gateRows(gatesOf([], facts))[0]?.slice(3)).toEqual(['-', '-']);
});

it('a calibration of a judge that grades has a table by bar', async () => {
  const provider = scriptedJudge({ clear: (text) => (text.includes('good') ? 8 : 4) });
  const clear = llmCriterion<string, string>({ id: 'clear', question: 'How clear?', scale: 10 });
  const labelled = (['pass', 'fail'] as const).flatMap((label) =>
    Array.from({ length: 5 }, (_, index) => ({
      task: '',
      output: `${label === 'pass' ? 'good' : 'bad'} ${index}`,
      label,
    })),
  );
  const calibration = await calibrate(clear, labelled, { provider });
  const lines = calibrationLines(calibration, { reader: 'default', outColumns: 100 });
  const at = lines.indexOf('by bar');
  expect(lines[at + 1]).toMatch(/judges +bar +calls +right approved +wrong of approvals/);
  expect(lines.slice(at).find((line) => /clear +8 /.test(line))).toMatch(/100\.0 %.* 0\.0 %/);
  expect(lines.slice(at).find((line) => /clear +9 /.test(line))).toMatch(/ 0\.0 %.* -/);
});
