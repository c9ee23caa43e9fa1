import { describe, expect, it } from 'vitest';
import { fittingSets } from '../../../src/cli-kit/criteria/auto-criteria.js';
import { chooseCriteria } from '../../../src/cli-kit/criteria/choose-criteria.js';
import type { Config } from '../../../src/config/config.js';
import type { ArtifactCriterion } from '../../../src/criteria/artifact-criterion.js';
import type { AgentOutput } from '../../../src/self-review/agent.js';
import { folderOf } from '../cli/harness.js';

const plan = JSON.stringify({ epics: [] });
const page = { type: 'mockup', path: 'a.html', content: '<p>x' };

async function chosen(
  config: Config,
  {
    options = [],
    files = {},
    output = { artifacts: [page] },
  }: { options?: readonly string[]; files?: Record<string, string>; output?: AgentOutput } = {},
) {
  return chooseCriteria({
    cwd: await folderOf(files),
    output,
    options,
    config,
    configFile: undefined,
  });
}

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

  it('ESLint judges code if the configuration or a name asks for it, and there is code [R2-095]', async () => {
    const code = { type: 'code', path: 'a.js', content: 'eval(a)' };
    const around = { output: { artifacts: [code] } };
    expect((await chosen({}, around)).chosen).not.toContain('code-lint');
    expect(await chosen({ lint: true }, around)).toMatchObject({
      chosen: expect.arrayContaining(['code', 'code-lint']),
      why: expect.arrayContaining(['code-lint: 1 file']),
    });
    expect((await chosen({ lint: { sanitizers: ['clean'] } }, around)).chosen).toContain(
      'code-lint',
    );
    const text = { type: 'document', path: 'a.md', content: 'Text' };
    const beside = { output: { artifacts: [text] } };
    expect((await chosen({ lint: true }, beside)).chosen).not.toContain('code-lint');
    const alone = await chosen({ lint: true }, { ...around, options: ['code-lint'] });
    expect(alone.chosen).toEqual(['code-lint', 'requirements']);
    expect(alone.reviewers.map(({ id }) => id)).toContain('code-eval');
  });

  it('spelling is judged if the configuration or a name asks for it, and there is a text [R2-095]', async () => {
    const text = { type: 'document', path: 'a.md', content: 'We recieve it.' };
    const around = { output: { artifacts: [text] } };
    expect((await chosen({}, around)).chosen).not.toContain('spelling');
    expect(await chosen({ spelling: true }, around)).toMatchObject({
      chosen: expect.arrayContaining(['text', 'spelling']),
      why: expect.arrayContaining(['spelling: 1 file']),
    });
    const code = { type: 'code', path: 'a.js', content: 'recieve()' };
    const beside = { output: { artifacts: [code] } };
    expect((await chosen({ spelling: true }, beside)).chosen).not.toContain('spelling');
    const alone = await chosen({ spelling: false }, { ...around, options: ['spelling'] });
    expect(alone.chosen).toEqual(['spelling', 'requirements']);
    expect(alone.reviewers.map(({ id }) => id)).toContain('spelling');
  });

  it('spelling takes the words of a settings file, and tells what it does not read', async () => {
    const files = {
      'cspell.json':
        '{ "words": ["recieve"], "import": ["./evil.js"], /* why */ "version": "0.2" }',
    };
    const text = { type: 'document', path: 'a.md', content: 'We recieve it with leverage.' };
    const output = { artifacts: [text] };
    const { why, reviewers } = await chosen(
      { spelling: { settings: 'cspell.json', wrongWords: ['leverage'] } },
      { files, output },
    );
    expect(why).toContain('spelling: 1 file; cspell.json: not read: import');
    const criterion = reviewers.find(({ id }) => id === 'spelling') as ArtifactCriterion;
    expect(await criterion.validate(output, undefined, { previous: [] })).toMatchObject({
      findings: [{ description: '"leverage" is misspelt' }],
    });
  });

  it('pages are judged with the files of their folder [R2-095]', async () => {
    const content =
      '<!doctype html><img src="b.png" alt=""><img src="c.png" alt=""><img src="d.x" alt="">';
    const cwd = await folderOf({ 'site/b.png': 'x' });
    const output = { artifacts: [{ type: 'mockup', path: 'site/a.html', content }] };
    const { reviewers } = await chooseCriteria({
      cwd,
      output,
      options: ['html'],
      config: {},
      configFile: undefined,
    });
    const rule = reviewers.find(({ id }) => id === 'resources-exist');
    const { validate } = rule as unknown as ArtifactCriterion;
    const context = { previous: [], previousOutputs: [], previousReviews: [] };
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
      ).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringContaining(message) as string,
      });
    await expect(chosen({}, { options: ['htlm'] })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('is not a file and not one of auto, html') as string,
    });
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
        content: plan,
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
