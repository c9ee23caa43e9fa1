import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { cssCriteria } from '@/blocks/criteria/css/css-criteria.js';
import { htmlCriteria } from '@/blocks/criteria/html/html-criteria.js';
import { planCriteria } from '@/blocks/criteria/plan/plan-criteria.js';
import { CriterionResultSchema, type Finding } from '@/core/criterion.js';
import type { Gap } from '@/core/gap.js';
import { type AgentOutput, agentRequest } from '@/products/self-review/agent.js';
import { UIDesignerReviewCriteria } from '@/products/self-review/criteria/ui-designer.js';
import { anywhere, html as pieces } from '../growth/pieces.js';
import { describeCorpora } from '../support/corpora.js';

const context = { previous: [], previousOutputs: [], previousReviews: [] };
const fixContext = { task: undefined, signal: new AbortController().signal };
const criteria = [...htmlCriteria({ language: 'en' }), ...cssCriteria()];

const tag = fc.constantFrom(...anywhere, ...pieces);
const html = fc
  .array(fc.oneof({ weight: 8, arbitrary: tag }, fc.string({ maxLength: 6 })), { maxLength: 30 })
  .map((parts) => parts.join(''));
const page = (content: string): AgentOutput => ({
  artifacts: [
    { type: 'mockup', path: 'a.html', content },
    { type: 'document', path: 'b.md', content: 'kept' },
  ],
});

function gapOf({ file = '', line, evidence }: Finding): Gap {
  return {
    id: 'g',
    severity: 'major',
    category: 'quality',
    description: '',
    suggestedFix: '',
    estimatedEffort: 'small',
    autoFixable: true,
    location: { file, line },
    evidence,
  };
}

/** Whether `longer` is `shorter` with texts put in: repairs of these rules only add, or replace one attribute. */
function isInserted(shorter: string, longer: string): boolean {
  let at = 0;
  for (const character of longer) if (shorter.startsWith(character, at)) at += character.length;
  return at === shorter.length;
}

async function checkPage(content: string): Promise<void> {
  for (const criterion of criteria) {
    const result = CriterionResultSchema.parse(
      await criterion.validate(page(content), undefined, context),
    );
    expect(result.passed && result.score === 0).toBe(false);
    for (const finding of result.findings ?? [])
      await checkFinding(criterion, content, finding, result.findings?.length ?? 0);
  }
}

async function checkFinding(
  criterion: (typeof criteria)[number],
  content: string,
  finding: Finding,
  before: number,
): Promise<void> {
  expect(content).toContain(finding.evidence ?? '');
  expect(content.split(/\r\n|\n|\r/).length).toBeGreaterThanOrEqual(finding.line ?? 1);
  const output = page(content);
  const once = (await criterion.fix?.(output, gapOf(finding), fixContext)) ?? output;
  expect(output).toEqual(page(content));
  expect(once.artifacts[1]).toEqual(output.artifacts[1]);
  const after = once.artifacts[0]?.content ?? '';
  if (after === content) return;
  const replaced = criterion.id.startsWith('html-lang')
    ? /\blang\s*=\s*("[^"]*"|'[^']*'|[^\s>]*)/gi
    : /\bid\s*=\s*("[^"]*"|'[^']*'|[^\s>]*)/gi;
  const kept =
    criterion.id.startsWith('html-lang') || criterion.id === 'duplicate-ids'
      ? content.replaceAll(replaced, '')
      : content;
  expect(isInserted(kept, after)).toBe(true);
  const rest = (await criterion.validate(once, undefined, context)).findings ?? [];
  expect(rest.length).toBeLessThan(before);
}

/** Repairs until nothing changes; the second time over changes nothing. */
async function repairAll(content: string): Promise<string> {
  let output = page(content);
  for (const criterion of criteria) {
    for (const finding of (await criterion.validate(output, undefined, context)).findings ?? [])
      output = (await criterion.fix?.(output, gapOf(finding), fixContext)) ?? output;
  }
  return output.artifacts[0]?.content ?? '';
}

describe('criteria over any artifact', () => {
  it('never throw, quote the source, and each repair removes a finding and keeps the rest', async () => {
    await fc.assert(fc.asyncProperty(html, checkPage), { numRuns: 400 });
  });

  it('repairs are idempotent', async () => {
    await fc.assert(
      fc.asyncProperty(html, async (content) => {
        const once = await repairAll(content);
        const twice = await repairAll(once);
        expect(await repairAll(twice)).toBe(twice);
      }),
      { numRuns: 200 },
    );
  });

  it('stylesheets and plans of any shape are judged, not thrown at', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.anything(), async (text, result) => {
        for (const criterion of [...cssCriteria(), ...planCriteria()]) {
          const judged = await criterion.validate(
            {
              artifacts: [{ type: 'stylesheet', path: 'a.css', content: text }],
              result: {
                epics: [
                  { features: [{ tasks: [result, { id: text, dependencies: [text, result] }] }] },
                  result,
                ],
              },
            },
            undefined,
            context,
          );
          CriterionResultSchema.parse(judged);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describeCorpora('criteria over hostile texts', (folder) => {
  const hostile = join(folder, 'hostile-text');
  const texts = [
    ...z.array(z.string()).parse(JSON.parse(readFileSync(join(hostile, 'blns.json'), 'utf8'))),
    readFileSync(join(hostile, 'utf8tests.bin'), 'latin1'),
  ];

  it('judge each of them as page, stylesheet and task', async () => {
    const designer = new UIDesignerReviewCriteria();
    for (const text of texts) {
      const output: AgentOutput = {
        artifacts: [
          { type: 'mockup', path: 'a.html', content: `<html>${text}<input>` },
          { type: 'stylesheet', path: 'a.css', content: text },
        ],
      };
      for (const criterion of [...criteria, ...designer.criteria])
        CriterionResultSchema.parse(
          await criterion.validate(output, agentRequest(`Create the ${text} page`), context),
        );
      await designer.checkRequirementCovered(text, output, context);
    }
  });
});
