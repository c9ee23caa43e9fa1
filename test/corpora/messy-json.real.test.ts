import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { ReviewLoopError } from '@/index.js';
import { readAnswer } from '@/model/answer/read-answer.js';
import { askModel } from '@/model/index.js';
import { scriptedProvider } from '@/testing/index.js';
import { describeCorpora } from '../support/corpora.js';

const Verdict = z.object({
  passed: z.boolean(),
  score: z.number().min(0).max(1),
  gaps: z.array(z.string()).optional(),
});

interface Case {
  readonly source: string;
  readonly input: string;
  readonly repaired?: string;
}

/** What became of an answer: a value, or the code of the error. */
async function ending(
  text: string,
  schema: z.ZodType,
): Promise<{ readonly value?: unknown; readonly code: string }> {
  try {
    const { value, repaired } = await askModel({
      provider: scriptedProvider([text]),
      prompt: '?',
      schema,
      reasks: 0,
    });
    return { value, code: repaired ? 'repaired' : 'read' };
  } catch (error) {
    if (error instanceof ReviewLoopError) return { code: error.code };
    throw error;
  }
}

const counted = (codes: readonly string[]) =>
  Object.fromEntries(
    [...new Set(codes)]
      .sort()
      .map((code) => [code, codes.filter((other) => other === code).length]),
  );

describeCorpora('messy JSON', (folder) => {
  const cases = JSON.parse(
    readFileSync(join(folder, 'messy-json/jsonrepair.json'), 'utf8'),
  ) as Case[];
  const schemas: readonly (readonly [string, z.ZodType])[] = [
    ['object', z.record(z.string(), z.unknown())],
    ['list', z.array(z.unknown())],
    ['verdict', Verdict],
  ];

  it.each(schemas)(
    'gives a value of the asked kind or a typed error (%s)',
    async (name, schema) => {
      const endings = await Promise.all(cases.map(async ({ input }) => ending(input, schema)));
      for (const { value, code } of endings)
        if (code === 'read' || code === 'repaired')
          expect(schema.safeParse(value).success).toBe(true);
      console.log(
        `messy JSON read as ${name}: ${JSON.stringify(counted(endings.map(({ code }) => code)))}`,
      );
      if (name === 'verdict')
        expect(endings.filter(({ value }) => value !== undefined)).toEqual([]);
    },
  );

  it('makes of each document, as a part of a verdict, nothing that it does not say', async () => {
    const endings = await Promise.all(
      cases.map(async ({ input }) =>
        ending(`{"passed": false, "score": 0, "note": ${input}}`, Verdict),
      ),
    );
    for (const { value } of endings)
      if (value !== undefined) expect(value).toMatchObject({ passed: false, score: 0 });
    console.log(
      `messy JSON inside a verdict: ${JSON.stringify(counted(endings.map(({ code }) => code)))}`,
    );
  });

  it('never reads a pass out of a cut-off pass', async () => {
    const whole = '{"passed": true, "score": 1, "gaps": ["a {b} [c]", "d \\" e"]}';
    for (let end = 0; end < whole.length; end += 1)
      expect(
        (await ending(whole.slice(0, end), Verdict)).value,
        whole.slice(0, end),
      ).toBeUndefined();
    expect((await ending(whole, Verdict)).value).toMatchObject({ passed: true });
  });
});

describeCorpora('the JSON test suite', (folder) => {
  const files = readdirSync(join(folder, 'json-parsing/test_parsing')).filter((name) =>
    name.endsWith('.json'),
  );

  it('is read as JSON.parse reads it, or is an error', async () => {
    const codes: string[] = [];
    for (const file of files) {
      const text = readFileSync(join(folder, 'json-parsing/test_parsing', file), 'utf8');
      let plain: unknown;
      try {
        plain = JSON.parse(text);
      } catch {
        plain = undefined;
      }
      try {
        const { value, repaired } = await readAnswer(text, '');
        if (Array.isArray(plain)) expect(value, file).toEqual(plain);
        codes.push(repaired ? 'repaired' : 'read');
      } catch (error) {
        if (!(error instanceof ReviewLoopError)) throw error;
        if (Array.isArray(plain)) expect(error.code, file).toBe('answer_ambiguous');
        codes.push(error.code);
      }
    }
    console.log(`JSON test suite: ${JSON.stringify(counted(codes))} of ${files.length}`);
    expect(codes.length).toBe(files.length);
  });
});

it('what corpora are read by is red when a verdict comes out of nothing', async () => {
  expect((await ending('{"passed": true, "score": 1}', Verdict)).value).toBeDefined();
});
