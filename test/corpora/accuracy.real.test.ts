import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { afterAll, expect, it } from 'vitest';
import type { ArtifactCriterion } from '@/blocks/criteria/artifact-criterion.js';
import { htmlCriteria, htmlRules } from '@/blocks/criteria/html/html-criteria.js';
import { closeIdleBrowsers, pageCriteria } from '@/blocks/criteria/page/index.js';
import { pageRules } from '@/blocks/criteria/page/page-criteria.js';
import { mapBounded } from '@/core/map-bounded.js';
import { describeInBrowser } from '../support/browser.js';
import { describeCorpora } from '../support/corpora.js';
import {
  type ActCase,
  type ActTally,
  type ActVerdict,
  addVerdict,
  emptyTally,
  readActCases,
} from './act-cases.js';
import { AxeAlone, axeRulesOf } from './axe-alone.js';

const context = { previous: [] };

/** What is known about one rule of the W3C. */
interface Row {
  readonly rule: string;
  readonly name: string;
  readonly id: string;
  readonly ours: ActTally;
  /** Undefined if no rule of axe claims it. */
  readonly axe: ActTally | undefined;
}

const page = new URL('accuracy.md', import.meta.url);
const published = readFileSync(page, 'utf8');

/**
 * Whether axe is tried again: the same axe says the same of the same cases, and takes longer than
 * all criteria.
 */
const triesAxe =
  !published.includes(`axe-core ${axe.version} alone`) || process.env['REVIEWLOOP_AXE'] === '1';

/** Returns what the page says of axe on a rule of the W3C. */
function publishedAxe(rule: string): ActTally {
  const row = published.split('\n').find((line) => line.includes(`/act/rules/${rule}/)`));
  const cells = row?.split('|').slice(8, 12).map(Number) ?? [];
  const [right = 0, missed = 0, falseAlarms = 0, undecided = 0] = cells;
  return { cases: right + missed + falseAlarms + undecided, right, missed, falseAlarms, undecided };
}

async function verdictOf(criterion: ArtifactCriterion, { html }: ActCase): Promise<ActVerdict> {
  const result = await criterion.validate(
    { artifacts: [{ type: 'mockup', path: 'case.html', content: html }] },
    undefined,
    context,
  );
  const open = result.undecided ?? result.skipped;
  if (result.undecided !== undefined || open?.startsWith('not checked') === true)
    return 'undecided';
  return result.skipped === undefined && !result.passed ? 'failed' : 'passed';
}

function cells(tally: ActTally | undefined): string {
  if (tally === undefined) return '– | – | – | –';
  const { right, missed, falseAlarms, undecided } = tally;
  return [right, missed, falseAlarms, undecided].join(' | ');
}

function sumOf(tallies: readonly ActTally[]): ActTally {
  const sum = emptyTally();
  for (const tally of tallies)
    for (const key of ['cases', 'right', 'missed', 'falseAlarms', 'undecided'] as const)
      sum[key] += tally[key];
  return sum;
}

function pageOf(rows: readonly Row[], without: readonly string[]): string {
  const shared = rows.filter((row) => row.axe !== undefined);
  const all = sumOf(rows.map(({ ours }) => ours));
  const line = ({ rule, name, id, ours, axe: alone }: Row): string =>
    `| [${name}](https://www.w3.org/WAI/standards-guidelines/act/rules/${rule}/) | \`${id}\` | ${ours.cases} | ${cells(ours)} | ${cells(alone)} |`;
  return `# Accuracy on the cases of the W3C

The W3C publishes rules for accessibility (ACT rules), each with cases that pass, fail or do not
apply. This table has every rule that a criterion of reviewloop claims, with all of its cases, next to
axe-core ${axe.version} alone on the same cases in the same browser. A test measures the table again,
and fails if it is not true any more. It tries axe again with another version, or with this command:

\`\`\`sh
REVIEWLOOP_AXE=1 npx vitest run test/corpora/accuracy.real.test.ts --update
\`\`\`

- **Right:** the verdict is the label of the case.
- **Missed:** the case fails, but the verdict says it passes.
- **False alarm:** the case passes or does not apply, but the verdict says it fails.
- **Not decided:** the check says that it cannot tell. It never counts as passed.
- **–:** no rule of axe names this rule of the W3C.

Of ${all.cases} cases of ${rows.length} rules, ${all.right} are right, ${all.missed} missed, ${all.falseAlarms} false alarms and ${all.undecided} not decided.

| Rule | Criterion | Cases | Right | Missed | False alarms | Not decided | axe: right | axe: missed | axe: false alarms | axe: not decided |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
${rows.map(line).join('\n')}
| **All** | | ${all.cases} | ${cells(all)} | | | | |
| **Those that axe claims** | | ${sumOf(shared.map(({ ours }) => ours)).cases} | ${cells(sumOf(shared.map(({ ours }) => ours)))} | ${cells(sumOf(shared.flatMap((row) => (row.axe === undefined ? [] : [row.axe]))))} |

- The \`page-\` criteria ran with \`scripts: true\`, all others read the source.
- The cases were there while the criteria were written. Other pages may give other figures.
${without.length === 0 ? '' : `- Claimed without a case here, so not measured: ${without.join(', ')}.\n`}- Axe reports some cases under rules that name no rule of the W3C. Such reports do not count here.
`;
}

afterAll(closeIdleBrowsers);

describeInBrowser('the published accuracy', () => {
  describeCorpora('of every claimed rule of the W3C', (folder) => {
    it('is the one in the documentation', async () => {
      const cases = readActCases(folder);
      const criteria = new Map(
        [
          ...htmlCriteria(),
          ...pageCriteria({
            folder: join(folder, 'act-rules'),
            scripts: true,
            screenshots: 'none',
            timeoutMs: 200_000,
          }),
        ].map((criterion) => [criterion.id, criterion]),
      );
      const alone = new AxeAlone(folder);
      const rows: Row[] = [];
      const without: string[] = [];
      for (const { id, act = [] } of [...htmlRules, ...pageRules])
        for (const rule of act) {
          const criterion = criteria.get(id);
          const known = cases.filter((one) => one.rule === rule);
          expect(criterion, id).toBeDefined();
          if (known.length === 0) without.push(`\`${id}\` (${rule})`);
          if (criterion === undefined || known.length === 0) continue;
          const claims = axeRulesOf(rule).length > 0;
          const ours = emptyTally();
          const ofAxe = triesAxe ? emptyTally() : publishedAxe(rule);
          // a page mostly waits: for its scripts, and for keys that are pressed
          await mapBounded(known, 6, async (one) =>
            addVerdict(ours, one, await verdictOf(criterion, one)),
          );
          if (claims && triesAxe)
            for (const one of known) addVerdict(ofAxe, one, await alone.verdictOf(one));
          const name = known[0]?.ruleName ?? rule;
          rows.push({ rule, name, id, ours, axe: claims ? ofAxe : undefined });
        }
      const all = sumOf(rows.map(({ ours }) => ours));
      const decided = all.cases - all.undecided;
      expect(all.right / decided).toBeGreaterThanOrEqual(0.98);
      expect(all.falseAlarms / decided).toBeLessThanOrEqual(0.01);
      await expect(pageOf(rows, without)).toMatchFileSnapshot(fileURLToPath(page));
    });
  });
});
