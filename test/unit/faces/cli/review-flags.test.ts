import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { chooseTrust } from '@/faces/cli/review/file-pipeline.js';
import { withPlanFile } from '@/faces/cli-kit/inputs/read-inputs.js';
import { reopenProvider } from '@/faces/cli-kit/provider/provider-choice.js';
import type { RunReport } from '@/faces/reports/run-report.js';
import { scriptedProvider } from '@/testing/index.js';
import { ending } from '../../../support/matchers.js';
import { faultyPage, folderOf, goodPage, runCli } from './harness.js';

/** A configuration whose models give one answer each, and write down that they were asked. */
const config = (members: string) => `
import { appendFileSync } from 'node:fs';
const capabilities = { schemaSubset: 'none', structuredOutput: false, promptCaching: false };
const judge = (id, answer) => ({ id, model: 'm', capabilities, generate: async ({ messages }) => {
  appendFileSync(new URL('asked.txt', import.meta.url), id + ' ');
  const token = /The token is (\\w+)\\./.exec(messages.at(-1).content)[1];
  return { text: JSON.stringify({ token, answers: [{ question: 1, answer, reason: 'it is so' }] }), usage: {}, model: 'm', finish: 'stop', attempts: 1 };
} });
export default { criteria: ['html'], requirements: false, ${members} };`;

const folder = (members: string) =>
  folderOf({ 'index.html': goodPage, 'reviewloop.config.mjs': config(members) });
const review = (cwd: string, ...more: string[]) =>
  runCli(cwd, ['review', 'index.html', '--task-text', 'A page to sign in', '--quiet', ...more]);
const asked = (cwd: string) => readFile(join(cwd, 'asked.txt'), 'utf8').catch(() => '');

