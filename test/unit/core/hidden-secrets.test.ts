import { describe, expect, it } from 'vitest';
import { hiddenReason } from '../../../src/core/partly-shown.js';

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
