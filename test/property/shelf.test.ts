import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeCriteria } from '@/blocks/criteria/code/code-criteria.js';
import { filesAskedFor } from '@/blocks/criteria/files/task-files.js';
import { readMarkdown } from '@/blocks/criteria/text/markdown.js';
import { textCriteria } from '@/blocks/criteria/text/text-criteria.js';
import { shorten } from '@/blocks/reviewers/command/command-result.js';
import { parseJUnit } from '@/blocks/reviewers/command/parse-junit.js';
import { parseEsLint, parseLines } from '@/blocks/reviewers/command/parse-reports.js';
import { parseSarif } from '@/blocks/reviewers/command/parse-sarif.js';
import { parseTap } from '@/blocks/reviewers/command/parse-tap.js';
import { CriterionResultSchema } from '@/core/criterion.js';
import { anywhere, code, markdown } from '../growth/pieces.js';
import { words } from '../support/matchers.js';

const context = { previous: [], previousOutputs: [], previousReviews: [] };
const piece = fc.constantFrom(...anywhere, ...code, ...markdown);
const text = fc
  .array(fc.oneof({ weight: 8, arbitrary: piece }, fc.string({ maxLength: 5 })), { maxLength: 40 })
  .map((parts) => parts.join(''));
const path = fc.constantFrom(
  ...words('a.md a.txt a.html a.ts a.py a.css a.json a.yaml tsconfig.json a.vue README .env'),
);

describe('criteria over texts and code', () => {
  it('never throw, quote the source but for secrets, and give existing lines', async () => {
    await fc.assert(
      fc.asyncProperty(path, text, async (file, content) => {
        for (const criterion of [...textCriteria(), ...codeCriteria()]) {
          const result = CriterionResultSchema.parse(
            await criterion.validate(
              { artifacts: [{ type: 'text', path: file, content }] },
              content,
              context,
            ),
          );
          expect(result.passed && result.score === 0).toBe(false);
          for (const { evidence = '', line = 1 } of result.findings ?? []) {
            if (!criterion.id.endsWith('secrets')) expect(content).toContain(evidence);
            expect(evidence).not.toContain(
              'ghp_aB3dE5gH7jK9aB3d'.repeat(criterion.id.endsWith('secrets') ? 1 : 99),
            );
            expect(line).toBeLessThanOrEqual(content.split(/\r\n|\n|\r/).length);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('a repair is idempotent and leaves other files alone', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        const criterion = codeCriteria().find(({ id }) => id === 'code-chatter');
        const output = {
          artifacts: [
            { type: 'code', path: 'a.ts', content: `\`\`\`ts\n${content}\n\`\`\`\n` },
            { type: 'code', path: 'b.ts', content },
          ],
        };
        const [found] = (await criterion?.validate(output, undefined, context))?.findings ?? [];
        const gap = {
          id: 'g',
          severity: 'major',
          category: 'quality',
          description: '',
          suggestedFix: '',
          estimatedEffort: 'small',
          autoFixable: true,
          location: { file: 'a.ts', line: 1 },
          evidence: found?.evidence,
        } as const;
        const fixed = await criterion?.fix?.(output, gap, {
          task: undefined,
          signal: new AbortController().signal,
        });
        expect(fixed?.artifacts[1]).toEqual(output.artifacts[1]);
        if (!content.includes('```')) expect(fixed?.artifacts[0]?.content).toBe(`${content}\n`);
      }),
      { numRuns: 200 },
    );
  });

  it('Markdown keeps its length when code is blanked', () => {
    fc.assert(
      fc.property(text, (content) => {
        const { plain, lines } = readMarkdown(content);
        expect(plain).toHaveLength(content.length);
        for (const { start, text: line } of lines)
          expect(content.startsWith(line, start)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('tasks of any text name files or none', () => {
    fc.assert(fc.property(fc.oneof(text, fc.string()), (task) => void filesAskedFor(task)));
  });
});

describe('reports of commands', () => {
  const line = fc.constantFrom(
    'TAP version 13',
    '1..3',
    'ok 1 - a',
    'not ok 2 - b',
    '    not ok 1 - c',
    '# TODO',
    'Bail out!',
    '<testsuite name="a">',
    '<testcase name="b" line="x">',
    '<failure message="&#x110000;&lol;">',
    '<![CDATA[',
    '<!--',
    '{"runs":',
    '[{"filePath":"a"',
    'a.ts:1:2: error: b',
    'a.ts(1,2): error TS1: b',
    'http://a:80: x',
    '}',
    ']',
  );
  const report = fc.oneof(
    fc
      .array(fc.oneof(line, fc.string({ maxLength: 10 })), { maxLength: 20 })
      .map((lines) => lines.join('\n')),
    fc.json(),
  );

  it('of any text are read or not, and never throw', () => {
    fc.assert(
      fc.property(report, (given) => {
        for (const parse of [parseSarif, parseEsLint, parseJUnit, parseTap, parseLines]) {
          for (const { description, line: at = 1 } of parse(given) ?? [])
            expect(description !== '' && at >= 1).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('both ends of a long text survive', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 50 }),
        fc.integer({ min: 10, max: 40 }),
        (given, most) => {
          const short = shorten(given, most);
          if (given.length > most)
            expect(short.startsWith(given.slice(0, 4)) && short.endsWith(given.slice(-4))).toBe(
              true,
            );
        },
      ),
    );
  });
});
