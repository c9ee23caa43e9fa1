import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeCriteria } from '@/blocks/criteria/code/code-criteria.js';
import { textCriteria } from '@/blocks/criteria/text/text-criteria.js';
import { newRepository } from '../../../support/git-repository.js';
import { failing, words } from '../../../support/matchers.js';
import { modelServer, ollamaProtocol } from '../../../support/model-server.js';
import { yesServer } from '../../../support/yes-judge.js';
import { argvIn, printed } from '../commands/task-review/task-shop.js';
import { folderOf, runCli, writeFiles } from './harness.js';
import { filesWith } from './leaks.js';

// put together here, so that no tool takes this file for a leak
const password = `corr3ct-${'H0rse-'.repeat(2)}battery`;
const line = `export const login = { user: 'x', password: '${password}' };`;
const reason = 'a made-up password';

const files = { 'src/login.ts': `${line}\n`, 'TASK.md': 'Files must not contain secrets.\n' };

interface Listed {
  readonly secrets: readonly { readonly path: string; readonly fingerprint: string }[];
}

async function fingerprintIn(cwd: string): Promise<string> {
  const { out } = await runCli(cwd, ['secrets', 'src', '--json', '--no-config']);
  const { secrets } = JSON.parse(out) as Listed;
  return secrets[0]?.fingerprint ?? '';
}

const config = (...entries: object[]) => JSON.stringify({ secrets: { allow: entries } });

const review = ['review', 'src', '--task', 'TASK.md', '-q', '--format', 'json'];

/** The ids of the criteria that fail, and of the requirements that are not satisfied. */
async function failures(cwd: string): Promise<string[]> {
  const { out, err } = await runCli(cwd, review);
  expect(out, err).not.toBe('');
  const report = JSON.parse(out) as {
    readonly gaps: readonly { readonly criterionId: string }[];
  };
  return report.gaps.map(({ criterionId }) => criterionId);
}

