import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitFault } from '../../../src/task-review/command/git-fault.js';
import { folderOf } from './harness.js';

const ended = (stderr: string, more = {}) => ({
  exitCode: 128,
  signal: null,
  stdout: '',
  stderr,
  truncated: false,
  timedOut: false,
  durationMs: 1,
  ...more,
});

it.each([
  ['English', (path: string) => `fatal: Unable to create '${path}': File exists.`],
  [
    'German',
    (path: string) => `fatal: Konnte '${path}' nicht erstellen: Die Datei existiert bereits.`,
  ],
  ['other quotes', (path: string) => `fatal: Impossible de créer «${path}»`],
])('a lock is found in what git says in %s, where it is there', async (_, said) => {
  const cwd = await folderOf();
  mkdirSync(join(cwd, 'a b'));
  const lock = join(cwd, 'a b/index.lock');
  expect(await gitFault(cwd, ['add'], ended(said(lock)))).toMatchObject({ code: 'git_failed' });
  writeFileSync(lock, '');
  expect(await gitFault(cwd, ['add'], ended(said(lock)))).toMatchObject({
    code: 'git_locked',
    value: lock,
    message: expect.stringContaining(`rm '${lock}'`),
  });
  expect(await gitFault(cwd, ['add'], ended(said('a b/index.lock')))).toMatchObject({
    code: 'git_locked',
    value: lock,
  });
});

it('anything else is told in the words of git, with the signal that ended it', async () => {
  expect(
    await gitFault(
      '/',
      ['add'],
      ended('', { exitCode: null, signal: 'SIGKILL', stdout: 'half done' }),
    ),
  ).toMatchObject({ code: 'git_failed', what: 'git add ended with SIGKILL in /: half done' });
  expect(await gitFault('/', ['add'], ended("fatal: '\u0000.lock'"))).toMatchObject({
    code: 'git_failed',
  });
});
