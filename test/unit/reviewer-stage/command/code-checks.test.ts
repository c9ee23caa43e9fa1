import { beforeAll, describe, expect, it } from 'vitest';
import type { Assessment } from '../../../../src/core/assessment.js';
import { codeChecks } from '../../../../src/reviewer-stage/command/code-checks.js';
import type { ChangedFile, CompletedWork } from '../../../../src/reviewer-stage/completed-work.js';
import { fakeReviewerContext } from '../../../../src/testing/index.js';

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

describe('what code can tell about a diff', () => {
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
