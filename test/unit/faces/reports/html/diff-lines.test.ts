import { diffArrays } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, foldedLines, lineEdits } from '@/faces/reports/html/app/diff-lines.js';
import { seed } from '../../../../support/seed.js';

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

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 30 });
const textsOf = (edits: ReturnType<typeof lineEdits>, not: string) =>
  edits.filter(({ kind }) => kind !== not).map(({ text }) => text);
const changesIn = (edits: ReturnType<typeof lineEdits>) =>
  edits.filter(({ kind }) => kind !== 'same').length;

describe('the edits between two texts', () => {
  it('contain both texts, and are as few as those of a library', () => {
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const edits = lineEdits(a, b, 1000);
        expect(textsOf(edits, 'added')).toEqual(a);
        expect(textsOf(edits, 'removed')).toEqual(b);
        const theirs = diffArrays(a, b).filter(({ added, removed }) => added || removed);
        expect(changesIn(edits)).toBe(theirs.reduce((sum, { count }) => sum + count, 0));
      }),
      { seed },
    );
  });

  it('replace everything between the equal ends where there are too many', () => {
    const edits = lineEdits(['x', 'a', 'b', 'c', 'y'], ['x', 'd', 'b', 'e', 'y'], 1);
    expect(edits.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'same x',
      'removed a',
      'removed b',
      'removed c',
      'added d',
      'added b',
      'added e',
      'same y',
    ]);
  });
});
