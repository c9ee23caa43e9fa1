import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acceptedPath, readAccepted } from '@/cli-kit/criteria/accepted-file.js';
import { readTask } from '@/cli-kit/inputs/read-task.js';
import { taskRequirements } from '@/cli-kit/inputs/task-requirements.js';
import { loadAllowedSecrets } from '@/config/load-allowed-secrets.js';
import { loadConfig } from '@/config/load-config.js';
import { loadSpellingSettings } from '@/config/load-spelling-settings.js';
import { loadJob } from '@/quality-gate/command/run-gate.js';
import { readTasks } from '@/task-review/command/read-tasks.js';
import { folderOf, runCli } from '../cli/harness.js';

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

  it('is no absent section of another program, baseline or word list [R3-125]', async () => {
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
    await expect(loadSpellingSettings(cwd, 'given.json', undefined)).rejects.toMatchObject(codes);
    await expect(
      loadSpellingSettings(await put(thing, 'given.yml'), 'given.yml', undefined),
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
      await expect(loadJob(await put(thing, job), job)).rejects.toMatchObject(
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
