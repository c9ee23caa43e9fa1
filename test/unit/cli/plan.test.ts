import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withPlanFile } from '../../../src/cli-kit/inputs/plan-file.js';
import type { RunReport } from '../../../src/reports/run-report.js';
import { folderOf, runCli } from './harness.js';

const planText = (criteria: readonly string[]): string =>
  JSON.stringify(
    {
      epics: [
        {
          features: [
            {
              id: 'F1',
              userStory: 'story',
              tasks: [
                {
                  id: 'T1',
                  title: 'Form',
                  acceptanceCriteria: criteria,
                  dependencies: [],
                  complexity: 'low',
                  assignedAgents: ['a'],
                },
              ],
            },
          ],
        },
      ],
    },
    null,
    2,
  );

const plan = (text: string) => ({
  result: JSON.parse(text) as unknown,
  artifacts: [{ type: 'data', path: 'plan.json', content: text }],
});

const review = async (cwd: string, ...more: string[]): Promise<RunReport> =>
  JSON.parse(
    (
      await runCli(cwd, [
        'review',
        '.',
        '--task-text',
        'The plan must have a form',
        '--format',
        'json',
        '-q',
        ...more,
      ])
    ).out,
  ) as RunReport;

describe('plans', () => {
  test('gaps point into the file', async () => {
    const text = planText([]);
    const report = await review(await folderOf({ 'plan.json': text }));
    const line = text.split('\n').findIndex((content) => content.includes('"Form"')) + 1;
    expect(report.criteria.chosen).toEqual(['plan', 'code', 'requirements']);
    expect(report.gaps).toMatchObject([
      { criterionId: 'plan-acceptance-criteria', location: { file: 'plan.json', line } },
    ]);
  });

  test('every plan is judged, each gap in its own file', async () => {
    const report = await review(
      await folderOf({
        'a.json': planText(['x']),
        'b.json': planText([]),
        'tasks.md': '- [ ] 1.1 Build (depends on 1.9)\n- [ ] 1.2 Form\n',
      }),
    );
    expect(report.notReviewed).toEqual([]);
    expect(
      report.gaps.map(({ criterionId, location }) => [criterionId, location?.file, location?.line]),
    ).toEqual([
      ['plan-acceptance-criteria', 'b.json', 11],
      ['plan-dependencies', 'tasks.md', 1],
    ]);
  });

  test('an address that changes the file, or only the result, is judged and written alike', async () => {
    const asFile =
      'artifacts: output.artifacts.map((file) => ({ ...file, content: file.content.replace(\'"acceptanceCriteria": []\', \'"acceptanceCriteria": ["done"]\') }))';
    const asResult =
      'result: JSON.parse(JSON.stringify(output.result).replace(\'"acceptanceCriteria":[]\', \'"acceptanceCriteria":["done"]\'))';
    for (const change of [asFile, asResult]) {
      const cwd = await folderOf({
        'plan.json': planText([]),
        'reviewloop.config.mjs': `export default { criteria: 'plan', requirements: false, address: async (output) => ({ ...output, ${change} }) };`,
      });
      expect(await review(cwd, '--write', '--exclude', '*.mjs')).toMatchObject({
        status: 'approved',
        written: ['plan.json'],
      });
      expect(await readFile(join(cwd, 'plan.json'), 'utf8')).toContain('done');
    }
  });

  test('result and file say the same', () => {
    const [before, after] = [plan(planText([])), plan(planText(['x']))];
    expect(withPlanFile(before, { ...before, artifacts: after.artifacts })).toEqual(after);
    expect(
      JSON.parse(
        withPlanFile(before, { ...before, result: after.result }).artifacts[0]?.content ?? '',
      ),
    ).toEqual(after.result);
    expect(withPlanFile(before, before)).toBe(before);
    expect(withPlanFile({ artifacts: [] }, before)).toBe(before);
    expect(withPlanFile(before, { artifacts: [] })).toEqual({ artifacts: [], result: undefined });
  });
});
