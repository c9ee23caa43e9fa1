import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { oneLine, sanitise, terminalSafeJson } from '@/node/terminal/sanitise.js';

const obeyed =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be left
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/u;

const nasty = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\u001b',
      '\u009b',
      '\u001b]8;;http://x\u0007',
      '\u001b[2J',
      '\r',
      '\b',
      '\0',
      '\u202e',
      '\u200b',
      '\ufeff',
      '\u{e0041}',
      '\n',
      '\t',
      '[',
      '3',
      '1',
      'm',
      ']',
      '0',
      ';',
      'a',
    ),
    fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
  ),
});

describe('text from outside stays text on a terminal (law 11)', () => {
  test('sanitise leaves nothing that a terminal obeys', () => {
    fc.assert(fc.property(nasty, (text) => !obeyed.test(sanitise(text))));
  });

  test('sanitise is stable, and keeps plain text', () => {
    fc.assert(fc.property(nasty, (text) => sanitise(sanitise(text)) === sanitise(text)));
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~\n\täöü漢字]*$/), (text) => sanitise(text) === text),
    );
  });

  test('oneLine has no line break', () => {
    fc.assert(fc.property(nasty, (text) => !/[\n\t]/.test(oneLine(text))));
  });

  test('safe JSON parses to the same value and holds nothing that a terminal obeys', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const json = terminalSafeJson({ text });
        return !obeyed.test(json) && (JSON.parse(json) as { text: string }).text === text;
      }),
    );
  });

  test.each([
    ['colour', '\u001b[31mred\u001b[0m', 'red'],
    ['title', 'a\u001b]0;owned\u0007b', 'ab'],
    ['overwrite', 'safe\rEVIL', 'safeEVIL'],
    ['bidi', 'user\u202enimda', 'usernimda'],
  ])('%s', (_, given, expected) => expect(sanitise(given)).toBe(expected));
});
