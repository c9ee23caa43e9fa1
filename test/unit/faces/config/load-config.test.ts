import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, test, vi } from 'vitest';
import { acceptedPath, readAccepted } from '@/faces/cli-kit/criteria/accepted-file.js';
import { readTask, taskRequirements } from '@/faces/cli-kit/inputs/read-task.js';
import { readJob } from '@/faces/commands/quality-gate/job-in.js';
import { readTasks } from '@/faces/commands/task-review/run-tasks.js';
import { defineConfig } from '@/faces/config/config.js';
import { loadAllowedSecrets } from '@/faces/config/load-allowed-secrets.js';
import { loadConfig } from '@/faces/config/load-config.js';
import { systemClock } from '@/ports/clock.js';
import { errorWith, expectCode } from '../../../support/matchers.js';
import { folderOf, runCli } from '../cli/harness.js';

const load = async (name: string, content: string) =>
  loadConfig(await folderOf({ [name]: content }));

describe('loading', () => {
  test.each([
    ['reviewloop.config.json', '{ "policy": { "quality": 0.5 } }'],
    ['reviewloop.config.yaml', 'policy:\n  quality: 0.5\n'],
    ['reviewloop.config.yml', 'policy: { quality: 0.5 }'],
    ['reviewloop.config.js', 'export default { policy: { quality: 0.5 } };'],
    ['reviewloop.config.mjs', 'export default { policy: { quality: 0.5 } };'],
    [
      'reviewloop.config.ts',
      'const quality: number = 0.5;\nexport default { policy: { quality } };',
    ],
  ])('%s', async (name, content) => {
    expect(await load(name, content)).toEqual({ config: { policy: { quality: 0.5 } }, file: name });
  });

  test('is found upward, and may be left out', async () => {
    const folder = await folderOf({ 'reviewloop.config.json': '{}', 'a/b/x': '' });
    expect(await loadConfig(join(folder, 'a/b'))).toEqual({
      config: {},
      file: '../../reviewloop.config.json',
    });
    expect((await loadConfig(await folderOf())).file).toBeUndefined();
  });

  test('an empty YAML file is an empty configuration', async () => {
    expect((await load('reviewloop.config.yaml', '# nothing yet\n')).config).toEqual({});
  });

  test('instances stay what they are', async () => {
    const { config } = await load(
      'reviewloop.config.mjs',
      'class Own { id = "own"; name = "own"; description = ""; severity = "major"; category = "quality"; async validate() { return this.answer; } answer = { passed: true, score: 1, details: "" }; }\nexport default { criteria: [new Own()] };',
    );
    expect(Object.getPrototypeOf((config.criteria as object[])[0]).constructor.name).toBe('Own');
  });

  test('a byte order mark is no part of the data', async () => {
    expect((await load('reviewloop.config.json', '\ufeff{"criteria": "auto"}')).config).toEqual({
      criteria: 'auto',
    });
  });

  test('reviewers, and checks with what their failure means', async () => {
    const { config } = await load(
      'reviewloop.config.mjs',
      'export default { criteria: { mine: { check: () => true, severity: "minor" } }, reviewers: [{ id: "r", version: "1", stage: "code", review: async () => [] }] };',
    );
    expect(config.reviewers).toHaveLength(1);
  });

  test('defineConfig gives back what it gets', () => {
    const config = { policy: { quality: 1 } };
    expect(defineConfig(config)).toBe(config);
  });
});

/** Expects an error about a configuration; a message that begins with the extension begins with the file. */
async function refuses(extension: string, content: string, message: string): Promise<void> {
  const said = message.startsWith(extension) ? `reviewloop.config${message}` : message;
  await expect(load(`reviewloop.config${extension}`, content)).rejects.toMatchObject(
    errorWith('config_invalid', said),
  );
}

