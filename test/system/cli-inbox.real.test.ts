import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { fileLessons, fileStore } from '@/adapters/stores/file/index.js';
import { definePipeline } from '@/index.js';
import { aimockService } from '../support/aimock-service.js';
import { checklistJudge } from '../support/checklist-judge.js';
import { ending, failing } from '../support/matchers.js';
import { askingPipeline } from '../support/waiting-runs.js';
import { folderOf, goodPage } from '../unit/faces/cli/harness.js';
import { run, start } from './cli-harness.js';

vi.setConfig({ testTimeout: 120_000 });

const review = ['review', 'a.html', '--task-text', 'Sign in', '--no-requirements', '-q'];
const config = `export default { human: { policy: 'require' } };`;

async function inboxIn(cwd: string, argv: readonly string[] = [], env = {}) {
  const { child, exit } = start(cwd, ['inbox', '--by', 'Ada', ...argv], {
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (part: string) => {
      text += part;
      if (text.includes('\n')) resolve(text);
    });
    void exit.then(({ err }) => reject(new Error(err)));
  });
  const url = new URL(/^inbox: (\S+)/.exec(line)?.[1] ?? '');
  const token = url.hash.replace('#token=', '');
  const { origin } = url;
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = {
      authorization: `Bearer ${token}`,
      origin,
      'content-type': 'application/json',
    };
    const response = await fetch(`${origin}${path}`, { ...init, headers });
    return { status: response.status, body: await response.json() };
  };
  const answer = (request: { runId: string; id: string; digest: string }, given: unknown) =>
    call(`/api/requests/${request.id}/answer`, {
      method: 'POST',
      body: JSON.stringify({ runId: request.runId, digest: request.digest, answer: given }),
    });
  return { child, exit, call, answer, line };
}

async function waiting(store: string) {
  const cwd = await folderOf({ 'a.html': goodPage, 'reviewloop.config.mjs': config });
  expect(await run(cwd, [...review, '--store', store])).toMatchObject({ code: 53 });
  return cwd;
}

describe('reviewloop inbox', () => {
  test.each(['file:.reviewloop', 'sqlite:runs.db'])(
    'shows what waits in %s, and an answer goes on with the run',
    async (store) => {
      const cwd = await waiting(store);
      const { call, answer, child, exit } = await inboxIn(cwd, ['--store', store]);
      const { body } = await call('/api/requests');
      const [request] = body.requests;
      expect(request).toMatchObject({ pipeline: 'review', allowed: expect.any(Array) });
      const shown = await call(`/api/runs/${request.runId}`);
      expect(shown.body.run).toMatchObject({
        task: { text: 'Sign in' },
        files: [{ path: 'a.html' }],
      });
      expect(shown.body.run.reviews.length).toBeGreaterThan(0);
      const both = await Promise.all([
        answer(request, { kind: 'approve' }),
        answer(request, { kind: 'reject', reason: 'no' }),
      ]);
      expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
      expect((await call('/api/requests')).body.requests).toEqual([]);
      child.kill('SIGINT');
      expect(await exit).toMatchObject({ code: 0, err: '' });
      const folder = store.startsWith('file') ? '.reviewloop' : 'runs.db.sqlite-reports';
      const [id = ''] = await readdir(join(cwd, folder, 'runs'));
      const report = JSON.parse(
        await readFile(join(cwd, folder, 'runs', id, 'review.json'), 'utf8'),
      );
      expect(['approved', 'rejected']).toContain(report.status);
      const audit = await run(cwd, ['audit', 'verify', '--store', store]);
      expect([audit.code, audit.out]).toEqual([0, expect.stringContaining('1 record')]);
    },
  );

  test('shows a review that ended if a must-have is open, and none for a wish', async () => {
    const task = (verb: string) => `# Tea\n\n- The page ${verb} be friendly.\n`;
    const files = { 'must.md': task('must'), 'wish.md': task('should') };
    const cwd = await folderOf({ 'a.html': goodPage.replace(' lang="en"', ''), ...files });
    for (const file of ['must.md', 'wish.md'])
      expect((await run(cwd, ['review', 'a.html', '--task', file, '-q'])).code).toBe(50);
    const { call } = await inboxIn(cwd);
    const asked = (await call('/api/requests')).body.requests.flatMap(
      ({ undecided }: { undecided: { question: string }[] }) => undecided,
    );
    expect(asked).toMatchObject([{ question: expect.stringContaining('must be friendly') }]);
  });

  test('shows a question that a pipeline of code asked, and says where it is answered', async () => {
    const cwd = await folderOf();
    const { runId } = await askingPipeline(fileStore(join(cwd, '.reviewloop'))).run('welcome');
    const { call, answer } = await inboxIn(cwd);
    const [request] = (await call('/api/requests')).body.requests;
    expect(request).toMatchObject({
      runId,
      elsewhere: expect.stringMatching(/^Asked by pipeline `letters`: .*`serveInbox`/),
    });
    const shown = await call(`/api/runs/${runId}`);
    expect(shown.body).toMatchObject({
      run: { task: { text: 'welcome' } },
      requests: [{ elsewhere: request.elsewhere }],
    });
    expect(await answer(request, { kind: 'approve' })).toMatchObject({
      status: 409,
      body: { error: 'run_elsewhere', message: request.elsewhere },
    });
  });

  test('an answer of the command line and one of the inbox: one counts', async () => {
    const cwd = await waiting('file:.reviewloop');
    const { call, answer } = await inboxIn(cwd);
    const [request] = (await call('/api/requests')).body.requests;
    expect(await run(cwd, ['answer', request.runId, 'reject', '--by', 'Bob'])).toMatchObject({
      code: 51,
    });
    expect(await answer(request, { kind: 'approve' })).toMatchObject({
      status: 409,
      body: { error: 'request_answered' },
    });
  });

  test('does not print a token of your own, and needs one for other machines', async () => {
    const cwd = await folderOf();
    const own = 'k'.repeat(40);
    const { line } = await inboxIn(cwd, [], { REVIEWLOOP_INBOX_TOKEN: own });
    expect(line).not.toContain(own);
    expect(await run(cwd, ['inbox', '--host', '0.0.0.0'])).toMatchObject(failing(2, '`token`'));
  });
});

