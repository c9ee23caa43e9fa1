import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstBytes } from '@/core/text/truncate.js';

it('the first bytes of a text are a beginning of it within the bound, well formed, and no character shorter than needed', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.integer({ min: 0, max: 80 }),
      (text, most) => {
        const head = firstBytes(text, most);
        expect(text.startsWith(head)).toBe(true);
        expect(Buffer.byteLength(head)).toBeLessThanOrEqual(most);
        expect(head).not.toMatch(/\p{Surrogate}/u);
        const [next = ''] = text.slice(head.length);
        if (next !== '') expect(Buffer.byteLength(head + next)).toBeGreaterThan(most);
      },
    ),
  );
});
