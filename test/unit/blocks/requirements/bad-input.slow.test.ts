import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '@/blocks/requirements/explicit-requirements.js';

describe('explicitRequirements of bad input', () => {
  it.each([
    ['10,000 nested quotes', `${'>'.repeat(10_000)} x\n\n- It must print`],
    ['10,000 nested lists in one line', `${'* '.repeat(10_000)}x\n\n- It must print`],
    [
      'lists in lists',
      `- It must print\n${Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(2 * depth + 2)}- x`).join('\n')}`,
    ],
    ['a paragraph of strikes', `- It must print\n\n${'~a'.repeat(40_000)}`],
    ['a long document', `- It must print\n${'- a thing of the list\n'.repeat(9_000)}`],
    ['fences without an end', `- It must print\n\n${'```a\n'.repeat(9_000)}`],
    [
      'a table with many columns',
      `- It must print\n\n${'|a'.repeat(50_000)}\n${'|-'.repeat(50_000)}`,
    ],
  ])('finds what is asked beside %s', async (_, text) => {
    const found = await explicitRequirements(text);
    expect(found.map((requirement) => requirement.text)).toContain('It must print');
  });

  it.each([
    ['line ends of Windows', '\uFEFF# A\r\n\r\n- It must print\r\n', 3],
    ['null bytes', 'a\0b\n\n- It must print', 3],
    ['lone surrogates', '\ud800\n\n- It must print', 3],
    ['text from right to left', '\u202eabc\n\n- It must print', 3],
    ['front matter', '---\na: must\n---\n- It must print', 4],
  ])('counts lines right with %s', async (_, text, line) => {
    expect(
      (await explicitRequirements(text)).map((requirement) => [requirement.line, requirement.text]),
    ).toEqual([[line, 'It must print']]);
  });

  it('reads obligations of other scripts', async () => {
    expect(
      (
        await explicitRequirements(
          '系统必须记录每个请求。\n\nDie Seite muss in zwei Sekunden laden.',
        )
      ).map(({ line, strength }) => [line, strength]),
    ).toEqual([
      [1, 'MUST'],
      [3, 'MUST'],
    ]);
  });
});
