import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newRepository } from '../support/git-repository.js';
import { chatProtocol } from '../support/model-server.js';
import { sarifRun } from '../support/report-readers.js';
import { yesServer } from '../support/yes-judge.js';
import { changed, actionRoot as root, runAction } from './run-action.js';

/** The workflow commands that a runner finds in a log, by name. */
function commandsIn(log: string): string[] {
  return log
    .split(/\r\n|[\n\r]/)
    .flatMap((line) => /^\s*::([\w-]+)/.exec(line)?.[1] ?? (line.includes('##[') ? ['##['] : []));
}

describe('the action', () => {
  it('reviews the diff of a pull request: annotations, summary, SARIF and a comment', async () => {
    const given = await changed();
    const { code, log, summary, uploads, outputs } = await runAction(given);
    expect(code).toBe(50);
    expect(log).toMatch(/^::error file=src\/a\.ts,line=2,endLine=2,title=critical%3A changes::/m);
    expect(summary).toContain(
      `[src/a.ts:2](https://github.example/owner/name/blob/${given.head}/src/a.ts#L2)`,
    );
    expect(uploads).toEqual([outputs['sarif']]);
    const [result] = sarifRun(readFileSync(outputs['sarif'] ?? '', 'utf8')).results;
    expect(result?.locations[0]?.physicalLocation.artifactLocation.uri).toBe('src/a.ts');
    expect(given.api.comments).toHaveLength(1);
    const body = given.api.comments[0]?.body ?? '';
    expect(body.split('\n')[0]).toBe(`<!-- reviewloop:review ${given.head} 1001 -->`);
    expect(body).toContain(`blob/${given.head}/src/a.ts#L2`);
    expect(`${log}${summary}${body}`).not.toContain('sk_live_51H8');
  });

  it('updates its comment in place, and never by an older run', async () => {
    const given = await changed();
    const { repository, api } = given;
    await runAction(given);
    repository.write('src/a.ts', 'export const a = 2;\n');
    const head = repository.commit('repaired');
    api.head = head;
    await runAction({ ...given, head, run: '2' });
    expect(api.comments).toHaveLength(1);
    const now = api.comments[0]?.body ?? '';
    expect(now).toMatch(new RegExp(`^<!-- reviewloop:review ${head} 2001 -->`));
    // a run of the first commit that ends late
    const late = await runAction({ ...given, run: '3' });
    expect(late.log).toMatch(/the comment stays: [0-9a-f]+ is not the last commit any more/);
    // an earlier run of the same commit that ends late
    const earlier = await runAction({ ...given, head, run: '1' });
    expect(earlier.log).toMatch(/the comment stays: a later run has reviewed/);
    expect(api.comments.map(({ body }) => body)).toEqual([now]);
  });

  it('leaves the comments of people alone, and finds its own behind many others', async () => {
    const given = await changed();
    const forged = '<!-- reviewloop:review abc 99999 -->\nmine';
    given.api.comments.push({ id: 1, body: forged, user: { type: 'User' } });
    for (let id = 2; id < 140; id += 1)
      given.api.comments.push({ id, body: 'a word', user: { type: 'Bot' } });
    await runAction(given);
    await runAction({ ...given, run: '2' });
    expect(given.api.comments[0]?.body).toBe(forged);
    expect(
      given.api.comments.filter(({ body }) => body.includes('reviewloop report')),
    ).toHaveLength(1);
  });

  it('keeps the verdict when the comment cannot be written, and says so', async () => {
    const given = await changed();
    given.api.status = 403;
    const { code, log } = await runAction(given);
    expect(code).toBe(50);
    expect(log).toMatch(
      /^::warning title=reviewloop::the comment could not be written: GET .* answered 403/m,
    );
  });

  const clean = 'export const a = 1;\nexport const b = 2;\n';

  it('passes without a model if all checks pass, says that nothing is approved, and how to go on [R3-070, R3-071]', async () => {
    const given = await changed(clean);
    const { code, log, summary, outputs } = await runAction(given);
    expect({ code, told: outputs['code'] }).toEqual({ code: 0, told: '0' });
    expect(log).toMatch(/^::warning title=reviewloop%3A undecided::/m);
    for (const page of [summary, given.api.comments[0]?.body ?? '']) {
      expect(page).toContain('reviewloop: Checks passed, 5 questions not judged');
      expect(page).toContain(
        "    gh pr checkout 7\n    gh pr view 7 --json title,body --jq '.title, .body' > pull-7.md\n" +
          '    npx reviewloop review --diff origin/main...HEAD --task pull-7.md',
      );
      expect(page).not.toMatch(/reviewloop (answer|override)/);
    }
    expect(log).not.toMatch(/reviewloop (?:answer|override|runs)/);
    expect(log).toContain('next: gh pr checkout 7 && ');
    const inputs = { require: 'approved', task: 'TASK.md' };
    const strict = await runAction({ ...given, inputs, run: '2' });
    expect(strict.code).toBe(54);
    expect(given.api.checks.map(({ conclusion, output }) => [conclusion, output.title])).toEqual([
      ['neutral', 'Checks passed, 5 questions not judged'],
      ['failure', 'Checks passed, 5 questions not judged'],
    ]);
    expect(given.api.checks[0]?.output.summary).toMatch(/^Not judged: (?:[\w-]+, ){4}[\w-]+\.$/);
    expect(strict.summary).toContain('reviewloop: Not approved yet: 5 questions for you');
    expect(strict.summary).toContain('    gh pr checkout 7\n    npx reviewloop review');
  });

  it('never passes a change with a gap, or one that no check could see [R3-070]', async () => {
    const inputs = { require: 'checks' };
    expect((await runAction({ ...(await changed()), inputs })).code).toBe(50);
    const long = `export const a = 1;\n${'// a line of a very long file\n'.repeat(120_000)}`;
    expect((await runAction({ ...(await changed(long)), inputs })).code).toBe(50);
  });

  it('reviews a merge queue by the commit of its group, without a comment [R3-072]', async () => {
    const given = await changed(clean);
    const { code, summary, log } = await runAction({ ...given, queued: true });
    expect({ code, comments: given.api.comments }).toEqual({ code: 0, comments: [] });
    expect(given.api.checks).toMatchObject([{ head_sha: given.head, conclusion: 'neutral' }]);
    expect(summary).toContain('Checks passed');
    expect(summary).toContain('gh pr checkout 7');
    expect(`${summary}${log}`).not.toMatch(/reviewloop (?:answer|override|runs)/);
    expect((await runAction({ ...(await changed()), queued: true })).code).toBe(50);
  });

  const ways = {
    ...{ 'pull request': {}, fork: { fork: true }, 'merge queue': { queued: true } },
    'private repository': { isPrivate: true },
  };
  const table = [
    ['pull request', 'no', { code: 0, checks: ['neutral'], comments: 1, uploads: 1 }],
    ['pull request', 'a', { code: 0, checks: ['success'], comments: 1, uploads: 1 }],
    ['private repository', 'no', { code: 0, checks: ['neutral'], comments: 1, uploads: 0 }],
    ['private repository', 'a', { code: 0, checks: ['success'], comments: 1, uploads: 0 }],
    ['fork', 'no', { code: 0, checks: [], comments: 0, uploads: 0 }],
    ['fork', 'a', { code: 54, checks: [], comments: 0, uploads: 0 }],
    ['merge queue', 'no', { code: 0, checks: ['neutral'], comments: 0, uploads: 0 }],
    ['merge queue', 'a', { code: 0, checks: ['success'], comments: 0, uploads: 0 }],
  ] as const;
  it.each(table)(
    'ends on a %s with %s model as its page says [R3-070, R3-072]',
    async (way, model, ends) => {
      const given = await changed(clean);
      const server = await yesServer(chatProtocol);
      // a fork gets no secret
      const key = way === 'fork' ? '' : 'key-for-this-test-0123456789';
      const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${server.url}/v1` };
      const inputs = { task: 'TASK.md', ...(model === 'a' && { provider: 'openai:m' }) };
      const done = await runAction({ ...given, ...ways[way], env, inputs });
      const { comments, checks } = given.api;
      const counts = { comments: comments.length, uploads: done.uploads.length };
      const told = checks.map(({ conclusion }) => conclusion);
      expect({ code: done.code, ...counts, checks: told }, done.log).toEqual(ends);
      expect(`${done.summary}${done.log}`).not.toMatch(/reviewloop (?:answer|override|runs)/);
      expect(done.summary).toContain('reviewloop: ');
      expect(server.seen.length > 0).toBe(model === 'a' && way !== 'fork');
      await server.close();
    },
  );

  const uploads = [
    ['true', true, 1],
    ['false', false, 0],
  ] as const;
  it.each(uploads)('uploads by `%s`, private: %s [R3-072]', async (upload, isPrivate, count) => {
    const given = await changed();
    const inputs = { upload, comment: 'false' };
    expect((await runAction({ ...given, isPrivate, inputs })).uploads).toHaveLength(count);
  });

  it('writes nothing for a pull request of a fork, and reviews it all the same', async () => {
    const given = await changed();
    const { code, log, uploads } = await runAction({ ...given, fork: true });
    const { comments, checks } = given.api;
    expect({ code, uploads, comments, checks }).toEqual({
      code: 50,
      uploads: [],
      comments: [],
      checks: [],
    });
    expect(log).toMatch(/^::error file=src\/a\.ts/m);
    expect(log).toContain('no check run: the job has no `checks: write`');
  });

  it('takes a task, paths, criteria, further reports and fail-on', async () => {
    const given = await changed();
    const { repository } = given;
    repository.write('other/b.ts', 'export const b = 1;\n');
    const head = repository.commit('more');
    given.api.head = head;
    const inputs = {
      task: 'TASK.md',
      paths: 'other\nmissing folder',
      criteria: 'code',
      report: 'junit=out/junit.xml\nhtml=out/page.html',
      'fail-on': 'never',
      comment: 'false',
      upload: 'false',
    };
    const { code, uploads, outputs } = await runAction({ ...given, head, inputs });
    const { comments } = given.api;
    expect({ code, uploads, comments }).toEqual({ code: 0, uploads: [], comments: [] });
    const junit = readFileSync(join(repository.cwd, 'out/junit.xml'), 'utf8');
    expect(junit).toContain('<testcase name="code-secrets"');
    expect(existsSync(join(repository.cwd, 'out/page.html'))).toBe(true);
    expect(
      sarifRun(readFileSync(outputs['sarif'] ?? '', 'utf8')).results.map((one) => one.ruleId),
    ).not.toContain('code-secrets');
  });

  it('refuses other words for fail-on, and lets no usage error pass', async () => {
    const given = await changed();
    const codeWith = (inputs: Readonly<Record<string, string>>) => runAction({ ...given, inputs });
    const wrong = await codeWith({ 'fail-on': 'everything' });
    expect(wrong.code).toBe(2);
    expect(wrong.log).toMatch(
      /^::error title=reviewloop::fail-on is critical, major, minor or never/m,
    );
    const others = [{ require: 'all' }, { upload: 'yes' }];
    for (const inputs of others) expect(await codeWith(inputs)).toMatchObject({ code: 2 });
    for (const inputs of [{ task: 'nosuch.md' }, { command: 'nosuch' }])
      expect(await codeWith({ ...inputs, 'fail-on': 'never' })).toMatchObject({ code: 2 });
  });

  it('runs no command that a stranger wrote into the change or its description', async () => {
    const attack = '::add-mask::x\n::stop-commands::y\n  ::set-env name=A::b\n##[error]z\n';
    const given = await changed(
      `${attack}const token = "ghp_${'aB3dE6gH9jK2mN5pQ8sT'.repeat(2).slice(0, 36)}"; // ${attack}`,
    );
    const { log } = await runAction({
      ...given,
      title: '::add-mask::t',
      body: `\n${attack}$(touch pwned) \`touch pwned\``,
    });
    expect(new Set(commandsIn(log))).toEqual(new Set(['error', 'warning', 'notice']));
    expect(existsSync(join(given.repository.cwd, 'pwned'))).toBe(false);
  });

  it('gets the history that a shallow checkout lacks', async () => {
    const given = await changed();
    const shallow = newRepository();
    shallow.git('remote', 'add', 'origin', `file://${given.repository.cwd}`);
    shallow.git('fetch', '-q', '--depth=1', 'origin', 'main');
    shallow.git('checkout', '-q', 'FETCH_HEAD');
    const { code, log } = await runAction({ ...given, repository: shallow });
    expect(log).toMatch(/^::error file=src\/a\.ts,line=2/m);
    expect(code).toBe(50);
  });

  it('pins every action by commit, takes values through the environment only, and never runs on pull_request_target', () => {
    for (const file of ['action.yml', '.github/workflows/review.yml']) {
      const text = readFileSync(join(root, file), 'utf8');
      for (const [, used] of text.matchAll(/uses: (\S+)/g))
        if (used !== './') expect(used).toMatch(/@[0-9a-f]{40}$/);
      expect(text).not.toMatch(/^on:.*\n\s*pull_request_target/m);
      for (const [, line] of text.matchAll(/run: (.*)/g)) expect(line).not.toContain('${{');
    }
  });
});
