import { describe, expect, it } from 'vitest';
import { gitDiff } from '@/node/git/git-diff.js';
import { gitFiles } from '@/node/git/git-files.js';
import { safetyFindings } from '@/products/reviewer-stage/dimensions/safety-findings.js';
import { ReviewerStage } from '@/products/reviewer-stage/reviewer-stage.js';
import { workFromDiff } from '@/products/reviewer-stage/work-from-diff.js';
import { checklistJudge } from '../../../support/checklist-judge.js';
import { newRepository, type Repository } from '../../../support/git-repository.js';
import { errorWith, expectCode, withCode } from '../../../support/matchers.js';

const about = { sessionId: 's', request: 'Add email validation' };

async function workOf(
  { cwd }: Repository,
  options: object = {},
  request: Parameters<ReturnType<typeof gitDiff>['diff']>[0] = { kind: 'working-tree' },
) {
  const diff = await gitDiff({ cwd }).diff(request);
  return workFromDiff(diff, { ...about, files: gitFiles(diff, { cwd }), ...options });
}

function started(): Repository {
  const repository = newRepository();
  repository.write('src/phone.js', 'export const isPhone = 1;\n');
  repository.write('src/form.js', 'one\ntwo\nthree\n');
  repository.write('old.txt', 'old\n');
  repository.commit();
  return repository;
}

