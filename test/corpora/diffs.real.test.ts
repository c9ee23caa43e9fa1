import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { fitDiff } from '@/core/diff/fit-diff.js';
import { parseDiff } from '@/core/diff/parse-diff.js';
import { describeCorpora } from '../support/corpora.js';

const Facts = z.record(
  z.string(),
  z.object({
    bytes: z.number(),
    files: z.number(),
    renames: z.number(),
    binary: z.number(),
    validUtf8: z.boolean(),
    over30KB: z.boolean(),
  }),
);
const budget = 30_000;

describeCorpora('every recorded diff', (corpora) => {
  const folder = join(corpora, 'diffs');
  const facts = Object.entries(
    Facts.parse(JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8'))),
  ).filter(([name]) => existsSync(join(folder, name)));

  it('is read with the files, renames and binaries that it has, and fits into 30,000 bytes (D002-03)', async () => {
    const rows: string[] = [];
    for (const [name, fact] of facts) {
      const bytes = readFileSync(join(folder, name));
      const text = bytes.toString('utf8');
      const files = await parseDiff(text);
      expect(files, name).toHaveLength(fact.files);
      expect(files.filter(({ status }) => status === 'renamed').length, name).toBe(fact.renames);
      expect(files.filter(({ binary }) => binary).length, name).toBe(fact.binary);
      const fitted = fitDiff({ text, files }, { maxBytes: budget });
      const encoded = Buffer.from(fitted.text);
      expect(encoded.length, name).toBe(fitted.bytes);
      expect(fitted.bytes, name).toBeLessThanOrEqual(budget);
      expect(encoded.toString('utf8'), name).toBe(fitted.text);
      if (!fact.over30KB && fact.validUtf8) expect(fitted.text, name).toBe(text);
      const named = files.filter(({ path }) => fitted.text.includes(path)).length;
      const unnamed = fitted.leftOut.filter((file) => file.unnamed).length;
      if (unnamed > 0)
        expect(fitted.text, name).toContain(`[${unnamed} of ${fact.files} files are not named`);
      expect(named + unnamed, name).toBeGreaterThanOrEqual(fact.files);
      rows.push(
        [
          name.padEnd(24),
          String(bytes.length).padStart(8),
          String(fitted.bytes).padStart(6),
          `${named}/${fact.files}`.padStart(7),
          String(fitted.leftOut.length).padStart(5),
        ].join(' '),
      );
    }
    expect(rows.length).toBeGreaterThan(10);
    console.log(['diff                        bytes fitted   named   cut', ...rows].join('\n'));
  });
});
