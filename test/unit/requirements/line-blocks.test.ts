import { describe, expect, it } from 'vitest';
import { lineBlocks } from '../../../src/requirements/line-blocks.js';
import { readLine } from '../../../src/requirements/markdown-line.js';

describe('readLine', () => {
  it.each([
    ['', { kind: 'blank' }],
    ['> said', { kind: 'quote' }],
    ['## Title ##', { kind: 'heading', level: 2, text: 'Title' }],
    ['####', { kind: 'heading', level: 4, text: '' }],
    ['#hashtag', { kind: 'text', indent: 0, text: '#hashtag' }],
    ['===', { kind: 'underline', level: 1 }],
    ['--', { kind: 'underline', level: 2 }],
    ['* * *', { kind: 'rule' }],
    ['|---|:-:|', { kind: 'separator' }],
    ['| a | b |', { kind: 'row', text: 'a | b' }],
    [
      '\t- [X] done',
      { kind: 'item', indent: 4, form: 'task', start: 1, text: 'done', checked: true },
    ],
    ['7) seventh', { kind: 'item', indent: 0, form: 'numbered', start: 7, text: 'seventh' }],
    ['•dot', { kind: 'item', indent: 0, form: 'bullet', start: 1, text: 'dot' }],
    [
      '2. [ ] open',
      { kind: 'item', indent: 0, form: 'task', start: 2, text: 'open', checked: false },
    ],
    ['  plain -text', { kind: 'text', indent: 2, text: 'plain -text' }],
    [`| ${'x'.repeat(2000)} |`, { kind: 'text', indent: 0, text: `| ${'x'.repeat(2000)} |` }],
  ])('%j', (line, expected) => {
    expect(readLine(line)).toEqual(expected);
  });
});

describe('lineBlocks', () => {
  const shown = (text: string): unknown[] =>
    lineBlocks(text.split('\n')).map(({ kind, line, ...rest }) => [
      kind,
      line,
      'text' in rest ? rest.text : 'lines' in rest ? rest.lines.join('/') : rest,
    ]);

  it('keeps together what belongs together, each with its line', () => {
    expect(
      shown('Title\n=====\nsome\ntext\n\n- one\n  more of one\nafter\n> said\n- two\n---\n# End'),
    ).toEqual([
      ['heading', 1, 'Title'],
      ['paragraph', 3, 'some/text'],
      ['item', 6, 'one/more of one'],
      ['paragraph', 8, 'after'],
      ['item', 10, 'two'],
      ['heading', 12, 'End'],
    ]);
  });

  it('reads tables with and without a header', () => {
    expect(shown('| a | b |\n|---|---|\n| 1 | 2 |\n\n| 3 |\n|---|\n|---|')).toEqual([
      ['table', 1, { header: ['a', 'b'], rows: [{ line: 3, cells: ['1', '2'] }] }],
      ['table', 5, { header: ['3'], rows: [] }],
    ]);
    expect(shown('|---|\n| 1 |\n| 2 |\n|---|')).toEqual([
      [
        'table',
        2,
        {
          header: undefined,
          rows: [
            { line: 2, cells: ['1'] },
            { line: 3, cells: ['2'] },
          ],
        },
      ],
    ]);
  });

  it('a number in running text begins no item, code and comments hold nothing', () => {
    expect(
      shown('Use it since version\n20. Then more.\n```\n- code\n```\n<!--\n- no\n-->\n1. yes'),
    ).toEqual([
      ['paragraph', 1, 'Use it since version/20. Then more.'],
      ['item', 9, 'yes'],
    ]);
  });
});