describe('finished work from a diff', () => {
  it('context is loaded with one diff, one read for each changed file, and a bounded number of neighbours [RV-66]', async () => {
    const repository = started();
    for (let index = 0; index < 30; index += 1)
      repository.write(`src/n${String(index).padStart(2, '0')}.js`, `export const n = ${index};\n`);
    repository.commit();
    repository.write('src/form.js', 'one\n2\nthree\n');
    repository.write('src/email.js', 'export const isEmail = 1;\n');
    const diff = await gitDiff({ cwd: repository.cwd }).diff({ kind: 'working-tree' });
    const source = gitFiles(diff, { cwd: repository.cwd });
    const calls: string[] = [];
    const work = await workFromDiff(diff, {
      ...about,
      files: {
        read: (path, options) => {
          calls.push(`read ${path}`);
          return source.read(path, options);
        },
        list: (folder, options) => {
          calls.push(`list ${folder}`);
          return source.list(folder, options);
        },
      },
    });
    expect(calls).toEqual([
      ...['read src/email.js', 'read src/form.js', 'list src', 'read src/n00.js'],
      ...['read src/n01.js', 'read src/n02.js', 'read src/n03.js'],
    ]);
    expect(work.samples?.map(({ path }) => path)).toEqual([
      'src/n00.js',
      'src/n01.js',
      'src/n02.js',
      'src/n03.js',
    ]);
  });

  it('has every changed file, with its content and its diff', async () => {
    const repository = started();
    repository.write('src/form.js', 'one\n2\nthree\n');
    repository.write('src/email.js', 'export const isEmail = 1;\n');
    repository.git('rm', '-q', 'old.txt');
    const work = await workOf(repository);
    expect(work.changedFiles).toEqual([
      {
        path: 'old.txt',
        status: 'deleted',
        added: 0,
        removed: 1,
        diff: expect.stringContaining('-old') as string,
      },
      {
        path: 'src/email.js',
        status: 'new',
        added: 1,
        removed: 0,
        content: 'export const isEmail = 1;\n',
      },
      {
        path: 'src/form.js',
        status: 'modified',
        added: 1,
        removed: 1,
        content: 'one\n2\nthree\n',
        diff: expect.stringContaining('-two\n+2\n') as string,
      },
    ]);
    expect(work.samples).toEqual([
      { path: 'src/phone.js', content: 'export const isPhone = 1;\n' },
    ]);
    expect(work).toMatchObject({ base: repository.git('rev-parse', 'HEAD'), head: 'working-tree' });
  });

  it('reads the index and the content of a commit, not the disk', async () => {
    const repository = started();
    repository.write('src/form.js', 'staged\n');
    repository.git('add', '-A');
    repository.write('src/form.js', 'on the disk\n');
    expect((await workOf(repository, {}, { kind: 'staged' })).changedFiles[0]?.content).toBe(
      'staged\n',
    );
    repository.git('commit', '-qm', 'next');
    expect(
      (await workOf(repository, {}, { kind: 'range', range: 'HEAD~1..HEAD' })).changedFiles[0]
        ?.content,
    ).toBe('staged\n');
  });

  it('does not follow links out of the repository', async () => {
    const repository = started();
    const { symlinkSync } = await import('node:fs');
    symlinkSync('/etc/passwd', `${repository.cwd}/src/link.js`);
    repository.write('src/form.js', 'changed\n');
    const link = (await workOf(repository)).changedFiles.find(({ path }) => path === 'src/link.js');
    expect(link?.content).toBeUndefined();
    expect(link?.diff).toContain('+/etc/passwd');
  });

  it('takes secrets out of everything, and tells safety where they stood', async () => {
    const repository = started();
    const secret = `AKIA${'ABCDEFGH12345678'}`;
    repository.write('src/form.js', `one\nconst key = "${secret}";\nthree\n`);
    repository.write('src/more.js', `// fine\nconst key = "${secret}";\n`);
    const work = await workOf(repository);
    expect(JSON.stringify(work)).not.toContain(secret);
    expect(
      safetyFindings(work).map(({ location, severity }) => [
        location?.file,
        location?.line,
        severity,
      ]),
    ).toEqual([
      ['src/form.js', 2, 'critical'],
      ['src/more.js', 2, 'critical'],
    ]);
  });

  it('a file over its budget is not judged; one that is allowed by name is cut, and never approved [AC-011]', async () => {
    const repository = started();
    repository.write('src/form.js', 'a line that is long enough to count\n'.repeat(500));
    const work = await workOf(repository, { maxFileTokens: 200 });
    expect(work.changedFiles).toEqual([
      { path: 'src/form.js', status: 'modified', added: 500, removed: 3, omitted: 'too_large' },
    ]);
    const provider = checklistJudge([]);
    const result = await new ReviewerStage({ provider, retries: 0 }).review(work);
    expect(result).toMatchObject({ decision: 'INCONCLUSIVE', code: 'ACODE-REVIEW-002' });
    expect(provider.requests).toHaveLength(0);
    const allowed = await workOf(repository, {
      maxFileTokens: 200,
      allowTruncated: ['src/form.js'],
    });
    expect(allowed.changedFiles[0]).toMatchObject({
      omitted: 'cut',
      diff: expect.stringMatching(/lines of src\/form\.js left out\]/) as string,
    });
    const cut = await new ReviewerStage({ provider }).review(allowed);
    expect(cut.decision).toBe('INCONCLUSIVE');
    expect(JSON.stringify(cut.run.review?.assessments)).toContain(
      'only a part was shown of src/form.js (allowTruncated)',
    );
    expect(
      provider.requests.every(({ messages }) =>
        messages.some(({ content }) => content.includes('[shown in part]')),
      ),
    ).toBe(true);
  });

  it('removes secrets from the facts beside the changes, unless redact is false [NFR-010]', async () => {
    const repository = started();
    repository.write('src/form.js', 'changed\n');
    const secret = `shpat_${'0a1b2c3d'.repeat(4)}`;
    const told = {
      request: `Use ${secret}`,
      acceptanceCriteria: [`${secret} works`],
      plan: [`try ${secret}`],
      notes: [secret],
      executionResults: [{ step: 'one', status: 'succeeded' as const, output: `said ${secret}` }],
      verificationResults: [{ name: `test ${secret}`, passed: true, details: secret }],
    };
    const clean = await workOf(repository, told);
    expect(JSON.stringify(clean)).not.toContain(secret);
    expect(clean).toMatchObject({
      request: 'Use [REDACTED:shopify]',
      verificationResults: [{ name: 'test [REDACTED:shopify]', passed: true }],
    });
    expect(await workOf(repository, { ...told, redact: false })).toMatchObject(told);
  });

  it('refuses what there is nothing to review of, no session, and a revision that is an option', async () => {
    const repository = started();
    await expect(workOf(repository)).rejects.toMatchObject(
      errorWith('no_artifacts', 'nothing to review'),
    );
    repository.write('logo.png', Buffer.from([0, 1, 2, 3]));
    await expect(workOf(repository)).rejects.toMatchObject(errorWith('no_artifacts', 'logo.png'));
    repository.write('src/form.js', 'changed\n');
    await expectCode(workOf(repository, { sessionId: '' }), 'task_invalid');
    expect(() => gitFiles({ head: '--exec=x' })).toThrow(withCode('invalid_options'));
  });
});
