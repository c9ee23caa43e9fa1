import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Gap } from '@/core/gap.js';
import { identifyGaps } from '@/core/gap-identity.js';
import { outputOf } from '@/testing/index.js';

fc.configureGlobal({ seed: 25, numRuns: 300 });

const words = fc.string({ maxLength: 8 });
const line = fc.integer({ min: 1, max: 12 });
const gap: fc.Arbitrary<Gap> = fc
  .record({
    criterionId: fc.constantFrom('a', 'b'),
    file: fc.constantFrom('x.html', 'y.css'),
    line,
    evidence: fc.option(fc.constantFrom('<p>', '<p >', '<a>', ''), { nil: undefined }),
    description: words,
    id: words,
  })
  .map(({ file, line: at, evidence, ...rest }) => ({
    severity: 'major',
    category: 'quality',
    suggestedFix: '',
    estimatedEffort: 'small',
    autoFixable: true,
    affectedArtifact: file,
    location: { file, line: at },
    ...(evidence !== undefined && { evidence }),
    ...rest,
  }));
const gaps = fc.array(gap, { maxLength: 8 });
const output = fc
  .tuple(fc.array(words, { maxLength: 12 }), fc.array(words, { maxLength: 12 }))
  .map(([x, y]) => outputOf({ 'x.html': x.join('\n'), 'y.css': y.join('\n') }));
const idsOf = (found: readonly Gap[]): string[] => found.map(({ id }) => id);

describe('the identity of gaps', () => {
  it('is never shared by two gaps of one review, in any round', () => {
    fc.assert(
      fc.property(gaps, gaps, output, output, (earlier, found, before, after) => {
        const parent = {
          gaps: identifyGaps(earlier, before, undefined, new Set()),
          output: before,
        };
        const ids = idsOf(identifyGaps(found, after, parent, new Set(idsOf(parent.gaps))));
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.length).toBe(found.length);
      }),
    );
  });

  it('does not depend on prose, on the ids that reviewers give, or on lines', () => {
    fc.assert(
      fc.property(gaps, output, words, line, (found, given, text, moved) => {
        const reworded = found.map((one) => ({
          ...one,
          id: text,
          description: text,
          suggestedFix: text,
          location: { file: one.location?.file ?? '', line: moved },
        }));
        expect(idsOf(identifyGaps(reworded, given, undefined, new Set()))).toEqual(
          idsOf(identifyGaps(found, given, undefined, new Set())),
        );
      }),
    );
  });

  it('stays when the same findings are made again in the same output', () => {
    fc.assert(
      fc.property(gaps, output, (found, given) => {
        const first = identifyGaps(found, given, undefined, new Set());
        const second = identifyGaps(
          found,
          given,
          { gaps: first, output: given },
          new Set(idsOf(first)),
        );
        expect(idsOf(second)).toEqual(idsOf(first));
        expect(second.every(({ lifecycle }) => lifecycle === 'persisting')).toBe(true);
      }),
    );
  });

  it('is persisting exactly for gaps of the parent, regressed for earlier ones, new for the rest', () => {
    fc.assert(
      fc.property(gaps, gaps, gaps, output, output, (past, earlier, found, before, after) => {
        const old = new Set(idsOf(identifyGaps(past, before, undefined, new Set())));
        const parent = { gaps: identifyGaps(earlier, before, undefined, old), output: before };
        const seen = new Set([...old, ...idsOf(parent.gaps)]);
        for (const { id, lifecycle } of identifyGaps(found, after, parent, seen)) {
          expect(lifecycle).toBe(
            idsOf(parent.gaps).includes(id) ? 'persisting' : seen.has(id) ? 'regressed' : 'new',
          );
        }
      }),
    );
  });
});
