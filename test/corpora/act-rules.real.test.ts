import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { htmlCriteria, htmlRules } from '@/blocks/criteria/html/html-criteria.js';
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

interface Tally {
  right: number;
  missed: number;
  falseAlarms: number;
  notChecked: number;
}

const context = { previous: [], previousOutputs: [], previousReviews: [] };
const criteria = new Map(htmlCriteria().map((criterion) => [criterion.id, criterion]));

/** What the criterion that follows a rule of the W3C says of a case. */
async function verdictOf({
  rule,
  html,
}: Case): Promise<'passed' | 'failed' | 'skipped' | 'not checked'> {
  const id = htmlRules.find(({ act = [] }) => act.includes(rule))?.id ?? '';
  const result = await criteria
    .get(id)
    ?.validate(
      { artifacts: [{ type: 'mockup', path: 'case.html', content: html }] },
      undefined,
      context,
    );
  if (result === undefined) throw new Error(`no criterion follows ${rule}`);
  if (result.skipped !== undefined)
    return result.skipped.startsWith('not checked') ? 'not checked' : 'skipped';
  return result.passed ? 'passed' : 'failed';
}

describeCorpora('the published cases of the W3C', (folder) => {
  const claimed = new Set(htmlRules.flatMap(({ act = [] }) => act));
  const cases = ['cases.json', 'more-cases.json']
    .flatMap((file) =>
      CasesSchema.parse(JSON.parse(readFileSync(join(folder, 'act-rules', file), 'utf8'))),
    )
    .filter(({ rule }) => claimed.has(rule));

  it('are judged as they should be, without a false alarm [SR-97, R2-092]', async () => {
    const table = new Map<string, Tally>();
    let decided = 0;
    for (const one of cases) {
      const name = `${one.rule} ${one.ruleName}`;
      const tally = table.get(name) ?? { right: 0, missed: 0, falseAlarms: 0, notChecked: 0 };
      table.set(name, tally);
      const verdict = await verdictOf(one);
      if (verdict === 'not checked') tally.notChecked += 1;
      else {
        decided += one.kind === 'failed' ? 1 : 0;
        if ((verdict === 'failed') === (one.kind === 'failed')) tally.right += 1;
        else if (one.kind === 'failed') tally.missed += 1;
        else tally.falseAlarms += 1;
      }
    }
    const sum = (of: keyof Tally): number =>
      [...table.values()].reduce((total, tally) => total + tally[of], 0);
    console.table(Object.fromEntries(table));
    console.log(
      `${sum('right')} right, ${sum('missed')} missed, ${sum('falseAlarms')} false alarms, ${sum('notChecked')} not checked; ${decided} failing cases decided`,
    );
    const judged = sum('right') + sum('missed') + sum('falseAlarms');
    expect(cases.length).toBeGreaterThan(390);
    expect(sum('falseAlarms')).toBe(0);
    expect(sum('right') / judged).toBeGreaterThanOrEqual(0.99);
    expect(sum('notChecked')).toBeLessThanOrEqual(14);
  });
});
