import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedFiles } from '@/node/git/changed-files.js';
import { gitError } from '@/node/git/git-command.js';
import { DiffOutput } from '@/node/git/patch-sections.js';

const said = (...fields: string[]): string => `${fields.join('\0')}\0`;

describe('what git says of changed files', () => {
  const unmarked = { added: 0, removed: 0, binary: false, submodule: false };
  it.each<[string, string, object]>([
    [
      'moved files by both names, with the counts of the new one',
      said(':100644 100644 a b R090', 'old.js', 'new.js', '2\t1\t', 'old.js', 'new.js'),
      {
        ...unmarked,
        ...{ path: 'new.js', oldPath: 'old.js', status: 'renamed', added: 2, removed: 1 },
        ...{ oldMode: '100644', newMode: '100644' },
      },
    ],
    [
      'a file in conflict once, also without counts',
      said(':000000 000000 a b U', 'form.js', ':100644 100644 a b M', 'form.js'),
      { ...unmarked, path: 'form.js', status: 'unmerged' },
    ],
  ])('names %s', (_, output, file) => {
    expect(changedFiles(output)).toEqual([file]);
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

describe('the list and the patch in one output of git', () => {
  const list = said(':100644 100644 a b M', 'ö.txt', '1\t1\tö.txt');
  const parts = [
    'diff --git a/ö.txt b/ö.txt\n@@ -1 +1 @@\n-a\n+b\n',
    'diff --git a/x b/x\nBin\0\0ary\n',
  ];
  const read = (text: string, size: number, most = 1000) => {
    const output = new DiffOutput(most);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) output.push(bytes.subarray(at, at + size));
    return { list: output.list, parts: output.finish() };
  };

  it('are told apart, wherever the output is cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (size) => {
        const found = read(`${list}\0${parts.join('')}`, size);
        expect(changedFiles(found.list ?? '')).toEqual(changedFiles(list));
        expect(found.parts).toEqual(parts);
      }),
    );
  });

  it('may both be empty, and the patch may be too large', () => {
    expect(read('', 1)).toEqual({ list: '', parts: [] });
    expect(read(list, 7)).toEqual({ list, parts: [] });
    expect(read(`${list}\0${parts.join('')}`, 7, 60).parts).toEqual([parts[0], undefined]);
  });
});
