import { describe, expect, test } from 'vitest';
import type { RunReport } from '../../../src/reports/run-report.js';
import { folderOf, goodPage, runCli } from '../cli/harness.js';

const plan = JSON.stringify(
  {
    epics: [
      {
        features: [
          {
            id: 'F',
            userStory: 's',
            tasks: [
              {
                id: 'T',
                title: 'Sign in',
                acceptanceCriteria: [],
                dependencies: ['none'],
                complexity: 'epic',
                assignedAgents: [],
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
const site = { 'a.html': goodPage, 'a.css': 'a { color: #123456; }\n', 'plan.json': plan };

async function review(
  files: Readonly<Record<string, string>>,
  ...more: string[]
): Promise<RunReport> {
  const { out, err } = await runCli(await folderOf(files), [
    'review',
    '.',
    '--task-text',
    'Visitors must sign in with their email',
    '--format',
    'json',
    ...more,
  ]);
  if (out === '') throw new Error(err);
  return JSON.parse(out) as RunReport;
}

describe('sets of criteria', () => {
  test('auto goes by what is there', async () => {
    expect((await review(site)).criteria).toMatchObject({
      chosen: ['html', 'css', 'plan', 'text', 'code', 'requirements'],
      reason: 'chosen by the types of the files',
      why: [
        'html: 1 page',
        'css: 1 stylesheet',
        'plan: plan.json is a plan',
        'text: 1 file for people',
        'code: 2 files of code or data',
        'requirements: the task may contain requirements',
      ],
    });
    expect((await review({ 'a.md': 'Visitors sign in with email' })).criteria.chosen).toEqual([
      'text',
      'requirements',
    ]);
  });

  test.each(['html', 'css', 'plan', 'text', 'code', 'ui-designer', 'project-manager'])(
    '%s by name',
    async (name) => {
      const report = await review(site, '--criteria', name);
      expect(report.criteria).toMatchObject({
        chosen:
          name === 'ui-designer' || name === 'project-manager' ? [name] : [name, 'requirements'],
        reason: `--criteria ${name}`,
      });
      expect(report.coverage.length).toBeGreaterThan(0);
      expect(report.reviews[0]?.assessments.length).toBeGreaterThan(0);
      expect(report.failures).toEqual([]);
    },
  );

  test('gaps of plans point into the plan, whatever set raises them', async () => {
    for (const name of ['plan', 'project-manager']) {
      const report = await review(site, '--criteria', name);
      const places = report.gaps
        .filter(({ affectedRequirement }) => affectedRequirement === undefined)
        .map(({ location }) => location?.file);
      expect(new Set(places)).toEqual(new Set(['plan.json']));
    }
  });

  test('sets that overlap are asked for requirements once', async () => {
    const report = await review({
      ...site,
      'reviewloop.config.json': '{"criteria": ["auto", "ui-designer"]}',
    });
    expect(report.coverage).toHaveLength(1);
    expect(report.failures).toEqual([]);
  });

  test('an empty list of criteria leaves the requirements, which nobody decided', async () => {
    const report = await review({ ...site, 'reviewloop.config.json': '{"criteria": []}' });
    expect(report).toMatchObject({
      criteria: { chosen: ['requirements'] },
      status: 'inconclusive',
      code: 'undecided',
    });
  });

  test('an empty list of criteria without the requirements judges nothing, and that is an error', async () => {
    const config = '{"criteria": [], "requirements": false}';
    await expect(review({ ...site, 'reviewloop.config.json': config })).rejects.toThrow(
      /no_reviewers/,
    );
  });
});

describe('demo', () => {
  test('ends approved after a rejected version: rules, a producer and a person did their part', async () => {
    const cwd = await folderOf();
    const { code, out } = await runCli(cwd, ['demo', '--format', 'json', '-q']);
    const report = JSON.parse(out) as RunReport;
    expect([code, report.approved, report.gaps, report.undecided]).toEqual([0, true, [], []]);
    expect(report.files.map(({ path }) => path)).toEqual(['site/index.html']);
    const [first] = report.reviews;
    expect(first?.decision.kind).toBe('revise');
    expect(first?.assessments.filter(({ verdict }) => verdict === 'undecided')).toMatchObject([
      { id: 'R3', decidableBy: ['model', 'person'] },
    ]);
    const by = (who: string): unknown =>
      report.fixed.filter((one) => one.by === who).map(({ gap }) => gap.criterionId?.split(':')[0]);
    expect(by('fixer')).toEqual(['html-lang', 'viewport', 'field-name']);
    expect(by('revision')).toEqual(['button-name', 'requirement']);
    expect(report.coverage.map(({ id, covered, decidedBy }) => [id, covered, decidedBy])).toEqual([
      ['R1', true, 'elements'],
      ['R2', true, 'elements'],
      ['R3', true, 'person'],
    ]);
  });

  test('says what is scripted, in under 30 lines', async () => {
    const { out } = await runCli(await folderOf(), ['demo']);
    expect(out.split('\n').length).toBeLessThan(30);
    expect(out).toMatch(
      /the producer, which is scripted here[\s\S]*a person, whose answer is scripted here/,
    );
    expect(out).toMatch(/^review 1: NOT APPROVED: .*\n[\s\S]*^review 2: APPROVED: no gaps$/m);
  });
});
