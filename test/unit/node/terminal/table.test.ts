import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { paintFindings, paintFor } from '@/node/terminal/colours.js';
import { cut, pad, tableOf, widthOf } from '@/node/terminal/table.js';

test('columns are aligned by the width that characters take', () => {
  expect(
    tableOf(
      [
        ['a.html:1', 'major', 'x'],
        ['漢字.html:12', 'critical', 'y'],
      ],
      { columns: undefined },
    ),
  ).toEqual(['a.html:1      major     x', '漢字.html:12  critical  y']);
});

test('no line is wider than the terminal', () => {
  const cell = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell, cell), { maxLength: 5 }),
      fc.integer({ min: 10, max: 120 }),
      (rows, columns) => tableOf(rows, { columns }).every((line) => widthOf(line) <= columns),
    ),
  );
});

test.each([0, 1, 2])(
  'a terminal of %d columns ends the search for what fits [R2-079]',
  (columns) => {
    for (const line of tableOf([['a long path/index.html:14', 'major', 'x']], { columns }))
      expect(widthOf(line)).toBeLessThanOrEqual(columns);
  },
);

test('emoji take two columns [R2-090]', () => {
  for (const text of ['✅', '⚠️', '⌚', '👨‍👩‍👧‍👦']) expect(widthOf(text), text).toBe(2);
});

test('a long path keeps its end', () => {
  const [line] = tableOf([[`${'folder/'.repeat(20)}index.html:14`, 'major']], {
    columns: undefined,
  });
  expect(line).toMatch(/^….*index\.html:14 {2}major$/);
});

test('cut and pad', () => {
  expect([cut('abcdef', 4), cut('abc', 3), cut('abc', 0), pad('é', 3), widthOf('e\u0301')]).toEqual(
    ['abc…', 'abc', '', 'é  ', 1],
  );
});

test('an emoji or a letter with its accent is one character of its own width', () => {
  expect([widthOf('🇩🇪'), widthOf('👍🏽'), widthOf('한'), widthOf('①')]).toEqual([2, 2, 2, 1]);
  expect([cut('🇩🇪🇫🇷🇮🇹', 4), cut('e\u0301e\u0301e\u0301', 2)]).toEqual(['🇩🇪…', 'e\u0301…']);
});

test('colours only where they are wanted', () => {
  expect(paintFor(false)('major', 'x')).toBe('x');
  expect(paintFor(true)('major', 'x')).toContain('\u001b[31m');
});

it('severities and the verdict of findings are coloured, and nothing else [P4-31]', () => {
  const text =
    '2 issues found:\n  MAJOR: No error handling (api.py:45)\n  MINOR: say MAJOR: twice\n\nVerdict: REVIEW_FAILED';
  expect(paintFindings(text, paintFor(false))).toBe(text);
  const painted = paintFindings(text, paintFor(true));
  expect(painted).toContain('\u001b[31mMAJOR\u001b[39m: No error');
  expect(painted).toContain('\u001b[33mMINOR\u001b[39m: say MAJOR: twice');
  expect(painted).not.toContain('Verdict: REVIEW_FAILED');
});
