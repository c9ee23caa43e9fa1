import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { globMatcher, globRoot, isGlob } from '@/node/glob.js';

describe('globs', () => {
  test.each([
    ['*.html', 'a.html', true],
    ['*.html', 'x/a.html', false],
    ['**/*.html', 'a.html', true],
    ['**/*.html', 'x/y/a.html', true],
    ['site/**', 'site/a/b.css', true],
    ['site/**', 'sites/a', false],
    ['a?.md', 'ab.md', true],
    ['a?.md', 'a/.md', false],
    ['*.{html,css}', 'a.css', true],
    ['{a,b}/{c,d}.js', 'b/c.js', true],
    ['./a/*.js', 'a/b.js', true],
    ['a.c', 'abc', false],
    ['**/a/**/b', 'a/b', true],
    ['app/(shop)/*.tsx', 'app/(shop)/page.tsx', true],
    ['app/[id]/*.tsx', 'app/[id]/page.tsx', true],
    ['**/node_modules/**', '../x/node_modules/y', true],
    ['*', '.env', true],
    ['{1..3}', '2', false],
  ])('%s and %s: %s', (pattern, path, expected) =>
    expect(globMatcher(pattern)(path)).toBe(expected),
  );

  test('plain paths match themselves', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z.[\]()+^$|\\-]{1,10}$/), (name) =>
        globMatcher(`x/${name}`)(`x/${name}`),
      ),
    );
  });

  test('a pattern that makes others try for ever answers at once', () => {
    expect(globMatcher(`${'*a'.repeat(30)}b`)('a'.repeat(2000))).toBe(false);
    expect(globMatcher(`${'**/'.repeat(20)}b`)('a/'.repeat(200))).toBe(false);
    expect(globMatcher('**/*-*-*-*.js')(`x/${'-'.repeat(5000)}`)).toBe(false);
  });

  test('too many alternatives are refused', () => {
    expect(() => globMatcher('{a,b}'.repeat(10))).toThrow(/256 alternatives/);
  });

  test('roots', () => {
    expect(['*.js', 'a/*.js', 'a/b/**', '/x/*.js', '/*.js'].map(globRoot)).toEqual([
      '.',
      'a',
      'a/b',
      '/x',
      '/',
    ]);
    expect([isGlob('a.js'), isGlob('a*.js')]).toEqual([false, true]);
  });
});
