import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { fileStore, verifyAudit } from '@/adapters/stores/file/index.js';
import { root } from '../architecture/repository.js';
import { words } from '../support/matchers.js';
import { modelServer, ollamaProtocol } from '../support/model-server.js';
import { askingPipeline } from '../support/waiting-runs.js';
import { bin, run, shell } from './cli-harness.js';

const base = join(root, 'temp', 'mcp');
mkdirSync(base, { recursive: true });
const own = mkdtempSync(join(base, 'test-'));
const open: Client[] = [];
afterAll(async () => {
  await Promise.all(open.map((client) => client.close()));
  rmSync(own, { recursive: true, force: true });
});

const job = `name: article
steps:
  - id: draft
    description: Write the draft
    outputs:
      report: file
    reviews:
      - run_each: report
        quality_criteria:
          Sources: Does every claim name its source?
  - id: publish
    outputs:
      note: string
`;

function project(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(own, 'project-'));
  for (const [name, text] of Object.entries({
    'job.yaml': job,
    'report.md': 'Tea is old (source: history).',
    ...files,
  }))
    writeFileSync(join(folder, name), text);
  return folder;
}

interface Served {
  readonly client: Client;
  readonly pid: number;
  readonly call: (name: string, input: Record<string, unknown>) => Promise<Record<string, unknown>>;
}

/** A server in a process of its own, with a client over its standard input and output. */
async function serve(
  cwd: string,
  ...given: (string | { readonly mode: 'legacy' | 'auto' })[]
): Promise<Served> {
  const argv = given.filter((part) => typeof part === 'string');
  const versionNegotiation = given.find((part) => typeof part !== 'string') ?? {};
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', ...argv],
    cwd,
    stderr: 'inherit',
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation });
  await client.connect(transport);
  open.push(client);
  return {
    client,
    pid: transport.pid ?? 0,
    call: async (name, input) => {
      const { isError, content } = await client.callTool({ name, arguments: input });
      const [first] = content as { readonly type: string; readonly text: string }[];
      if (isError === true) return { error: first?.text };
      return JSON.parse(first?.text ?? '') as Record<string, unknown>;
    },
  };
}

const finished = (session_id: unknown, more: Record<string, unknown> = {}) => ({
  session_id,
  step_id: 'draft',
  outputs: { report: 'report.md' },
  ...more,
});
const pass = {
  passed: true,
  feedback: 'every claim has its source',
  criteria_results: [{ criterion: 'Sources', passed: true, feedback: null }],
};
/** What a tool answers that refuses. */
const refusal = (text: string | RegExp): { error: unknown } => ({
  error: typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text),
});

/** A server, and a session at the beginning of the workflow. */
async function begun(cwd: string, ...argv: string[]) {
  const served = await serve(cwd, ...argv);
  const started = await served.call('start_workflow', { job_file: 'job.yaml' });
  const { session_id } = started;
  const finish = (more: Record<string, unknown> = {}) =>
    served.call('finished_step', finished(session_id, more));
  return { ...served, started, session_id, finish };
}

/** A model that answers, and the options that name it. */
async function modelThat(reply: Parameters<typeof modelServer>[1]) {
  const server = await modelServer(ollamaProtocol, reply);
  onTestFinished(() => server.close());
  return { server, model: ['--provider', 'ollama:m', '--base-url', server.url] };
}

/** What a reviewer finds in its instructions. */
function inInstructions(cwd: string, path: unknown) {
  const text = readFileSync(join(cwd, String(path)), 'utf8');
  const [, hash = ''] = /^- hash: (\S+)$/m.exec(text) ?? [];
  const [, token = ''] = /^- token: (\S+)$/m.exec(text) ?? [];
  return { hash, token };
}

