import { describe, expect, it } from 'vitest';
import { changedFiles } from '@/git/changed-files.js';
import { gitError } from '@/git/git-command.js';

const said = (...fields: string[]): string => `${fields.join('\0')}\0`;

describe('what git says of changed files', () => {
  it('names moved files by both names, with the counts of the new one', () => {
    expect(
      changedFiles(
        said(':100644 100644 a b R090', 'old.js', 'new.js', '2\t1\t', 'old.js', 'new.js'),
      ),
    ).toEqual([
      {
        path: 'new.js',
        oldPath: 'old.js',
        status: 'renamed',
        added: 2,
        removed: 1,
        binary: false,
        submodule: false,
        oldMode: '100644',
        newMode: '100644',
      },
    ]);
  });

  it('tells a file in conflict once, also without counts', () => {
    expect(
      changedFiles(said(':000000 000000 a b U', 'form.js', ':100644 100644 a b M', 'form.js')),
    ).toEqual([
      {
        path: 'form.js',
        status: 'unmerged',
        added: 0,
        removed: 0,
        binary: false,
        submodule: false,
      },
    ]);
  });

  it.each([
    ['an unknown letter', said(':100644 100644 a b Z', 'x')],
    ['no letter at all', said(':100644')],
    ['a count that is none', said('one\ttwo\tx')],
    ['a name that is missing', ':100644 100644 a b M'],
    ['one of two names', ':100644 100644 a b R100\0old.js'],
  ])('%s is refused, and not guessed', (_, output) => {
    expect(() => changedFiles(output)).toThrow(expect.objectContaining({ code: 'git_failed' }));
  });

  it('a git that a signal ended is named by it', () => {
    const result = {
      exitCode: null,
      signal: 'SIGKILL',
      stdout: '',
      stderr: '',
      truncated: false,
      timedOut: false,
      durationMs: 1,
    } as const;
    expect(gitError(['diff'], { cwd: '.', timeoutMs: 1 }, result).message).toContain(
      'git diff was ended by SIGKILL',
    );
  });
});