describe('what is wrong is named with file and line', () => {
  const keys =
    'criteria, requirements, lint, pages, spelling, words, reviewers, commands, policy, budget, limits, human, provider, model, baseUrl, contextTokens, structured, trust, confirmWith, verdicts, learn, secrets, honestWork, address';
  const unknown = (key: string): string => `unknown key \`${key}\``;

  test.each([
    [
      '{\n  "policy": {},\n  "polciy": 1\n}',
      `.json:3: ${unknown('polciy')}; the nearest key is policy; the keys are ${keys}`,
    ],
    ['{\n  "policy": {,\n}', '.json:2'],
    ['{ "policy": 0.5, }', '.json'],
    ['[]', '.json'],
    ['{ "criteria": 7 }', '`criteria`: expected a name, a list, or a map'],
    ['{"a": 1, "a": 2}', '.json:1: Map keys must be unique'],
    ["{'criteria': 'auto'}", '.json:'],
    ['{ "provider": "" }', '`provider`'],
    ['{ "limits": { "requestsPerMinute": 0 } }', 'requestsPerMinute'],
    ['{ "limits": { "perMinute": 5 } }', 'perMinute'],
    ['{ "limits": { "prices": { "openai:m": { "inputPerMillion": 1 } } } }', 'outputPerMillion'],
  ])('in JSON: %j', (content, message) => refuses('.json', content, message));

  test.each([
    ['human:\n  policy: always\n', '.yaml:2: `human.policy`'],
    ['human:\n  policy: prompt\n  expires: 5\n', `.yaml:3: ${unknown('human.expires')}`],
    ['human:\n  policy: prompt\n  expiresAfterMs: 0\n', '.yaml:3: `human.expiresAfterMs`'],
    [
      'policy:\n  quality: 0.5\n\nbudget:\n  iterations: 2\n  dollars: 3\n',
      `.yaml:6: ${unknown('budget.dollars')}`,
    ],
    ['budget:\n  reviews: none\n', '.yaml:2: `budget.reviews`'],
    ['criteria:\n  - auto\n  - 7\n', '.yaml:3: `criteria'],
    ['a: [1\nb: 2', '.yaml:'],
    ['reviewers:\n  id: mine\n', '.yaml:1: `reviewers`: expected a list'],
    ['reviewers:\n  - id: mine\n', '.yaml:2: `reviewers[0]`: expected a reviewer'],
    [
      'verdicts: .reviewloop\n',
      '.yaml:1: `verdicts`: expected a verdict store, with `get` and `put`',
    ],
    ['address: later\n', '.yaml:1: `address`: expected a function'],
    ['commands: npm test\n', '.yaml:1: `commands`: expected a list of commands'],
    ['commands:\n  - 7\n', '.yaml:2: `commands[0]`'],
    ['criteria: null\n', '`criteria`: expected a name, a list, or a map'],
    ['criteria:\n  - null\n', 'expected the name of a set of criteria'],
    ['provider: 7\n', ".yaml:1: `provider`: expected a name such as 'openai:MODEL', or a provider"],
    ['model: qwen3\n', '.yaml:1: `model`: requires a `provider` that is a name'],
    ['provider: openai\nbaseUrl: ftp://x\n', '.yaml:2: `baseUrl`'],
    ['executor:\n  review_policy: maybe\n', '.yaml:2: `executor.review_policy`'],
    ['executor: [claude]\n', '.yaml:1: `executor`'],
  ])('in YAML: %j', (content, message) => refuses('.yaml', content, message));

  test.each([
    ['.mjs', '{\n  criteria: {},\n  polciy: 1,\n}', `.mjs:3: ${unknown('polciy')}`],
    ['.ts', '{\n  budget: { reviews: 0 },\n}', '.ts:2: `budget.reviews`'],
    ['.mjs', '{ criteria: { mine: 7 } }', '`criteria.mine`'],
    ['.mjs', '{ criteria: { mine: { check: 7 } } }', '`criteria.mine`: expected a function'],
    ['.mjs', "{ commands: [{ command: 'npm', nope: 1 }] }", '`commands[0]`'],
    ['.mjs', "{ provider: { id: 'mine' } }", '`provider`: expected a name'],
    ['.mjs', '{ verdicts: { get: () => {} } }', '`verdicts`: expected a verdict store'],
  ])('in a module%s: %j', (extension, content, message) =>
    refuses(extension, `export default ${content};`, message),
  );

  test('a module without a default export', () =>
    refuses('.mjs', 'export const criteria = {};', '.mjs'));

  test.each([
    [
      'reviewloop.config.mjs',
      'const broken = 1;\nthrow new Error("no model here");',
      /cannot load reviewloop\.config\.mjs: no model here \(line 2\)/,
    ],
    ['reviewloop.config.mjs', 'export default {', /cannot load reviewloop\.config\.mjs/],
    ['reviewloop.config.mjs', 'import "none-such-package";', /none-such-package/],
    ['reviewloop.config.mjs', 'throw "a text";', /cannot load reviewloop\.config\.mjs: a text/],
    [
      'reviewloop.config.ts',
      'throw new Error("typed");',
      /cannot load reviewloop\.config\.ts: typed/,
    ],
  ])('%s that throws: %j', async (name, content, message) => {
    await expect(load(name, content)).rejects.toMatchObject(
      errorWith('config_unreadable', message),
    );
  });

  test('a module that never ends loading', async () => {
    vi.spyOn(systemClock, 'after').mockImplementation((_, late) => {
      late();
      return () => {};
    });
    await expect(
      load('reviewloop.config.mjs', 'await new Promise(() => {});'),
    ).rejects.toMatchObject(errorWith('config_unreadable', 'timed out after 30 s'));
    vi.restoreAllMocks();
  });

  test('a file that is not there', async () => {
    const folder = await folderOf();
    for (const name of ['none.json', 'none.mjs'])
      await expectCode(loadConfig(folder, join(folder, name)), 'config_unreadable');
  });
});

