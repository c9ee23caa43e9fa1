import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { describeCorpora } from '../support/corpora.js';
import { verdictOf } from '../support/html-verdict.js';

const CasesSchema = z.array(
  z.object({ rule: z.string(), kind: z.string(), n: z.number(), html: z.string() }),
);

/**
 * Whether a name describes a target needs a reader, so no criterion claims these rules. A name that
 * says nothing is found, and no other.
 */
describeCorpora('links that do not say where they lead', (folder) => {
  it('link-purpose has no false alarm in the cases of the W3C, and finds "More" and "Go" [R2-095]', async () => {
    const cases = ['cases.json', 'more-cases.json'].flatMap((file) =>
      CasesSchema.parse(JSON.parse(readFileSync(join(folder, 'act-rules', file), 'utf8'))),
    );
    const found: string[] = [];
    for (const { rule, kind, n, html } of cases.filter(({ rule: id }) => id === '5effbb'))
      if ((await verdictOf('link-purpose', html)) === 'failed') found.push(`${rule} ${kind} ${n}`);
    expect(found).toEqual(['5effbb failed 1', '5effbb failed 2', '5effbb failed 3']);
  });
});
