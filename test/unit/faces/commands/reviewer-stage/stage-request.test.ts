import { mkdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Assessment } from '@/core/assessment.js';
import type { Diff, DiffFile } from '@/core/diff/diff-source.js';
import { flag } from '@/faces/cli-kit/flags/flag.js';
import { codeChecks } from '@/faces/commands/reviewer-stage/code-checks.js';
import { readFacts, withoutOwnFiles } from '@/faces/commands/reviewer-stage/stage-facts.js';
import {
  asksForDiff,
  diffRequest,
  stageFlags,
} from '@/faces/commands/reviewer-stage/stage-flags.js';
import { repositoryAbove } from '@/node/folder-state.js';
import type { ChangedFile, CompletedWork } from '@/products/reviewer-stage/completed-work.js';
import { fakeReviewerContext } from '@/testing/index.js';
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
    expect([repositoryAbove(cwd), repositoryAbove(join(cwd, 'a/b'))]).toEqual([cwd, cwd]);
    const { root } = parse(cwd);
    expect(repositoryAbove(root)).toBeUndefined();
    expect(withoutOwnFiles(diff, root, ['TASK.md'])).toBe(diff);
  });
});

describe('what code can tell about a diff', () => {
  let reviewers: Awaited<ReturnType<typeof codeChecks>>;

  beforeAll(async () => {
    reviewers = await codeChecks();
  });

  /** What the checks say about these files, by the id of the criterion. */
  async function judged(
    files: readonly ChangedFile[],
    only = /./,
  ): Promise<ReadonlyMap<string, Assessment>> {
    const output = { changedFiles: files } as unknown as CompletedWork;
    const answers = await Promise.all(
      reviewers
        .filter(({ id }) => only.test(id))
        .map(async ({ review }) =>
          review({ task: undefined, output, iteration: 1 }, fakeReviewerContext()),
        ),
    );
    const assessments = answers.flatMap((answer) =>
      'assessments' in answer ? answer.assessments : answer,
    );
    return new Map(assessments.map((assessment) => [assessment.criterion, assessment]));
  }

  const changes = async (...files: ChangedFile[]) =>
    (await judged(files, /^changes$/)).get('changes');

  it('is nothing where there is nothing to review, and else a pass', async () => {
    expect(await changes()).toEqual({
      ...{ verdict: 'skipped', criterion: 'changes', reason: 'no file was changed' },
    });
    expect(await changes({ path: 'a.ts', status: 'new', content: 'const a = 1;\n' })).toMatchObject(
      {
        ...{ verdict: 'pass', score: 1, explanation: 'nothing unsafe was added', gaps: [] },
      },
    );
  });

  it('is critical for each file in conflict', async () => {
    expect(
      await changes(
        { path: 'a.ts', status: 'modified', omitted: 'unmerged' },
        { path: 'b.png', status: 'new', omitted: 'binary' },
      ),
    ).toMatchObject({
      ...{ verdict: 'fail', score: 0, explanation: '1 found' },
      gaps: [
        {
          ...{ severity: 'critical', description: 'a.ts is in conflict', affectedArtifact: 'a.ts' },
          ...{ suggestedFix: 'Resolve the merge', criterionId: 'changes', raisedBy: 'changes' },
        },
      ],
    });
  });

  it('names the line of a dangerous call that was added', async () => {
    const content = 'export const run = (text) =>\n  eval(text);\n';
    expect(await changes({ path: 'a.ts', status: 'new', content })).toMatchObject({
      verdict: 'fail',
      gaps: [
        {
          ...{ location: { file: 'a.ts', line: 2 }, affectedArtifact: 'a.ts' },
          ...{ autoFixable: true, category: 'incorrect' },
        },
      ],
    });
  });

  it('counts a finding in changed lines only, unless the file is new', async () => {
    const content = '<!doctype html>\n<html lang="en">\n<p>a</p>\n<img src="a.png">\n</html>\n';
    const hunk = (line: string): string => {
      const before = content.split('\n').filter((one) => one !== line);
      const at = content.split('\n').indexOf(line) + 1;
      return `--- a/a.html\n+++ b/a.html\n@@ -1,${before.length} +${at},1 @@\n+${line}\n`;
    };
    const page = (diff: string | undefined, status: ChangedFile['status'] = 'modified') => ({
      ...{ path: 'a.html', status, content },
      ...(diff !== undefined && { diff }),
    });
    const whole = await judged([page(undefined)]);
    const found = [...whole.values()].find(
      (assessment) =>
        assessment.verdict === 'fail' &&
        assessment.gaps.every(({ location }) => location?.line === 4),
    );
    const id = found?.criterion ?? 'none';
    const only = new RegExp(`^${id}$`);
    const verdict = async (...args: Parameters<typeof page>) =>
      (await judged([page(...args)], only)).get(id);
    expect(await verdict(hunk('<img src="a.png">'))).toMatchObject({ verdict: 'fail' });
    expect(await verdict(hunk('<p>a</p>'))).toEqual({
      ...{ verdict: 'skipped', criterion: id },
      reason: 'its findings are outside of the changed lines',
    });
    expect(await verdict(hunk('<p>a</p>'), 'new')).toMatchObject({ verdict: 'fail' });
  });

  it('has a version for each criterion, and none twice', () => {
    const ids = reviewers.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids[0]).toBe('changes');
    for (const { version, tier, id } of reviewers) {
      expect(tier).toBe('code');
      expect(version, id).toMatch(id === 'changes' ? /^1$/ : /^changes\/1\/.+/);
    }
  });
});

