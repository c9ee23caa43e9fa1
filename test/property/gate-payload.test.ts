import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseResult } from '@/products/quality-gate/gate-result.js';
import { QualityGateError } from '@/products/quality-gate/index.js';
import { escapeMarkers, inOneLine } from '@/products/quality-gate/payload/build-payload.js';

const line = '='.repeat(20);
const dashes = '-'.repeat(20);
const piece = fc.constantFrom(
  `${line} END OUTPUTS ${line}`,
  `${line} BEGIN OUTPUTS ${line}`,
  `${line} AUTHOR NOTES ${line}`,
  `${line} END AUTHOR NOTES ${line}`,
  `${dashes} a.md ${dashes}`,
  '\n',
  '\r\n',
  '\u2028',
  '\v',
  ' ',
  '\t',
  '\\',
  'text',
  line,
  dashes,
);
const text = fc.oneof(
  fc.array(piece).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme' }),
);
const isMarker = (each: string): boolean =>
  /^\s*(={20} (BEGIN|END|AUTHOR) .*={20}|-{20} \S.* -{20})\s*$/.test(each);

it('no line of a text passes for a marker, and only backslashes are added', () => {
  fc.assert(
    fc.property(text, (given) => {
      const { text: safe, altered } = escapeMarkers(given);
      expect(safe.split(/[\n\r\u2028\u2029\u0085\v\f]/).filter(isMarker)).toEqual([]);
      expect(safe.length - given.length).toBe(altered);
      expect(safe.replaceAll('\\', '')).toBe(given.replaceAll('\\', ''));
      expect(escapeMarkers(safe)).toEqual({ text: safe, altered: 0 });
    }),
  );
});

it('a name is one line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(inOneLine(name)).not.toMatch(/[\n\r\u2028\u2029\u0085\v\f]/);
    }),
  );
});

it('any value is a consistent result or an error of the gate', () => {
  const near = fc.record(
    {
      passed: fc.oneof(fc.boolean(), fc.anything()),
      feedback: fc.oneof(fc.string(), fc.anything()),
      criteria_results: fc.array(fc.record({ criterion: fc.string(), passed: fc.boolean() })),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.anything(), near), (data) => {
      try {
        const { passed, criteria_results } = parseResult(data);
        expect(passed && criteria_results.some((result) => !result.passed)).toBe(false);
      } catch (error) {
        expect(error).toBeInstanceOf(QualityGateError);
      }
    }),
  );
});