describe('review --trust', () => {
  it('lets models decide about the whole where code passes, and one failure blocks', async () => {
    const agreed = await folder("confirmWith: [judge('one', 'yes'), judge('two', 'yes')],");
    expect(await review(agreed, '--trust', 'autonomous')).toMatchObject(ending(0, 'APPROVED'));
    expect(await asked(agreed)).toBe('one two ');
    const dissent = await folder(
      "trust: 'autonomous', confirmWith: [judge('one', 'yes'), judge('two', 'no')],",
    );
    expect(await review(dissent)).toMatchObject(ending(50, 'NOT APPROVED'));
  });

  it('is in the configuration too, where the option goes before it, and is kept for who answers', async () => {
    const cwd = await folder(
      "trust: 'autonomous', provider: judge('one', 'yes'), confirmWith: judge('two', 'yes'),",
    );
    expect((await review(cwd, '--trust', 'fast')).code).toBe(0);
    expect(await asked(cwd)).toBe('one two ');
    const runs = join(cwd, '.reviewloop', 'runs');
    const [run = ''] = await readdir(runs);
    expect(JSON.parse(await readFile(join(runs, run, 'request.json'), 'utf8'))).toMatchObject({
      trust: 'fast',
    });
  });

  it('asks the model of the pipeline where nobody else is named, and nobody without a preset', async () => {
    const cwd = await folder("provider: judge('one', 'yes'),");
    expect((await review(cwd)).code).toBe(0);
    expect(await asked(cwd)).toBe('');
    expect((await review(cwd, '--trust', 'guarded')).code).toBe(0);
    expect(await asked(cwd)).toBe('one ');
  });

  it('says where one model judges alone, unless it is to be quiet', async () => {
    const review = (cwd: string, ...more: string[]) =>
      runCli(cwd, ['review', 'index.html', '--task-text', 'A page to sign in', ...more]);
    const warning =
      '--trust autonomous: one judges alone, so a text needs one pass: pass models of other families with --confirm-with, or set a stricter bar (scale, passFrom)\n';
    const one = await folder("provider: judge('one', 'yes'), confirmWith: judge('one', 'yes'),");
    expect((await review(one, '--trust', 'autonomous')).err).toContain(warning);
    expect((await review(one, '--trust', 'autonomous', '-q')).err).toBe('');
    const alone = await folder("confirmWith: judge('one', 'yes'),");
    expect((await review(alone, '--trust', 'autonomous')).err).toContain(warning);
    const two = await folder("provider: judge('one', 'yes'), confirmWith: judge('two', 'yes'),");
    expect((await review(two, '--trust', 'autonomous')).err).not.toContain('judges alone');
  });

  it('refuses what would be ignored: no model, judges without a preset, a diff, a preset or a judge that there is not', async () => {
    const cwd = await folderOf({ 'index.html': goodPage });
    const refused = async (...more: string[]) => (await review(cwd, ...more)).err;
    expect(await refused('--trust', 'fast')).toContain('pass --provider or --confirm-with');
    expect(await refused('--confirm-with', 'ollama:a')).toContain(
      '--confirm-with requires --trust',
    );
    expect(await refused('--trust', 'fast', '--confirm-with', 'auto')).toContain(
      '--confirm-with cannot be auto',
    );
    expect(await refused('--trust', 'brave')).toContain('fast, guarded, autonomous');
    expect((await runCli(cwd, ['review', '--diff', '--trust', 'fast'])).err).toContain(
      '--trust cannot be used with --diff',
    );
    const wrong = [
      "trust: 'brave',",
      "trust: 'fast', confirmWith: [],",
      "trust: 'fast', confirmWith: 3,",
    ];
    for (const members of wrong)
      expect(await review(await folder(members))).toMatchObject({ code: 2 });
  });

  it('takes confirming judges by name', async () => {
    const { confirmWith } = await chooseTrust(
      { trust: 'guarded', confirmWith: ['ollama:a'] },
      { confirmWith: scriptedProvider(() => 'no') },
      reopenProvider,
    );
    expect(confirmWith.map(({ id, model }) => `${id} ${model}`)).toEqual([
      expect.stringMatching(/ollama.* a$/),
    ]);
  });
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const argv = ['review', 'site', '--task', 'TASK.md', '--criteria', 'html', '--watch', '--quiet'];

async function site(): Promise<string> {
  return folderOf({ 'TASK.md': 'Pages pass the checks.\n', 'site/a.html': faultyPage });
}

/** A watch whose output the test waits for. */
function watching(cwd: string) {
  // a person sits there, also where the tests run without one
  vi.stubEnv('CI', undefined);
  let out = '';
  let err = '';
  const controller = new AbortController();
  const end = runCli(cwd, argv, {
    out: async (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    signal: controller.signal,
  });
  const reviews = (count: number): Promise<void> =>
    vi.waitFor(
      () => {
        expect(out.match(/^(?:NOT )?APPROVED/gm) ?? []).toHaveLength(count);
        expect(err.match(/Ctrl-C ends/g) ?? []).toHaveLength(count);
      },
      { timeout: 60_000, interval: 20 },
    );
  return { end, reviews, stop: () => controller.abort(), out: () => out, err: () => err };
}

describe('review --watch', () => {
  it('reviews again when a file, a new folder or the task changes, and ends with the last code', async () => {
    const cwd = await site();
    const { end, reviews, stop, err } = watching(cwd);
    await reviews(1);
    writeFileSync(join(cwd, 'site/a.html'), goodPage);
    await reviews(2);
    expect(err()).toContain('changed: a.html\n');
    mkdirSync(join(cwd, 'site/more'));
    writeFileSync(join(cwd, 'site/more/b.html'), faultyPage);
    await reviews(3);
    expect(err()).toContain('changed: b.html\n');
    expect(err()).toContain('watching 3 files');
    writeFileSync(join(cwd, 'TASK.md'), 'All pages pass the checks.\n');
    await reviews(4);
    stop();
    expect((await end).code).toBe(50);
  });

  it('shows what it cannot review, and waits for the next change', async () => {
    const cwd = await site();
    const { end, reviews, stop, err } = watching(cwd);
    await reviews(1);
    writeFileSync(join(cwd, 'TASK.md'), '');
    await vi.waitFor(() => expect(err()).toMatch(/error: .*TASK\.md/), { timeout: 280_000 });
    writeFileSync(join(cwd, 'TASK.md'), 'Pages pass the checks.\n');
    await vi.waitFor(() => expect(err().match(/Ctrl-C ends/g)).toHaveLength(3), {
      timeout: 280_000,
    });
    stop();
    expect((await end).code).toBe(50);
  });

  it.each([
    [['--write'], /--watch cannot be used with --write/],
    [['--diff'], /cannot be used with --diff/],
    [['-'], /--watch cannot watch the standard input/],
  ])('is refused with %s', async (more, message) => {
    const { code, err } = await runCli(await site(), [...argv, ...more]);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  it('is refused in CI and for an agent, where nobody could end it', async () => {
    const cwd = await site();
    expect((await runCli(cwd, argv, { reader: 'agent' })).err).toMatch(/--watch never ends/);
    vi.stubEnv('CI', 'true');
    expect((await runCli(cwd, argv)).code).toBe(2);
    vi.unstubAllEnvs();
  });
});

const planText = (acceptanceCriteria: readonly string[]): string => {
  const task = { id: 'T1', title: 'Form', acceptanceCriteria, dependencies: [], complexity: 'low' };
  const tasks = [{ ...task, assignedAgents: ['a'] }];
  return JSON.stringify({ epics: [{ features: [{ id: 'F1', userStory: 's', tasks }] }] }, null, 2);
};

const plan = (text: string) => ({
  result: JSON.parse(text) as unknown,
  artifacts: [{ type: 'data', path: 'plan.json', content: text }],
});

const planReport = async (cwd: string, ...more: string[]): Promise<RunReport> => {
  const text = 'The plan must have a form';
  const argv = ['review', '.', '--task-text', text, '--format', 'json', '-q', ...more];
  return JSON.parse((await runCli(cwd, argv)).out);
};

describe('plans', () => {
  test('gaps point into the file', async () => {
    const text = planText([]);
    const report = await planReport(await folderOf({ 'plan.json': text }));
    const line = text.split('\n').findIndex((content) => content.includes('"Form"')) + 1;
    expect(report.criteria.chosen).toEqual(['plan', 'code', 'requirements']);
    expect(report.gaps).toMatchObject([
      { criterionId: 'plan-acceptance-criteria', location: { file: 'plan.json', line } },
    ]);
  });

  test('every plan is judged, each gap in its own file', async () => {
    const report = await planReport(
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
      expect(await planReport(cwd, '--write', '--exclude', '*.mjs')).toMatchObject({
        status: 'approved',
        written: ['plan.json'],
      });
      expect(await readFile(join(cwd, 'plan.json'), 'utf8')).toContain('done');
    }
  });

  test('result and file say the same', () => {
    const [before, after] = [plan(planText([])), plan(planText(['x']))];
    expect(withPlanFile(before, { ...before, artifacts: after.artifacts })).toEqual(after);
    const written = withPlanFile(before, { ...before, result: after.result });
    expect(JSON.parse(written.artifacts[0]?.content ?? '')).toEqual(after.result);
    expect(withPlanFile(before, before)).toBe(before);
    expect(withPlanFile({ artifacts: [] }, before)).toBe(before);
    expect(withPlanFile(before, { artifacts: [] })).toEqual({ artifacts: [], result: undefined });
  });
});
