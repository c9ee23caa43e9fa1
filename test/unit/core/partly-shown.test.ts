import { describe, expect, it } from 'vitest';
import {
  checkEndings,
  hiddenReason,
  partlyShown,
  passOfWhole,
  resultOfWhole,
  unseenReason,
} from '@/core/partial-view.js';
import { errorWith } from '../../support/matchers.js';
import { failed, passed } from '../engine/support.js';

describe('work of which a judge saw a part', () => {
  const part = partlyShown({ shown: 3, total: 9, unit: 'bytes', limit: 'maxBytes: 3' });

  it('says how much, and which option limits it', () => {
    expect(part).toBe('only 3 of 9 bytes were shown (maxBytes: 3)');
  });

  it('has no pass: it is undecided, and a failure stands', () => {
    const undecided = { verdict: 'undecided', criterion: 'a', reason: part };
    expect(passOfWhole(passed('a'), part)).toEqual({ ...undecided, decidableBy: ['person'] });
    expect(passOfWhole(passed('a'), undefined)).toEqual(passed('a'));
    expect(passOfWhole(failed('a'), part)).toEqual(failed('a'));
  });

  it('has no passed result and no skipped one', () => {
    const open = {
      passed: false,
      score: 0,
      details: 'd',
      undecided: part,
      decidableBy: ['person'],
    };
    const pass = { passed: true, score: 1, details: 'd' };
    const skip = { passed: false, score: 0, details: 'd', skipped: 's' };
    const fail = { passed: false, score: 0.2, details: 'd' };
    expect([resultOfWhole(pass, part), resultOfWhole(skip, part)]).toEqual([open, open]);
    expect(resultOfWhole(fail, part)).toBe(fail);
    expect(resultOfWhole(pass, undefined)).toBe(pass);
  });
});

describe('files that no reviewer could see', () => {
  it('are named, the first five of them, unless their endings are allowed', () => {
    expect(unseenReason([])).toBeUndefined();
    expect(unseenReason(['a.png', 'b.jpg'], ['.png', '.jpg'])).toBeUndefined();
    expect(unseenReason(['a.png', 'b.jpg'], ['.png'])).toMatch(/^not reviewed.*: b\.jpg \(/);
    const names = ['1', '2', '3', '4', '5', '6', '7'];
    expect(unseenReason(names.slice(0, 5))).toContain(': 1, 2, 3, 4, 5 (allowUnseen');
    expect(unseenReason(names)).toContain(': 1, 2, 3, 4, 5 and 2 more (allowUnseen');
  });

  it('may be allowed by a list of endings', () => {
    for (const good of [undefined, [], ['.png'], ['.png', 'LICENSE']])
      expect(() => checkEndings(good)).not.toThrow();
    for (const bad of [null, '.png', [''], ['.png', ''], ['.png', 7], {}])
      expect(() => checkEndings(bad)).toThrow(
        expect.objectContaining(errorWith('invalid_options', '`allowUnseen`')),
      );
  });
});

describe('lines that were hidden from reviewers', () => {
  it('say why a pass does not count, and where they are', () => {
    expect(hiddenReason(['src/key.ts:12', 'b.env:3'])).toMatch(/: src\/key\.ts:12, b\.env:3 \(/);
    expect(hiddenReason(['a.env:3', 'b.ts:4'], ['.env'])).toMatch(/: b\.ts:4 \(/);
  });

  it('give no reason if there are none', () => {
    expect(hiddenReason()).toBeUndefined();
    expect(hiddenReason([])).toBeUndefined();
    expect(hiddenReason([], ['.env'])).toBeUndefined();
  });

  it('may be left out by the ending of their file, whatever the line', () => {
    expect(hiddenReason(['a.env:3', 'b.env:1234'], ['.env'])).toBeUndefined();
    expect(hiddenReason(['a.env:3', 'b.pem:7'], ['.env', '.pem'])).toBeUndefined();
    expect(hiddenReason(['a:3/b.env:3'], ['a:3/b.env'])).toBeUndefined();
  });

  it('are not left out by another part of the path, or by their line', () => {
    for (const allowed of [['src/'], ['key'], [':12'], ['2'], ['.env']])
      expect(hiddenReason(['src/key.ts:12'], allowed)).toContain('src/key.ts:12');
  });
});