const other = [
  flag({ name: 'paths', arg: '[paths...]', help: '', many: true }),
  flag({ name: 'quiet', help: '' }),
  flag({ name: 'fix', help: '' }),
  flag({ name: 'maxFiles', arg: '<n>', parse: Number, default: 5, help: '' }),
  flag({ name: 'requirements', arg: '<file>', off: 'none', help: '' }),
] as const;
const flags = [...stageFlags, ...other];
const nothing = {
  ...{ diff: undefined, staged: false, verify: [], human: undefined, allowTruncated: [] },
  ...{ again: false, plan: undefined, results: undefined, verification: undefined },
  ...{ session: undefined, paths: [], quiet: false, fix: false, maxFiles: 5 },
  requirements: undefined,
};
const asks = (more: object): boolean => asksForDiff({ ...nothing, ...more }, flags);
const refused = (more: object): string => {
  try {
    asks(more);
  } catch (error) {
    expect(error).toMatchObject({ code: 'usage' });
    return (error as Error).message;
  }
  return 'nothing was refused';
};

describe('the flags of a review of a diff', () => {
  it('ask for one if a diff or the stage is named', () => {
    for (const more of [{}, { quiet: true, paths: ['a'], fix: true, maxFiles: 7 }])
      expect(asks(more)).toBe(false);
    for (const more of [{ diff: true }, { diff: 'A..B' }, { staged: true }])
      expect(asks(more)).toBe(true);
    expect(asks({ diff: true, verify: ['npm test'], again: true, session: 'mine' })).toBe(true);
    expect(asks({ staged: true, quiet: true, paths: ['a'] })).toBe(true);
  });

  it('are refused without one', () => {
    expect(refused({ verify: ['npm test'] })).toContain('--verify requires --diff or --staged');
    expect(refused({ allowTruncated: ['a'] })).toContain('--allow-truncated requires');
    expect(refused({ again: true })).toContain('--again requires');
    expect(refused({ session: 's' })).toContain('--session requires');
  });

  it('are refused with those of a review of files, as they were written', () => {
    expect(refused({ diff: true, fix: true })).toContain('--fix cannot be used with --diff');
    expect(refused({ staged: true, maxFiles: 7 })).toContain('--max-files cannot be used');
    expect(refused({ diff: true, requirements: 'R.yml' })).toContain('--requirements cannot');
    expect(refused({ diff: true, requirements: false })).toContain('--no-requirements cannot');
    expect(refused({ diff: true, staged: true })).toContain('--diff or --staged, not both');
    for (const session of ['', '  '])
      expect(refused({ diff: true, session })).toContain('--session expects a name');
  });

  it('name what is compared', () => {
    expect(diffRequest({ diff: undefined, staged: true })).toEqual({ kind: 'staged' });
    expect(diffRequest({ diff: true, staged: false })).toEqual({ kind: 'working-tree' });
    for (const range of ['A..B', 'A...B', '..B'])
      expect(diffRequest({ diff: range, staged: false })).toEqual({ kind: 'range', range });
    expect(diffRequest({ diff: 'HEAD~2', staged: false })).toEqual({
      kind: 'working-tree',
      base: 'HEAD~2',
    });
  });
});
