import { describe, expect, it, test } from 'vitest';
import type { ArtifactCriterion } from '@/blocks/criteria/artifact-criterion.js';
import { fittingSets } from '@/faces/cli-kit/criteria/auto-criteria.js';
import { chooseCriteria } from '@/faces/cli-kit/criteria/choose-criteria.js';
import type { Config } from '@/faces/config/config.js';
import type { RunReport } from '@/faces/reports/run-report.js';
import type { AgentOutput } from '@/products/self-review/agent.js';
import { errorWith, words } from '../../../support/matchers.js';
import { folderOf, goodPage, runCli } from '../cli/harness.js';

const signIn = {
  ...{ id: 'T', title: 'Sign in', acceptanceCriteria: [], dependencies: ['none'] },
  ...{ complexity: 'epic', assignedAgents: [] },
};
const features = [{ id: 'F', userStory: 's', tasks: [signIn] }];
const plan = JSON.stringify({ epics: [{ features }] }, null, 2);
const site = { 'a.html': goodPage, 'a.css': 'a { color: #123456; }\n', 'plan.json': plan };

async function review(
  files: Readonly<Record<string, string>>,
  ...more: string[]
): Promise<RunReport> {
  const { out, err } = await runCli(await folderOf(files), [
    ...words('review . --format json --task-text'),
    'Visitors must sign in with their email',
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
    expect(out).toMatch(/^review 1: NOT APPROVED: .*\n[\s\S]*^review 2: APPROVED$/m);
  });
});

const emptyPlan = JSON.stringify({ epics: [] });
const page = { type: 'mockup', path: 'a.html', content: '<p>x' };

interface Around {
  readonly options?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly output?: AgentOutput;
  readonly configFile?: string;
}

async function chosen(config: Config, { files = {}, configFile, ...around }: Around = {}) {
  const given = { options: [], output: { artifacts: [page] }, ...around };
  return chooseCriteria({ cwd: await folderOf(files), config, configFile, ...given });
}

/** The first round. */
const context = { previous: [], previousOutputs: [], previousReviews: [] };

describe('what judges', () => {
  it('a class of criteria, alone or in a list, is known by its agent', async () => {
    const agent = {
      agentId: 'mine',
      criteria: [],
      extractRequirements: async () => [],
      checkRequirementCovered: async () => undefined as never,
    };
    expect(await chosen({ criteria: agent })).toMatchObject({
      chosen: ['mine'],
      reason: 'configuration',
    });
    expect(await chosen({ criteria: ['html', agent] })).toMatchObject({ chosen: ['html', 'mine'] });
  });

  it('commands and reviewers judge beside the criteria', async () => {
    const reviewer = { id: 'r', version: '1', tier: 'code', review: async () => [] } as const;
    const { chosen: names, reviewers } = await chosen({
      criteria: { any: () => true },
      commands: [{ id: 'lint', run: 'true' }],
      reviewers: [reviewer],
    });
    expect(names).toEqual(['own', 'requirements', 'commands', 'reviewers']);
    expect(reviewers.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['any', 'requirements', 'lint', 'r']),
    );
  });

  const text = { type: 'document', path: 'a.md', content: 'We recieve it.' };
  const code = { type: 'code', path: 'a.js', content: 'eval(recieve)' };
  const optional = [
    [
      'code-lint',
      { artifact: code, other: text, beside: 'code', rule: 'eslint', on: { lint: true } },
    ],
    [
      'spelling',
      { artifact: text, other: code, beside: 'text', rule: 'cspell', on: { spelling: true } },
    ],
  ] as const;
  it.each(optional)(
    '%s judges if the configuration or a name asks for it, and there is something to judge [R2-095]',
    async (name, { artifact, other, beside, rule, on }) => {
      const around = { output: { artifacts: [artifact] } };
      expect((await chosen({}, around)).chosen).not.toContain(name);
      expect(await chosen(on, around)).toMatchObject({
        chosen: expect.arrayContaining([beside, name]),
        why: expect.arrayContaining([`${name}: 1 file`]),
      });
      expect((await chosen(on, { output: { artifacts: [other] } })).chosen).not.toContain(name);
      const alone = await chosen({ spelling: false, lint: false }, { ...around, options: [name] });
      expect(alone.chosen).toEqual([name, 'requirements']);
      expect(alone.reviewers.map(({ id }) => id)).toContain(rule);
    },
  );

  it('the configuration of a tool is named beside ours', async () => {
    const { reviewers } = await chosen(
      { lint: { config: 'gone.mjs' } },
      {
        files: { 'a/own.mjs': '' },
        output: { artifacts: [code] },
        options: ['code-lint'],
        configFile: 'a/reviewloop.config.js',
      },
    );
    const [tool] = reviewers as unknown as ArtifactCriterion[];
    await expect(tool?.validate({ artifacts: [code] }, undefined, context)).rejects.toThrow(
      'the criterion eslint needs the package eslint (npm install eslint)',
    );
  });

  it('pages are judged with the files of their folder [R2-095]', async () => {
    const content =
      '<!doctype html><img src="b.png" alt=""><img src="c.png" alt=""><img src="d.x" alt="">';
    const output = { artifacts: [{ type: 'mockup', path: 'site/a.html', content }] };
    const around = { files: { 'site/b.png': 'x' }, output, options: ['html'] };
    const { reviewers } = await chosen({}, around);
    const rule = reviewers.find(({ id }) => id === 'resources-exist');
    const { validate } = rule as unknown as ArtifactCriterion;
    expect(await validate(output, undefined, context)).toMatchObject({
      findings: [{ description: 'the image site/c.png is missing' }],
      details: expect.stringContaining('d.x was not given'),
    });
  });

  it('what a file exports is checked, and what is wrong with it is named with the file', async () => {
    const cases = [
      ['export const other = 1;', 'own.mjs exports neither `criteria` nor a default'],
      [
        'export const criteria = () => true;',
        'own.mjs exports a function that is not a class of criteria',
      ],
      ['export default 7;', 'own.mjs: `criteria`: expected a name, a list, or a map'],
      ["export default ['htlm'];", 'unknown criteria "htlm"'],
    ] as const;
    for (const [text, message] of cases)
      await expect(
        chosen({}, { options: ['own.mjs'], files: { 'own.mjs': text } }),
        text,
      ).rejects.toMatchObject(errorWith('config_invalid', message));
    await expect(chosen({}, { options: ['htlm'] })).rejects.toMatchObject(
      errorWith('usage', 'is not a file and not one of auto, html'),
    );
  });
});

describe('auto', () => {
  const why = async (output: AgentOutput) =>
    (await fittingSets(output)).map((set) => `${set.name}: ${set.why}`);

  it('says which files are plans, not more than three by name', async () => {
    const plans = (count: number) => ({
      artifacts: Array.from({ length: count }, (_, index) => ({
        type: 'plan',
        path: `${index}.json`,
        content: emptyPlan,
      })),
    });
    expect(await why(plans(2))).toContain('plan: 0.json, 1.json are plans');
    expect(await why(plans(5))).toContain('plan: 0.json, 1.json, 2.json and 2 more are plans');
    expect(await why({ artifacts: [], result: 'not a plan' })).toEqual([
      'plan: the result is a plan',
      'requirements: the task may contain requirements',
    ]);
  });
});