describe('allowed secrets', () => {
  it('are allowed by fingerprint, also when the line moves; a changed line is a secret again [R2-073]', async () => {
    const cwd = await folderOf(files);
    expect(await failures(cwd)).toContain('code-secrets');
    const fingerprint = await fingerprintIn(cwd);
    await writeFiles(cwd, {
      'reviewloop.config.json': config({ path: 'src/login.ts', fingerprint, reason }),
    });
    expect(await failures(cwd)).toEqual([]);
    await writeFiles(cwd, { 'src/login.ts': `// moved\n\n  ${line}\n` });
    expect(await failures(cwd)).toEqual([]);
    await writeFiles(cwd, { 'src/login.ts': `${line.replace('H0rse', 'H1rse')}\n` });
    expect(await failures(cwd)).toContain('code-secrets');
    await writeFiles(cwd, { 'src/login.ts': '\n', 'src/other.ts': `${line}\n` });
    expect(await failures(cwd)).toContain('code-secrets');
  });

  it('are allowed by the number of the line only there [R2-073]', async () => {
    const cwd = await folderOf({
      ...files,
      'reviewloop.config.json': config({ path: './src/login.ts', line: 1, reason }),
    });
    expect(await failures(cwd)).toEqual([]);
    await writeFiles(cwd, { 'src/login.ts': `\n${line}\n` });
    expect(await failures(cwd)).toContain('code-secrets');
  });

  it('need a path, a line and a reason; misspelt members are refused with their line [R2-073]', async () => {
    const cwd = await folderOf(files);
    const valid = { path: 'src/login.ts', line: 1, reason };
    for (const [entry, what] of [
      [{ ...valid, reason: undefined }, 'expected `reason`'],
      [{ ...valid, reason: ' ' }, 'expected `reason`'],
      [{ ...valid, path: '' }, 'expected `path`'],
      [{ ...valid, line: undefined }, '`line` or `fingerprint`'],
      [{ ...valid, line: 0 }, 'whole number from 1'],
      [{ ...valid, fingerprint: 'abc' }, '16 digits'],
      [{ ...valid, reasons: 'x' }, 'reasons'],
    ] as const) {
      await writeFiles(cwd, { 'reviewloop.config.json': config(entry) });
      for (const argv of [review, ['secrets']]) {
        const { code, err } = await runCli(cwd, argv);
        expect([code, err]).toEqual([2, expect.stringContaining(what)]);
        expect(err).toContain('reviewloop.config.json:1');
      }
      const allowedSecrets = [entry as never];
      for (const factory of [codeCriteria, textCriteria])
        expect(() => factory({ allowedSecrets }), what).toThrow();
    }
  });

  it('that match nothing are named by each command [R2-073]', async () => {
    const repository = newRepository();
    repository.write('src/login.ts', 'export {};\n');
    repository.commit();
    await writeFiles(repository.cwd, {
      ...files,
      'reviewloop.config.json': config(
        { path: 'src/login.ts', line: 1, reason },
        { path: 'src/gone.ts', line: 7, reason },
      ),
    });
    for (const argv of [
      ['secrets', 'src'],
      ['review', 'src', '--task', 'TASK.md'],
      ['review', '--diff', '--task', 'TASK.md'],
    ]) {
      const { err } = await runCli(repository.cwd, argv);
      expect(err, argv.join(' ')).toContain(
        'warning: 1 allowed secret matches nothing: src/gone.ts (line 7)',
      );
    }
  });

  it('pass the review of a diff, whose judge sees the reason and never the secret [R2-073]', async () => {
    const repository = newRepository();
    repository.write('a.md', 'tea\n');
    repository.commit();
    await writeFiles(repository.cwd, files);
    const server = await yesServer();
    const diff = ['review', 'src', '--diff', '--task-text', 'Add a login.', ...server.flags];
    const before = await runCli(repository.cwd, diff);
    expect(before.out).toContain('Safety: Poor');
    const fingerprint = await fingerprintIn(repository.cwd);
    await writeFiles(repository.cwd, {
      'reviewloop.config.json': config({ path: 'src/login.ts', fingerprint, reason }),
    });
    const { out, err } = await runCli(repository.cwd, diff);
    expect(out, err).toMatch(/Safety: Excellent/);
    const prompts = server.seen.map(({ body }) => JSON.stringify(body));
    expect(prompts.some((prompt) => prompt.includes(`src/login.ts:1: ${reason}`))).toBe(true);
    for (const prompt of prompts) expect(prompt).not.toContain(password);
  });

  it('of a baseline are allowed, and stay unread in all that is written [R2-073]', async () => {
    const cwd = await folderOf({
      ...files,
      'src/key.md': `-----BEGIN PRIVATE KEY-----\n${'a1B2c3D4'.repeat(20)}\n-----END PRIVATE KEY-----\n`,
      'reviewloop.config.json': JSON.stringify({ secrets: { baseline: 'known/secrets.json' } }),
    });
    expect(await runCli(cwd, review)).toMatchObject(
      failing(2, 'reviewloop secrets --baseline known/secrets.json'),
    );
    expect((await runCli(cwd, ['secrets', '--no-config'])).code).toBe(50);
    const baseline = ['secrets', 'src', '--baseline', 'known/secrets.json'];
    expect((await runCli(cwd, baseline)).err).toContain('--baseline requires --reason');
    expect((await runCli(cwd, ['secrets', '--reason', reason])).err).toContain('--baseline');
    await writeFiles(cwd, { 'known/README': '' });
    const written = await runCli(cwd, [...baseline, '--reason', reason]);
    expect(written).toMatchObject({ code: 0 });
    const again = await runCli(cwd, ['secrets', 'src']);
    expect(again).toMatchObject({
      code: 0,
      err: '',
      out: '0 secrets in 2 files; 2 more allowed\n',
    });
    expect(await failures(cwd)).toEqual([]);
    // a second baseline keeps the entries and their reasons
    await writeFiles(cwd, { 'src/more.ts': `${line}\n` });
    await runCli(cwd, [...baseline, '--reason', 'another']);
    const stored = JSON.parse(await readFile(join(cwd, 'known/secrets.json'), 'utf8')) as {
      readonly allow: readonly { readonly path: string; readonly reason: string }[];
    };
    expect(stored.allow.map((entry) => [entry.path, entry.reason])).toEqual([
      ['../src/key.md', reason],
      ['../src/login.ts', reason],
      ['../src/more.ts', 'another'],
    ]);
    const folder = await readdir(join(cwd, 'known'), { recursive: true });
    for (const file of folder)
      expect(await readFile(join(cwd, 'known', file), 'utf8')).not.toContain(password);
    for (const { out, err } of [written, again]) expect(out + err).not.toContain(password);
  });
});

// put together here, so that no tool takes this file for a leak
const secret = `ghp_${'a1B2c3'.repeat(6)}`;
/** The public beginning, and a little more. */
const start = secret.slice(0, 10);

/** Files that a continued run reads again. */
const replayed =
  /journal|versions|workspaces|set-aside|request\.json|\/tasks\/|^\/tmp\/quality_review/;