describe('reviewloop mcp', () => {
  it('requires a verified review, also after the server is killed and restarted', async () => {
    const cwd = project();
    const { call, pid, started, session_id, finish } = await begun(cwd, '--verified');
    expect(started).toMatchObject({
      begin_step: { step_id: 'draft', outputs: { report: 'file' } },
    });
    const asked = await finish();
    const feedback = expect.stringContaining('subagent') as unknown;
    expect(asked).toMatchObject({ status: 'needs_work', feedback });
    const own = { quality_review_override_reason: 'I looked at it myself' };
    expect(await call('finished_step', finished(session_id, own))).toMatchObject({
      status: 'needs_work',
    });

    process.kill(pid, 'SIGKILL');
    const second = await serve(cwd, '--verified');
    const { hash, token } = inInstructions(cwd, asked['instructions_path']);
    const { instructions_path } = asked;
    expect(await second.call('get_instructions', { session_id, step_id: 'draft' })).toMatchObject({
      hash,
      instructions_path,
    });
    const verdict = { session_id, step_id: 'draft', reviewer: 'sub', hash, token, result: pass };
    expect(await second.call('submit_verdict', { ...verdict, token: 'guessed' })).toMatchObject(
      refusal('[gate_verdict_refused]'),
    );
    expect(await second.call('submit_verdict', verdict)).toMatchObject({
      status: 'needs_work',
      passed: true,
      feedback: pass.feedback,
      next: expect.stringContaining('calls finished_step again') as unknown,
    });
    expect(readFileSync(join(cwd, '.deepwork/tmp/.gitignore'), 'utf8')).toBe('*\n');

    writeFileSync(join(cwd, 'report.md'), 'Tea cures everything.');
    expect(await second.call('finished_step', finished(session_id))).toMatchObject({
      status: 'needs_work',
    });
    writeFileSync(join(cwd, 'report.md'), 'Tea is old (source: history).');
    expect(await second.call('finished_step', finished(session_id))).toMatchObject({
      status: 'next_step',
      outcome: 'approved',
      begin_step: { step_id: 'publish' },
    });
    expect(
      await second.call('finished_step', {
        ...finished(session_id),
        step_id: 'publish',
        outputs: { note: 'done' },
      }),
    ).toMatchObject({ status: 'workflow_complete', outcome: 'accepted' });
    const status = await second.call('review_status', { session_id });
    expect(status).toMatchObject({
      steps: {
        draft: { status: 'approved', verdicts: [{ reviewer: 'sub', passed: true }] },
        publish: { status: 'accepted' },
      },
    });
    expect(JSON.stringify(status)).not.toContain(token);
  });

  it("accepts the agent's own reason, with who and why, without --verified", async () => {
    const cwd = project();
    const { finish } = await begun(cwd);
    expect(await finish()).toMatchObject({ status: 'needs_work' });
    const own = { quality_review_override_reason: 'Sources passed, said the subagent' };
    expect(await finish(own)).toMatchObject({ status: 'next_step', outcome: 'accepted' });
    expect(readFileSync(join(cwd, '.reviewloop/audit.jsonl'), 'utf8')).toContain(
      'Sources passed, said the subagent',
    );
    expect(await verifyAudit(join(cwd, '.reviewloop'))).toMatchObject({ intact: true });
  });

  it('accepts steps in any order, and treats a contradictory verdict as a failure that stands [R2-016]', async () => {
    const cwd = project();
    const { call, session_id, finish } = await begun(cwd, '--verified');
    expect(await finish({ step_id: 'publish', outputs: { note: 'done' } })).toMatchObject({
      status: 'next_step',
      begin_step: { step_id: 'draft' },
    });
    const asked = await finish();
    const { hash, token } = inInstructions(cwd, asked['instructions_path']);
    const given = { session_id, step_id: 'draft', reviewer: 'sub', hash, token };
    const torn = {
      passed: true,
      feedback: 'fine',
      criteria_results: [{ criterion: 'Sources', passed: false, feedback: 'one is missing' }],
    };
    expect(await call('submit_verdict', { ...given, result: torn })).toMatchObject({
      status: 'needs_work',
      passed: false,
      attempts: 1,
      next: expect.stringContaining('fixes the failed criteria') as unknown,
    });
    expect(await call('submit_verdict', { ...given, result: pass })).toMatchObject(
      refusal('[gate_verdict_refused]'),
    );
    for (const attempts of [2, 3]) {
      writeFileSync(join(cwd, 'report.md'), `changed ${attempts}`);
      const { instructions_path } = await finish();
      const read = inInstructions(cwd, instructions_path);
      expect(await call('submit_verdict', { ...given, ...read, result: torn })).toMatchObject({
        passed: false,
        attempts,
      });
    }
    expect(await call('review_status', { session_id })).toMatchObject({
      steps: { draft: { status: 'failed' } },
    });
  });

  it('lists its tools with their input, answers misuse with an error that says what is wrong, and continues', async () => {
    const cwd = project({ 'bad.yaml': 'name: x\nsteps: [\n', 'none.yaml': 'name: x\nsteps: []\n' });
    const { client, call, finish } = await begun(cwd);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(
      words(
        'ask_person finished_step get_instructions review_status show_report start_workflow submit_verdict',
      ),
    );
    expect(tools.find(({ name }) => name === 'submit_verdict')?.inputSchema).toMatchObject({
      type: 'object',
      required: expect.arrayContaining(['session_id', 'hash', 'token']) as unknown,
    });
    for (const [tool, input, text] of [
      ['start_workflow', { job_file: '../job.yaml' }, '[path_outside]'],
      ['start_workflow', { job_file: 'no.yaml' }, '[file_unreadable]'],
      ['start_workflow', { job_file: 'bad.yaml' }, /bad\.yaml:\d+/],
      ['start_workflow', { job_file: 'none.yaml' }, '[config_invalid]'],
      ['review_status', { session_id: '../../etc' }, '[run_unknown]'],
      ['finished_step', { session_id: 'x' }, 'step_id'],
    ] as const)
      expect(await call(tool, input)).toMatchObject(refusal(text));
    expect(await finish({ step_id: 'none' })).toMatchObject(refusal('[gate_step_unknown]'));
    expect(await finish({ outputs: { report: 'gone.md' } })).toMatchObject(refusal('gone.md'));
  });

  it('shares a workflow with other servers, such as that of a subagent', async () => {
    const cwd = project();
    const one = await begun(cwd, '--verified');
    const two = await serve(cwd, '--verified');
    const { session_id } = one;
    const asked = await one.finish();
    const { hash, token } = inInstructions(cwd, asked['instructions_path']);
    const verdict = { session_id, step_id: 'draft', reviewer: 'sub', hash, token, result: pass };
    const both = await Promise.all([
      two.call('submit_verdict', verdict),
      one.call('review_status', { session_id }),
      one.call('get_instructions', { session_id, step_id: 'draft' }),
    ]);
    expect(both).toMatchObject([{ status: 'needs_work' }, { job: 'article' }, { hash }]);
    expect(await one.finish()).toMatchObject({ status: 'next_step', outcome: 'approved' });
  });

  it('with --verified opens for no reason of the agent beside a model, and cannot continue without the flag [R2-015, R2-017, R2-134]', async () => {
    const cwd = project();
    const declined = { ...pass, passed: false, feedback: 'no source' };
    const { model } = await modelThat({ kind: 'text', text: JSON.stringify(declined) });
    const { finish, session_id } = await begun(cwd, '--verified', ...model);
    const own = { quality_review_override_reason: 'I looked at it' };
    for (const _ of [1, 2])
      expect(await finish(own)).toMatchObject({
        status: 'needs_work',
        outcome: null,
        attempts: 1,
        feedback: expect.stringContaining('opens no gate of a verified session') as unknown,
      });
    const weaker = await serve(cwd);
    expect(await weaker.call('finished_step', finished(session_id, own))).toMatchObject(
      refusal(/^\[gate_session_verified\].*--verified/),
    );
  });

  it('sends a model as many files as the server allows, and says so [R2-025]', async () => {
    const pages = Array.from({ length: 6 }, (_, index) => `p${index}.md`);
    const job = `name: j\nsteps:\n  - id: draft\n    outputs: { pages: files }\n    reviews: [{ run_each: step, quality_criteria: { Sources: Are they named? } }]\n`;
    const cwd = project({
      'job.yaml': job,
      ...Object.fromEntries(pages.map((name) => [name, 'page'])),
    });
    const { server, model } = await modelThat({ kind: 'text', text: JSON.stringify(pass) });
    const outputs = { pages };
    const few = await begun(cwd, ...model);
    const { session_id } = few;
    expect(await few.finish({ outputs })).toMatchObject({
      status: 'needs_work',
      error: 'files_unseen',
      feedback: expect.stringContaining('6 of them are only listed (maxInlineFiles: 5)') as unknown,
    });
    expect(server.seen).toHaveLength(0);
    const more = await serve(cwd, ...model, '--max-inline-files', '6');
    expect(await more.call('finished_step', finished(session_id, { outputs }))).toMatchObject({
      status: 'workflow_complete',
      outcome: 'approved',
      unanswered: [],
    });
  });

  it('names the way out of a person after each refusal, and the person takes it [R2-025]', async () => {
    const cwd = project();
    const declined = {
      passed: false,
      feedback: 'no source',
      criteria_results: [{ criterion: 'Sources', passed: false, feedback: 'none' }],
    };
    const { model } = await modelThat({ kind: 'text', text: JSON.stringify(declined) });
    const { call, session_id, finish } = await begun(
      cwd,
      ...['--verified', '--max-attempts', '2', ...model],
    );
    const id = String(session_id);
    const waits = `tell them that step draft of session ${id} waits for them.`;
    const first = await finish();
    expect(first).toMatchObject({ status: 'needs_work', feedback: 'no source' });
    expect(first['next']).toBe(
      'Fix what the feedback names, and call finished_step again. A person can accept the step ' +
        `as it is: ${waits}`,
    );
    writeFileSync(join(cwd, 'report.md'), 'Tea is very old.');
    const last = await finish();
    expect(last['error']).toMatch(/^\[gate_attempts_used\] .*Stop here, and tell the person\./s);
    expect(last['error']).toContain(waits);

    const accept = `reviewloop accept ${id} draft --reason "Legal has checked it" --by Ada`;
    expect(await shell(cwd, accept)).toMatchObject({
      code: 0,
      out: 'accepted by Ada: step draft\nnext step: publish\n',
    });
    expect(await call('review_status', { session_id: id })).toMatchObject({
      verified: true,
      steps: { draft: { status: 'accepted', override: { who: 'Ada' } } },
    });
    expect(await finish()).toMatchObject({
      status: 'next_step',
      outcome: 'accepted',
      next: null,
    });
    // the decision holds for this content only
    writeFileSync(join(cwd, 'report.md'), 'Tea cures everything.');
    expect((await finish())['error']).toContain('gate_attempts_used');
    expect(readFileSync(join(cwd, '.reviewloop/audit.jsonl'), 'utf8')).toContain(
      'Legal has checked it',
    );
  });

  it('says of a review that takes too long which option gives it more time', async () => {
    const cwd = project();
    const { model } = await modelThat({ kind: 'silence' });
    const { finish } = await begun(cwd, ...model, '--review-timeout', '0.2');
    expect(await finish()).toMatchObject({
      status: 'needs_work',
      error: 'timed_out',
      next: expect.stringContaining('a higher --review-timeout') as unknown,
    });
  });

  it.each([
    ['legacy', (client: Client, uri: string) => client.subscribeResource({ uri })],
    ['auto', (client: Client, uri: string) => client.listen({ resourceSubscriptions: [uri] })],
  ] as const)(
    'offers the questions that wait and the last report, and tells a client of %s of changes',
    async (mode, subscribe) => {
      const cwd = project({ 'TASK.md': 'The page must have a title.', 'page.html': '<p>tea</p>' });
      const { client } = await serve(cwd, { mode });
      const { resources } = await client.listResources();
      const [questions = '', report = ''] = resources.map(({ uri }) => uri);
      expect([questions, report]).toEqual(['reviewloop://questions', 'reviewloop://reports/last']);
      const changed = new Map<string, () => void>();
      const changeOf = (uri: string): Promise<void> =>
        new Promise((resolve) => void changed.set(uri, resolve));
      client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
        changed.get(params.uri)?.(),
      );
      const changes = [changeOf(questions), changeOf(report)];
      for (const uri of [questions, report]) await subscribe(client, uri);
      expect(await jsonOf(client, questions)).toEqual({
        schemaVersion: 1,
        requests: [],
        more: false,
      });
      expect(await jsonOf(client, report)).toBeNull();

      // other processes write to the store
      const args = ['page.html', '--task', 'TASK.md', '--criteria', 'html', '--quiet'];
      expect((await run(cwd, ['review', ...args])).code).toBe(50);
      const asking = askingPipeline(fileStore(join(cwd, '.reviewloop')));
      const { runId } = await asking.run('how are you? sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAA');
      await Promise.all(changes);
      expect(await jsonOf(client, report)).toMatchObject({ approved: false, exitCode: 50 });
      // a pipeline of code asked: no command can answer that
      const asked = {
        runId,
        pipeline: 'letters',
        elsewhere: expect.stringContaining('Asked by pipeline `letters`') as unknown,
      };
      const { requests } = (await jsonOf(client, questions)) as { requests: object[] };
      expect(requests).toMatchObject([asked]);
      expect(requests[0]).not.toHaveProperty('answer');
      writeFileSync(join(cwd, 'asking.mjs'), "export default { human: { policy: 'require' } };");
      expect((await run(cwd, ['review', ...args, '--config', 'asking.mjs'])).code).toBe(53);
      expect(await jsonOf(client, questions)).toMatchObject({
        requests: [{ pipeline: 'review' }, asked],
      });
      await expect(client.readResource({ uri: 'reviewloop://nothing' })).rejects.toThrow(
        /not found/i,
      );
    },
  );
});

async function jsonOf(client: Client, uri: string): Promise<unknown> {
  const { contents } = await client.readResource({ uri });
  const [first] = contents;
  return JSON.parse(first !== undefined && 'text' in first ? first.text : '');
}