test('what runs of a pipeline taught is accepted by a person, and judges by a served model, in processes of their own', async () => {
  const cwd = await folderOf({
    'a.md': 'Tea is old.\n',
    'reviewloop.config.json': '{ "criteria": ["accepted"] }',
  });
  const writer = definePipeline<string, string>({
    name: 'writer',
    produce: async (topic) => `about ${topic}`,
    address: async (text) => `# Title\n${text}`,
    criteria: { title: (text) => text.startsWith('# ') || 'no title' },
    learn: fileLessons(join(cwd, '.reviewloop/lessons.jsonl')),
  });
  for (const topic of ['tea', 'milk']) expect((await writer.run(topic)).status).toBe('approved');

  const drafts = await run(cwd, ['lessons', 'drafts']);
  expect(drafts).toMatchObject(ending(0, 'title: no title'));
  const question = 'Does the text begin with a title?';
  const [next = ''] = /(?<=next: reviewloop ).*(?= --question)/.exec(drafts.out) ?? [];
  const both = await Promise.all(
    ['one', 'two'].map((name) =>
      run(cwd, [...next.split(' '), '--question', question, '--as', name, '--by', 'Ada']),
    ),
  );
  // of two that decide at once one does
  expect(new Set(both.map(({ code }) => code))).toEqual(new Set([0, 2]));
  expect(both.find(({ code }) => code === 2)?.err).toContain('was accepted by Ada');
  expect((await run(cwd, ['audit', 'verify'])).out).toContain('INTACT: 1 record');

  const judge = checklistJudge([
    { question: /begin with a title/, missing: /^# /m, reason: 'it begins without one' },
  ]);
  const mock = await aimockService(async (request) => (await judge.generate(request)).text);
  const env = { ...process.env, OPENAI_API_KEY: 'sk-a-key-of-the-test' };
  const task = ['review', 'a.md', '--task-text', 'an article', '-q'];
  const model = ['--provider', 'openai:served', '--base-url', `${mock.url}/v1`];
  expect(await run(cwd, [...task, ...model], { env })).toMatchObject(
    ending(50, 'it begins without one'),
  );
  expect(JSON.parse(await readFile(join(cwd, 'reviewloop.criteria.json'), 'utf8'))).toMatchObject({
    criteria: [{ question }],
  });
});
