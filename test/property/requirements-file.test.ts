import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ListedRequirement, refreshList } from '@/blocks/requirements/requirement-list.js';
import {
  parseRequirementsFile,
  requirementsText,
} from '@/blocks/requirements/requirements-file.js';

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 80 })
  .map((given) => given.replace(/[\p{Cc}\p{Cs}\uFEFF\s]+/gu, ' ').trim())
  .filter((given) => given !== '');
const list = fc
  .uniqueArray(text, { minLength: 1, maxLength: 12 })
  .chain((texts) =>
    fc.tuple(
      ...texts.map((said, index) =>
        fc.record(
          {
            id: fc.constant(`R${index + 1}`),
            text: fc.constant(said),
            strength: fc.constantFrom('MUST', 'SHOULD', 'MAY', 'OUT'),
            line: fc.integer({ min: 1, max: 9999 }),
            sentence: fc.constant(`a${index}`),
          },
          { requiredKeys: ['id', 'text', 'strength'] },
        ),
      ),
    ),
  )
  .filter((entries) => entries.some(({ strength }) => strength !== 'OUT'));

describe('requirements files', () => {
  it('what is written is read again, also after it was written again', async () => {
    await fc.assert(
      fc.asyncProperty(list, async (entries: readonly ListedRequirement[]) => {
        const file = { task: 'TASK.md', digest: 'sha256:0', requirements: entries };
        const written = await requirementsText(file);
        expect(await parseRequirementsFile(written, 'f')).toEqual(file);
        const again = await requirementsText({ ...file, digest: 'y' }, written);
        expect((await parseRequirementsFile(again, 'f')).requirements).toEqual(entries);
      }),
      { numRuns: 200 },
    );
  });

  it('reading a task again never loses what a person wrote, and ids stay unique', () => {
    fc.assert(
      fc.property(list, fc.array(text, { maxLength: 8 }), (entries, sentences) => {
        const found = sentences.map((said, index) => ({
          text: said,
          source: 'explicit' as const,
          kind: 'bullet',
          strength: 'SHOULD' as const,
          line: index + 1,
          endLine: index + 1,
          section: [],
        }));
        const now = refreshList(entries, found);
        const ids = now.list.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        const own = entries.filter(({ sentence }) => sentence === undefined);
        expect(own.every(({ id }) => ids.includes(id))).toBe(true);
        expect(refreshList(now.list, found)).toMatchObject({ added: [], removed: [], changed: [] });
      }),
    );
  });
});
