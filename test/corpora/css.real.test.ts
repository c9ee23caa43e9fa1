import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { TokenValues, tokenUse } from '@/blocks/criteria/css/design-tokens.js';
import { judgeResponsive } from '@/blocks/criteria/css/responsive.js';
import { stylesheetsOf } from '@/blocks/criteria/css/stylesheet.js';
import type { AgentOutput } from '@/products/self-review/agent.js';
import { describeCorpora } from '../support/corpora.js';

const LabelsSchema = z.record(
  z.string(),
  z.object({
    decls: z.number(),
    tokenised: z.number(),
    hardcoded: z.number(),
    mediaQueries: z.number(),
    flexOrGrid: z.boolean(),
  }),
);

/** The properties that the labels count; the criterion looks at more of them. */
const labelled =
  /^(?:color|background|background-color|border|border-color|font-size|margin|padding)$/;

async function countsIn(
  output: AgentOutput,
): Promise<{ readonly tokens: number; readonly hardCoded: number } | undefined> {
  const [sheet] = (await stylesheetsOf(output)).sheets;
  if (sheet === undefined) return undefined;
  const uses = tokenUse(sheet, new TokenValues()).uses.filter(({ property }) =>
    labelled.test(property),
  );
  const hardCoded = uses.filter((use) => use.hardCoded !== undefined).length;
  return { tokens: uses.length - hardCoded, hardCoded };
}

describeCorpora('the criteria about styles on real stylesheets', (folder) => {
  const labels = Object.entries(
    LabelsSchema.parse(JSON.parse(readFileSync(join(folder, 'css/labels.json'), 'utf8'))),
  )
    .filter(([file]) => existsSync(join(folder, 'css', file)))
    .map(([file, label]) => ({
      file,
      label,
      output: {
        artifacts: [
          {
            type: 'stylesheet',
            path: 'a.css',
            content: readFileSync(join(folder, 'css', file), 'utf8'),
          },
        ],
      },
    }));

  it('count tokens and hard-coded values as the labels do [SR-96]', async () => {
    const table = [];
    for (const { file, label, output } of labels) {
      const counts = await countsIn(output);
      table.push({
        file: file.slice(-32),
        tokens: counts?.tokens,
        expected: label.tokenised,
        hardCoded: counts?.hardCoded,
        'expected too': label.hardcoded,
      });
    }
    console.table(table);
    const share = (a: number, b: number): number => (a + b === 0 ? 0 : a / (a + b));
    const same = table.filter(
      (row) =>
        row.tokens !== undefined &&
        Math.abs(
          share(row.tokens, row.hardCoded ?? 0) - share(row.expected, row['expected too']),
        ) <= 0.1,
    );
    const exact = table.filter(
      (row) => row.tokens === row.expected && row.hardCoded === row['expected too'],
    );
    console.log(
      `${table.length} stylesheets: share of tokens within 0.1 of the label in ${same.length}, both counts alike in ${exact.length}`,
    );
    expect(table.every(({ tokens }) => tokens !== undefined)).toBe(true);
    expect(same.length).toBe(table.length);
  });

  it('agree with the labels on breakpoints, flex and grid [SR-98]', async () => {
    const wrong: string[] = [];
    for (const { file, label, output } of labels) {
      const { score } = await judgeResponsive(output);
      const expected = (label.mediaQueries > 0 ? 0.6 : 0) + (label.flexOrGrid ? 0.4 : 0);
      if (Math.abs(score - expected) > 1e-9) wrong.push(`${file}: ${score}, not ${expected}`);
    }
    console.log(`${labels.length} stylesheets: ${labels.length - wrong.length} as labelled`);
    expect(wrong).toEqual([]);
  });
});
