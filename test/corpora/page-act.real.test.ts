import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { closeIdleBrowsers, pageCriteria } from '../../src/criteria/page/index.js';
import { pageRules } from '../../src/criteria/page/page-rules.js';
import { describeInBrowser } from '../support/browser.js';
import { describeCorpora } from '../support/corpora.js';

const CasesSchema = z.array(
  z.object({
    rule: z.string(),
    ruleName: z.string(),
    kind: z.enum(['passed', 'failed', 'inapplicable']),
    n: z.number(),
    html: z.string(),
  }),
);
type Case = z.infer<typeof CasesSchema>[number];

/** What a criterion says of a case. */
type Verdict = 'passed' | 'failed' | 'skipped' | 'undecided';

const context = { previous: [] };

describeInBrowser('rendered pages against the cases of the W3C', () => {
  describeCorpora('of the claimed rules', (folder) => {
    const cases = CasesSchema.parse(
      JSON.parse(readFileSync(join(folder, 'act-rules/more-cases.json'), 'utf8')),
    );
    const criteria = new Map(
      pageCriteria({
        folder: join(folder, 'act-rules'),
        scripts: true,
        screenshots: 'none',
        timeoutMs: 200_000,
      }).map((criterion) => [criterion.id, criterion]),
    );

    async function verdictOf(id: string, { html }: Case): Promise<Verdict> {
      const output = { artifacts: [{ type: 'mockup', path: 'case.html', content: html }] };
      const result = await criteria.get(id)?.validate(output, undefined, context);
      if (result === undefined) throw new Error(`no criterion ${id}`);
      if (result.skipped !== undefined) return 'skipped';
      if (result.undecided !== undefined) return 'undecided';
      return result.passed ? 'passed' : 'failed';
    }

    it('are judged without a wrong verdict, and few are left undecided', async () => {
      const claimed = pageRules.flatMap(({ id, act = [] }) => act.map((rule) => ({ id, rule })));
      const table: Record<string, { right: number; undecided: number; wrong: number }> = {};
      const wrong: string[] = [];
      const open: string[] = [];
      for (const { id, rule } of claimed)
        for (const one of cases.filter((candidate) => candidate.rule === rule)) {
          const verdict = await verdictOf(id, one);
          table[rule] ??= { right: 0, undecided: 0, wrong: 0 };
          const name = `${rule} ${one.kind} ${one.n}: ${verdict}`;
          if (verdict === 'undecided') {
            table[rule].undecided += 1;
            open.push(name);
          } else if ((verdict === 'failed') === (one.kind === 'failed')) table[rule].right += 1;
          else {
            table[rule].wrong += 1;
            wrong.push(name);
          }
        }
      await closeIdleBrowsers();
      console.table(table);
      console.log(open.join('\n'));
      expect(wrong).toEqual([]);
      expect(open.length).toBeLessThanOrEqual(5);
    });
  });
});
