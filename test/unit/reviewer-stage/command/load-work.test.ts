import { mkdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Diff, DiffFile } from '../../../../src/diff/diff-source.js';
import {
  readFacts,
  rootOf,
  withoutOwnFiles,
} from '../../../../src/reviewer-stage/command/load-work.js';
import { folderOf } from '../../cli/harness.js';

describe('the facts about work', () => {
  it('are read from files, without secrets', async () => {
    const secret = `ghp_${'a1B2c3'.repeat(6)}`;
    const cwd = await folderOf({
      'plan.md': `first ${secret}`,
      'results.json': JSON.stringify([{ step: 'one', status: 'succeeded', output: secret }]),
      'checks.json': JSON.stringify([{ name: 'npm test', passed: true }]),
    });
    const facts = await readFacts(cwd, {
      ...{ plan: 'plan.md', results: 'results.json', verification: 'checks.json' },
    });
    expect(facts).toMatchObject({
      plan: expect.stringMatching(/^first .*REDACTED/) as string,
      executionResults: [{ step: 'one', status: 'succeeded' }],
      verificationResults: [{ name: 'npm test', passed: true }],
    });
    expect(JSON.stringify(facts)).not.toContain(secret);
    expect(await readFacts(cwd, {})).toStrictEqual({
      executionResults: [],
      verificationResults: [],
    });
  });

  it('are refused where a file is not what it should be, by its name', async () => {
    const cwd = await folderOf({
      'a.bin': Buffer.from([0, 255, 254]),
      'a.json': '{',
      'b.json': '[{"step":"one"}]',
    });
    for (const [given, code] of [
      [{ plan: 'gone.md' }, 'file_unreadable'],
      [{ plan: 'a.bin' }, 'file_unreadable'],
      [{ results: 'a.json' }, 'task_invalid'],
      [{ results: 'b.json' }, 'task_invalid'],
      [{ verification: 'b.json' }, 'task_invalid'],
    ] as const)
      await expect(readFacts(cwd, given), JSON.stringify(given)).rejects.toMatchObject({
        ...{ code, message: expect.stringContaining(Object.values(given)[0] ?? '') as string },
      });
  });
});

describe('files of the command itself', () => {
  const fileOf = (path: string, status: DiffFile['status']): DiffFile => ({
    ...{ path, status, added: 1, removed: 0, binary: false, submodule: false },
    ...{ header: '', hunks: [], omitted: false },
  });
  const diff: Diff = {
    ...{ base: 'a', head: 'b', text: '' },
    files: [fileOf('TASK.md', 'new'), fileOf('sub/plan.md', 'new'), fileOf('old.md', 'modified')],
  };
  const left = (cwd: string, ...own: (string | false | undefined)[]): string[] =>
    withoutOwnFiles(diff, cwd, own).files.map(({ path }) => path);

  it('are no part of the work if they are new', async () => {
    const cwd = await folderOf();
    mkdirSync(join(cwd, '.git'));
    mkdirSync(join(cwd, 'sub'));
    expect(left(cwd, 'TASK.md', undefined, false, '-')).toEqual(['sub/plan.md', 'old.md']);
    expect(left(cwd, join(cwd, 'TASK.md'), 'old.md')).toEqual(['sub/plan.md', 'old.md']);
    expect(left(join(cwd, 'sub'), 'plan.md', 'TASK.md')).toEqual(['TASK.md', 'old.md']);
    expect(withoutOwnFiles(diff, cwd, ['none.md'])).toBe(diff);
  });

  it('are found from the top of the repository', async () => {
    const cwd = await folderOf({ 'a/b/c.txt': '' });
    mkdirSync(join(cwd, '.git'));
    expect([rootOf(cwd), rootOf(join(cwd, 'a/b'))]).toEqual([cwd, cwd]);
    const { root } = parse(cwd);
    expect(rootOf(root)).toBeUndefined();
    expect(withoutOwnFiles(diff, root, ['TASK.md'])).toBe(diff);
  });
});
