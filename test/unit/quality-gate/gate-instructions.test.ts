import { expect, it } from 'vitest';
import { readFences } from '../../../src/model/prompt/fence.js';
import { type InstructionsInput, QualityGate } from '../../../src/quality-gate/index.js';
import { gateFolder } from '../../support/gate-folder.js';

const files = { 'a.md': 'alpha', 'b.md': 'beta', 'report.md': 'the report' };
const outputs = { pages: ['a.md', 'b.md'], report: 'report.md' };
const review = (run_each: string, more: object = {}) => ({
  run_each,
  quality_criteria: { Complete: 'Is everything there?' },
  ...more,
});
const written = (input: Partial<InstructionsInput>): Promise<string> =>
  new QualityGate({ root: gateFolder(files) }).buildReviewInstructionsFile({
    reviews: [review('step')],
    outputs,
    ...input,
  });

it('is a whole document without a reviewer to ask [JOBS-REQ-004.1.5, JOBS-REQ-004.2.7, JOBS-REQ-004.2.9, JOBS-REQ-004.5.1]', async () => {
  const text = await written({ notes: 'in a hurry' });
  const headings = [...text.matchAll(/^#+ .*$/gm)].map(([heading]) => heading);
  expect(headings).toEqual([
    '# Quality Review Instructions',
    '## Criteria to Evaluate',
    '## Author Notes',
    '## Guidelines',
    '## Your Task',
  ]);
  expect(text).toMatch(/BEGIN OUTPUTS[\s\S]*alpha[\s\S]*END OUTPUTS/);
  expect(text).toMatch(/editor/);
  expect(text).not.toContain('AUTHOR NOTES');
  expect(text.endsWith('\n')).toBe(true);
});

it('numbers several reviews with their scopes, and titles a single one [JOBS-REQ-004.5.2, JOBS-REQ-004.5.3]', async () => {
  const several = await written({ reviews: [review('step'), review('report')] });
  expect(several).toContain(
    '## Review 1 (scope: all outputs together)\n\n- **Complete**: Is everything there?',
  );
  expect(several).toContain("## Review 2 (scope: output 'report')");
  expect(several).not.toContain('## Criteria to Evaluate');
  const single = await written({});
  expect(single).toContain('## Criteria to Evaluate\n\n- **Complete**');
  expect(single).not.toContain('Review 1');
});

it('names each file of a list [JOBS-REQ-004.5.4]', async () => {
  const text = await written({ reviews: [review('pages')] });
  expect(text).toContain(
    "Evaluate the above criteria for **each file** in output 'pages':\n\n- a.md\n- b.md",
  );
  expect(await written({ reviews: [review('report')] })).not.toContain('each file');
  expect(await written({ reviews: [review('step')] })).not.toContain('each file');
});

it('has guidance under its own heading, and notes only if there are any [JOBS-REQ-004.5.5, JOBS-REQ-004.10.3, JOBS-REQ-004.10.4]', async () => {
  const text = await written({
    reviews: [review('step', { additional_review_guidance: 'Compare with the plan.' })],
    notes: 'mine',
  });
  expect(text).toContain('### Additional Context\n\nCompare with the plan.');
  expect(text).toMatch(/## Author Notes\n[\s\S]*mine/);
  expect(await written({})).not.toMatch(/Additional Context|Author Notes/);
});

it('states the role, strict but fair judgement, and the rules of the verdict [D000-15, JOBS-REQ-004.5.6, JOBS-REQ-004.10.1, JOBS-REQ-004.10.2, JOBS-REQ-004.10.5, JOBS-REQ-004.10.6]', async () => {
  const text = await written({});
  for (const part of [
    /editor/,
    /strict but fair/,
    /pragmatically/,
    /actionable feedback/,
    /passes only if ALL criteria pass/,
    /does not apply to the purpose of this step passes/,
  ])
    expect(text).toMatch(part);
});

it('lists five steps [JOBS-REQ-004.5.7]', async () => {
  const text = await written({});
  const steps = [...(text.split('## Your Task')[1] ?? '').matchAll(/^\d\. (.*)$/gm)].map(
    ([, step]) => step ?? '',
  );
  expect(steps).toHaveLength(5);
  for (const [index, part] of [
    /Read/,
    /Evaluate each criterion/,
    /PASS or FAIL/,
    /overall result/,
    /feedback/,
  ].entries())
    expect(steps[index]).toMatch(part);
});

it('lists only paths without inlining, and fences inlined files', async () => {
  const listed = await written({ maxInlineFiles: 0 });
  expect(listed).not.toContain('the report');
  expect(listed).toContain('- report.md  (output: report)');
  expect(readFences(listed)).toEqual([]);
  expect(readFences(await written({ notes: 'mine' })).map(({ label }) => label)).toEqual([
    'outputs',
    'author notes',
  ]);
});

it('names the root of the project', async () => {
  const root = gateFolder(files);
  expect(
    await new QualityGate({ root }).buildReviewInstructionsFile({
      reviews: [review('step')],
      outputs,
    }),
  ).toContain(`Paths are relative to the project root: ${root}`);
});
