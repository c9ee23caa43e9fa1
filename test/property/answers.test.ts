import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAnswer } from '@/blocks/models/answer/read-answer.js';
import { repairJson } from '@/blocks/models/answer/repair-json.js';
import { isDegenerate } from '@/blocks/models/answer/whole-prompt.js';
import { fitSections } from '@/blocks/models/prompt/sections.js';
import { truncate } from '@/core/text/truncate.js';
import { ReviewLoopError } from '@/index.js';

const pieces = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  ':',
  ',',
  '```',
  '```json\n',
  '\n',
  '<think>',
  '</think>',
  '\\',
  '\\"',
  '"a"',
  '"a":',
  '{"a":1}',
  '{"b":[2,',
  ' ',
  'a',
  'b',
  '1',
  'true',
  'None',
  '// x\n',
  '...',
  '<<<UNTRUSTED n x>>>\n',
  '<<<END n>>>',
);
const messy = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: pieces },
      { weight: 1, arbitrary: fc.string({ maxLength: 5 }) },
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

/** The texts, numbers and names in a value. */
function leavesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, member]) => [name, ...leavesOf(member)]);
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** Whether no character is cut in two. */
const isWhole = (text: string): boolean => !/\p{Surrogate}/u.test(text);

const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

describe('reading an answer', () => {
  it('never throws anything but a typed error, and never gives what is not in the text', async () => {
    await fc.assert(
      fc.asyncProperty(messy, async (text) => {
        try {
          const { value } = await readAnswer(text, '');
          for (const leaf of leavesOf(value)) expect(letters(text)).toContain(letters(leaf));
        } catch (error) {
          if (!(error instanceof ReviewLoopError)) throw error;
          expect(error.code).toMatch(/^answer_/);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('finds any object again, in one fence and behind thoughts', async () => {
    const wrap = fc.constantFrom(
      (text: string) => text,
      (text: string) => `\n\`\`\`json\n${text}\n\`\`\` `,
      (text: string) => `<think>hm {</think>${text}`,
      (text: string) => `<THINKING>\n</think>\n</Thinking>\n~~~\n${text}\n~~~`,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.record({ a: fc.jsonValue(), b: fc.jsonValue() }),
        wrap,
        async (given, wrapped) => {
          const value = JSON.parse(JSON.stringify(given)) as unknown;
          expect(await readAnswer(wrapped(JSON.stringify(value)), '')).toEqual({
            value,
            repaired: false,
          });
        },
      ),
    );
  });

  it('reads nothing out of an object that ends too early', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ a: fc.string(), b: fc.array(fc.nat()) }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (given, share) => {
          const text = JSON.stringify(given);
          const cut = text.slice(0, Math.min(text.length - 1, Math.floor(text.length * share)));
          await expect(readAnswer(cut, '')).rejects.toMatchObject({
            code: expect.stringMatching(/^answer_(truncated|empty)$/) as string,
          });
        },
      ),
    );
  });
});

/** Ways to break the syntax of JSON, which leave its content alone. */
const breakages: readonly ((text: string) => string)[] = [
  (text) => text.replaceAll(/"(?!\s*[,:}\]])([^"\\]*)"/g, "'$1'"),
  (text) => text.replaceAll(/([}\]])/g, ',$1'),
  (text) => text.replaceAll(/"(\w+)":/g, '$1:'),
  (text) => text.replaceAll('":', '"'),
  (text) => text.replaceAll(',"', ' "'),
  (text) => text.replaceAll('true', 'True'),
  (text) => text.replaceAll(',', ', // a note\n'),
];

describe('a repair', () => {
  const escapes = /\\(?:(["\\/bfnrt]|u[\da-f]{4})|)/gi;
  const broken = fc.record({
    given: fc.dictionary(
      fc.stringMatching(/^[a-z]{1,5}$/),
      fc.oneof(
        fc
          .array(fc.constantFrom('\\d', '\\', '\\w+', 'a', 'b c', '//', '*', '...', '$', '`', '+'))
          .map((parts) => parts.join('')),
        fc.nat(),
        fc.boolean(),
      ),
      { minKeys: 1 },
    ),
    ways: fc.subarray([...breakages]),
    isHalved: fc.boolean(),
  });

  it('keeps each character that is not syntax: it gives the object, or nothing [R3-004]', async () => {
    let used = 0;
    await fc.assert(
      fc.asyncProperty(broken, async ({ given, ways, isHalved }) => {
        const whole = JSON.stringify(given);
        // single backslashes, as models write them
        const text = ways.reduce(
          (one, way) => way(one),
          isHalved ? whole.replaceAll('\\\\', '\\') : whole,
        );
        const repaired = await repairJson(text);
        if (repaired === undefined) return;
        used += 1;
        const meant = (content: unknown): unknown =>
          typeof content !== 'string' || !isHalved
            ? content
            : content.replaceAll(escapes, (found, valid?: string) =>
                valid === undefined ? 'LOST' : String(JSON.parse(`"${found}"`)),
              );
        const expected = Object.entries(given).map(([name, value]) => [name, meant(value)]);
        expect(repaired.value, text).toEqual(Object.fromEntries(expected));
      }),
      { numRuns: 2000 },
    );
    expect(used).toBeGreaterThan(100);
  });
});

describe('isDegenerate', () => {
  it('sees any short piece that is repeated long enough, wherever it begins', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 120 }),
        fc.string({ maxLength: 3000 }),
        (piece, before) => isDegenerate(before + piece.repeat(Math.ceil(2400 / piece.length))),
      ),
    );
  });

  it('leaves texts alone that only look alike from line to line', () => {
    fc.assert(
      fc.property(
        fc.nat(1000),
        (first) =>
          !isDegenerate(
            Array.from({ length: 200 }, (_, index) => `| row ${first + index} | yes | fine |`).join(
              '\n',
            ),
          ),
      ),
    );
  });
});

describe('cutting a text', () => {
  it('keeps both ends, cuts no character in two, and says how much is gone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.nat(200), (text, most) => {
        const cut = truncate(text, most);
        if (text.length <= most) return cut.text === text && cut.omitted === 0;
        const [head = '', tail = ''] = cut.text.split(
          /\n\[\.\.\. \d+ of \d+ characters left out \.\.\.\]\n/,
        );
        return (
          text.startsWith(head) &&
          text.endsWith(tail) &&
          head.length + tail.length + cut.omitted === text.length &&
          isWhole(text) === (isWhole(head) && isWhole(tail))
        );
      }),
    );
  });

  it('makes sections fit, and leaves the short ones whole', async () => {
    const tokens = { id: 'characters', count: async (text: string) => text.length };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ maxLength: 2000 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 600, max: 6000 }),
        async (texts, most) => {
          const given = texts.map((text, index) => ({ label: `${index}`, text }));
          const { sections, cuts } = await fitSections(given, most, tokens);
          expect(sections.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(
            most,
          );
          for (const [index, { label, text }] of sections.entries())
            if (!cuts.some((cut) => cut.label === label)) expect(text).toBe(texts[index]);
          if (texts.join('').length <= most) expect(cuts).toEqual([]);
        },
      ),
    );
  });
});