/** What may be where a configuration should be. */
const things: Readonly<Record<string, (path: string) => void>> = {
  'a link to nothing': (path) => symlinkSync('nowhere', path),
  'a link to itself': (path) => symlinkSync(path, path),
  'a folder': (path) => {
    mkdirSync(path);
  },
  'a link to a folder': (path) => symlinkSync(dirname(path), path),
  'a pipe': (path) => {
    execFileSync('mkfifo', [path]);
  },
  'an endless device': (path) => symlinkSync('/dev/zero', path),
  'an empty device': (path) => symlinkSync('/dev/null', path),
  'an empty file': (path) => writeFileSync(path, ''),
  'a blank file': (path) => writeFileSync(path, '\n \n'),
  'bytes that are no text': (path) => writeFileSync(path, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
};

/** Puts a thing into a folder; `undefined` for a name that cannot have it. */
async function put(thing: string, name: string): Promise<string> {
  const cwd = await folderOf({ 'TASK.md': 'The page has a title.', 'sub/x': '' });
  mkdirSync(dirname(join(cwd, name)), { recursive: true });
  things[thing]?.(join(cwd, name));
  return cwd;
}

const code = (...codes: string[]): object => ({
  code: expect.stringMatching(new RegExp(`^(${codes.join('|')})$`)) as string,
});
const codes = code('config_unreadable', 'config_invalid');

describe.each(Object.keys(things))('%s in place of a configuration', (thing) => {
  it.each(['.json', '.yaml', '.yml', '.js', '.mjs', '.ts'])(
    'is no absent reviewloop.config%s [R3-125]',
    async (extension) => {
      const cwd = await put(thing, `reviewloop.config${extension}`);
      const named = {
        ...codes,
        message: expect.stringContaining(`reviewloop.config${extension}`) as string,
      };
      await expect(loadConfig(cwd)).rejects.toMatchObject(named);
      await expect(loadConfig(join(cwd, 'sub'))).rejects.toMatchObject(named);
      await expect(loadConfig(cwd, `${cwd}/reviewloop.config${extension}`)).rejects.toMatchObject(
        named,
      );
    },
  );

  it('is no absent section of another program and no absent baseline [R3-125]', async () => {
    for (const name of ['.agent/config.yml', '.agent/config.yaml']) {
      const cwd = await put(thing, name);
      await expect(loadConfig(cwd, undefined, { agent: true })).rejects.toMatchObject(codes);
      expect((await loadConfig(cwd)).file).toBeUndefined();
    }
    const cwd = await put(thing, 'given.json');
    const config = { secrets: { baseline: 'given.json' } };
    for (const mayBeMissing of [false, true])
      await expect(
        loadAllowedSecrets(cwd, { config, file: undefined }, { mayBeMissing }),
      ).rejects.toMatchObject(codes);
  });

  it('is no absent list of requirements, criteria, tasks or steps [R3-125]', async () => {
    const beside = await put(thing, 'TASK.requirements.yml');
    const io = { cwd: beside, readStdin: async () => Buffer.from('') };
    const task = { ...(await readTask(io as never, { task: 'TASK.md', maxFileSize: 1000 })) };
    await expect(taskRequirements(io, task, undefined)).rejects.toMatchObject(
      code('requirements_invalid', 'file_unreadable'),
    );
    const accepted = await put(thing, 'reviewloop.criteria.json');
    await expect(
      acceptedPath(join(accepted, 'sub')).then((path) => readAccepted(accepted, path)),
    ).rejects.toMatchObject(code('config_invalid', 'file_unreadable'));
    await expect(readTasks(await put(thing, 'tasks.md'), 'tasks.md')).rejects.toMatchObject(
      code('tasks_invalid', 'file_unreadable'),
    );
    for (const job of ['job.json', 'job.yml'])
      await expect(readJob(join(await put(thing, job), job), job)).rejects.toMatchObject(
        code('config_invalid', 'file_unreadable'),
      );
  });
});

it.each([
  ['review', 'page.html', '--task', 'TASK.md'],
  ['tasks', 'run', '--tasks', 'tasks.md', '--all', '--exec', 'true'],
  ['secrets', 'page.html'],
])('%s ends with a code where the configuration leads nowhere [R3-125]', async (...argv) => {
  const cwd = await put('a link to nothing', 'reviewloop.config.json');
  writeFileSync(join(cwd, 'page.html'), '<title>Tea</title>');
  writeFileSync(join(cwd, 'tasks.md'), '### TASK-001: Add tea\n- [ ] water\n');
  const { code: exitCode, out, err } = await runCli(cwd, argv);
  expect(exitCode, out + err).toBe(2);
  expect(err).toContain('cannot read reviewloop.config.json: it is a link to nothing');
});
