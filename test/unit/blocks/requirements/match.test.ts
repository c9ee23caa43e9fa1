import { describe, expect, it } from 'vitest';
import { matchRequirement } from '@/blocks/requirements/match.js';
import { stem, stemsOf } from '@/core/text/words.js';

const page =
  '<form>\n<label for="p">Password</label><input id="p">\n<button aria-label="Toggle password visibility">Show</button>\n<a href="/forgot">Forgot password?</a>\n</form>';

describe('matchRequirement', () => {
  it('finds the passage, with its file, line and a quote from it [SR-141]', () => {
    const match = matchRequirement('Password visibility toggle', [
      { text: 'nothing here' },
      { text: page, file: 'login.html' },
    ]);
    expect(match).toMatchObject({
      confidence: 1,
      covered: true,
      file: 'login.html',
      line: 3,
      evidence: 'Toggle password visibility',
    });
  });

  it('stop words are no evidence, and an empty requirement is never covered [D004-25]', () => {
    expect(
      matchRequirement('the use of a quantum flux', [
        { text: 'the user of a page uses all of the fields' },
      ]),
    ).toMatchObject({ covered: false, confidence: 0 });
    for (const empty of ['', '  ', '...', 'the of a'])
      expect(matchRequirement(empty, [{ text: page }])).toEqual({
        confidence: 0,
        covered: false,
        found: [],
      });
  });

  it('words far apart are no evidence by default', () => {
    const text = `password ${'word '.repeat(500)} visibility ${'word '.repeat(500)} toggle`;
    expect(matchRequirement('Password visibility toggle', [{ text }]).confidence).toBeCloseTo(
      1 / 3,
    );
    expect(
      matchRequirement('Password visibility toggle', [{ text }], {
        spread: Number.POSITIVE_INFINITY,
      }).confidence,
    ).toBe(1);
  });

  it('refuses options out of range', () => {
    expect(() => matchRequirement('a', [], { threshold: 2 })).toThrow(/threshold/);
    expect(() => matchRequirement('a', [], { spread: 0 })).toThrow(/spread/);
  });

  it('reads joined names, numbers and scripts without spaces', () => {
    expect(stemsOf('loginForm forgot-password HTTPServer 2.5 GB')).toEqual(
      new Set(['login', 'form', 'forgot', 'password', 'http', 'serv', '2.5', 'gb']),
    );
    expect(matchRequirement('登录页面', [{ text: '这里是登录页面。' }]).covered).toBe(true);
  });

  it.each([
    ['validation', 'validates'],
    ['submission', 'submitted'],
    ['navigation', 'navigating'],
    ['errors', 'error'],
    ['categories', 'category'],
    ['accessibility', 'accessible'],
    ['notifications', 'notify'],
    ['creation', 'created'],
  ])('%s and %s have one stem', (a, b) => {
    expect(stem(a)).toBe(stem(b));
  });
});