/** A model that repeats the key in every text of its answer. */
const leakingModel = () =>
  modelServer(ollamaProtocol, () => {
    const issue = { severity: 'major', text: `remove ${secret}`, file: 'a.md', line: 1 };
    const words = `it has ${secret}`;
    const answers = [
      { verdict: 'failed', reason: words, issues: [issue] },
      {
        passed: false,
        feedback: words,
        criteria_results: [{ criterion: 'Complete', passed: false, feedback: words }],
      },
    ];
    return { kind: 'text', text: JSON.stringify({ ...answers[0], ...answers[1] }) };
  });

const work = `# Tea\n\nThe key is ${secret}.\n`;

it('a planted key reaches neither the screen nor a file of gate, tasks and checklist [R2-074, R2-078]', async () => {
  const server = await leakingModel();
  const flags = ['--provider', 'ollama:m', '--base-url', server.url];
  const screens: string[] = [];
  const run = async (cwd: string, ...argv: readonly string[]): Promise<string> => {
    const { out, err } = await runCli(cwd, argv);
    screens.push(`${argv.join(' ').replaceAll(secret, 'KEY')}\n${out}\n${err}`);
    return out;
  };
  const repository = newRepository();
  const { cwd } = repository;
  repository.write('work.md', work);
  repository.write(
    'tasks.md',
    `# Tasks\n\n### TASK-001: Add tea with ${secret}\n- [ ] ${secret}\n`,
  );
  repository.write(
    'plan.md',
    `# Plan\n\nUse ${secret}.\n\n## Milestones\n\n### M1: Tea ${secret}\n`,
  );
  repository.write(
    'job.yml',
    'name: article\nsteps:\n  - id: draft\n    outputs: { page: file }\n    reviews:\n      - run_each: step\n        quality_criteria: { Complete: Is everything there? }\n',
  );
  repository.commit('first');
  const gate = ['gate', '--job', 'job.yml', '--step', 'draft', '--output', 'page=work.md'];
  await run(cwd, ...gate, ...flags);
  await run(cwd, ...gate, ...flags, '--format', 'json');
  await run(cwd, ...gate, '--session', 's', '--mode', 'self');
  const tasks = ['tasks', 'run', '--tasks', 'tasks.md', '--exec', 'cp work.md tea.md', ...flags];
  const failed = await run(cwd, ...tasks, ...words('--all --review-policy required --attempts 1'));
  await run(cwd, 'tasks', 'status', '--tasks', 'tasks.md');
  await run(cwd, 'runs');
  const override = argvIn(printed(failed, 'or', 'override').replace('...', 'it may stay'));
  if (override.length > 1) await run(cwd, ...override, '--by', 'Ada');
  const common = ['--phase', 'plan-structure', '--state-dir', '.qr'];
  await run(cwd, 'checklist', 'decompose', 'plan.md', ...common);
  await run(cwd, 'checklist', 'verify', ...common, ...flags);
  await run(cwd, 'checklist', 'status', ...common);
  await server.close();
  const leaking: string[] = screens.filter((text) => text.includes(start));
  for (const folder of ['.reviewloop', '.qr', '.deepwork'])
    for (const path of await filesWith(start, join(cwd, folder)))
      if (!replayed.test(path)) leaking.push(`${folder}${path}`);
  expect(leaking).toEqual([]);
  expect(server.seen.length).toBeGreaterThan(1);
});

it('a key in the name of a branch, or in the error of a service, is not printed [R3-044]', async () => {
  const repository = newRepository();
  const { cwd } = repository;
  repository.write('a.md', '# Tea\n');
  repository.commit('first');
  repository.git('checkout', '-q', '-b', `fix-${secret}`);
  repository.write('a.md', '# Tea\n\nGreen.\n');
  const server = await modelServer(ollamaProtocol, () => ({
    kind: 'status',
    status: 400,
    message: `the key ${secret} is unknown`,
  }));
  const flags = ['--provider', 'ollama:m', '--base-url', server.url];
  const review = ['review', '--task-text', 'Write about tea.', ...flags];
  const printed: string[] = [];
  for (const more of [
    ['--diff'],
    ['--diff', '--json'],
    ['--diff', `fix-${secret}`],
    ['--diff', `gone-${secret}`],
  ]) {
    const { out, err } = await runCli(cwd, [...review, ...more]);
    expect(out + err).not.toBe('');
    if (`${out}${err}`.includes(start)) printed.push(more.join(' ').replaceAll(secret, 'KEY'));
  }
  await server.close();
  expect(server.seen.length).toBeGreaterThan(0);
  expect(printed).toEqual([]);
});
