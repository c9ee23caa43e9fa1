import { describe, expect, it } from 'vitest';
import { shorten } from '../../../src/reviewers/command/shorten.js';

describe('a text that is shortened', () => {
  it('stays as it is if it is short enough', () => {
    expect(shorten('123456', 6)).toBe('123456');
    expect(shorten('', 6)).toBe('');
  });

  it('keeps both ends, the first one longer if they differ', () => {
    const [first, last] = ends(shorten('abcdefghij', 5));
    expect([first, last]).toEqual(['abc', 'ij']);
  });

  it('cuts no character in two, and leaves whole ones alone', () => {
    const [first, last] = ends(shorten(`a😀${'x'.repeat(20)}😀b`, 4));
    expect([first, last]).toEqual(['a', 'b']);
    const [whole, rest] = ends(shorten(`😀a${'x'.repeat(20)}b😀`, 6));
    expect([whole, rest]).toEqual(['😀a', 'b😀']);
  });
});

/** The ends of a shortened text, without what stands between them. */
function ends(text: string): readonly (string | undefined)[] {
  const lines = text.split('\n');
  return [lines[0], lines.at(-1)];
}
