import { expect, it } from 'vitest';
import { diffLines, foldedLines } from '@/faces/reports/html/app/diff-lines.js';

it('makes one list of two texts, with the number of each line in its version', () => {
  expect(diffLines('a\nb\nc\n', 'a\nx\nc\n')).toEqual([
    { kind: 'same', text: 'a', before: 1, after: 1 },
    { kind: 'removed', text: 'b', before: 2 },
    { kind: 'added', text: 'x', after: 2 },
    { kind: 'same', text: 'c', before: 3, after: 3 },
  ]);
  expect(diffLines('', '')).toEqual([]);
});

it('folds equal lines that are far from a change and from a note', () => {
  const text = Array.from({ length: 12 }, (_, line) => `line ${line}`);
  const changed = text.with(6, 'other');
  const lines = diffLines(text.join('\n'), changed.join('\n'));
  const shown = foldedLines(lines, ({ before }) => before === 1);
  expect(shown.map((line) => (typeof line === 'number' ? line : line.text))).toEqual([
    ...['line 0', 'line 1', 3, 'line 5', 'line 6', 'other', 'line 7', 4],
  ]);
});
