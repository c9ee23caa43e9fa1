import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, it } from 'vitest';
import { fileStore, verifyAudit } from '../../src/stores/file/index.js';
import { root } from '../architecture/repository.js';
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

const finished = (
  session: unknown,
  text: Record<string, unknown> = {},
): Record<string, unknown> => ({
  session_id: session,
  step_id: 'draft',
  outputs: { report: 'report.md' },
  ...text,
});
const pass = {
  passed: true,
  feedback: 'every claim has its source',
  criteria_results: [{ criterion: 'Sources', passed: true, feedback: null }],
};

/** What a reviewer finds in its instructions. */
function inInstructions(
  cwd: string,
  path: unknown,
): { readonly hash: string; readonly token: string } {
  const text = readFileSync(join(cwd, String(path)), 'utf8');
  const [, hash = ''] = /^- hash: (\S+)$/m.exec(text) ?? [];
  const [, token = ''] = /^- token: (\S+)$/m.exec(text) ?? [];
  return { hash, token };
}

describe('reviewloop mcp', () => {
  it('lists its tools with their input', async () => {
    const { client } = await serve(project());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'finished_step',
      'get_instructions',
      'review_status',
      'start_workflow',
      'submit_verdict',
    ]);
    expect(tools.find(({ name }) => name === 'submit_verdict')?.inputSchema).toMatchObject({
      type: 'object',
      required: expect.arrayContaining(['session_id', 'hash', 'token']) as unknown,
    });
  });

  it('requires a verified review, also after the server is killed and restarted', async () => {
    const cwd = project();
    const first = await serve(cwd, '--verified');
    const started = await first.call('start_workflow', { job_file: 'job.yaml' });
    expect(started).toMatchObject({
      begin_step: { step_id: 'draft', outputs: { report: 'file' } },
    });
    const { session_id } = started;
    const asked = await first.call('finished_step', finished(session_id));
    expect(asked).toMatchObject({
      status: 'needs_work',
      feedback: expect.stringContaining('subagent') as unknown,
    });
    expect(
      await first.call(
        'finished_step',
        finished(session_id, { quality_review_override_reason: 'I looked at it myself' }),
      ),
    ).toMatchObject({ status: 'needs_work' });

    process.kill(first.pid, 'SIGKILL');
    const second = await serve(cwd, '--verified');
    const { hash, token } = inInstructions(cwd, asked['instructions_path']);
    expect(await second.call('get_instructions', { session_id, step_id: 'draft' })).toMatchObject({
      hash,
      instructions_path: asked['instructions_path'],
    });
    expect(
      await second.call('submit_verdict', {
        session_id,
        step_id: 'draft',
        reviewer: 'sub',
        hash,
        token: 'guessed',
        result: pass,
      }),
    ).toMatchObject({
      error: expect.stringContaining('[gate_verdict_refused]') as unknown,
    });
    expect(
      await second.call('submit_verdict', {
        session_id,
        step_id: 'draft',
        reviewer: 'sub',
        hash,
        token,
        result: pass,
      }),
    ).toMatchObject({
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
        session_id,
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
    const { call } = await serve(cwd);
    const { session_id } = await call('start_workflow', { job_file: 'job.yaml' });
    expect(await call('finished_step', finished(session_id))).toMatchObject({
      status: 'needs_work',
    });
    expect(
      await call(
        'finished_step',
        finished(session_id, {
          quality_review_override_reason: 'Sources passed, said the subagent',
        }),
      ),
    ).toMatchObject({ status: 'next_step', outcome: 'accepted' });
    expect(readFileSync(join(cwd, '.reviewloop/audit.jsonl'), 'utf8')).toContain(
      'Sources passed, said the subagent',
    );
    expect(await verifyAudit(join(cwd, '.reviewloop'))).toMatchObject({ intact: true });
  });

  it('accepts steps in any order, and treats a contradictory verdict as a failure that stands [R2-016]', async () => {
    const cwd = project();
    const { call } = await serve(cwd, '--verified');
    const { session_id } = await call('start_workflow', { job_file: 'job.yaml' });
    expect(
      await call('finished_step', { session_id, step_id: 'publish', outputs: { note: 'done' } }),
    ).toMatchObject({ status: 'next_step', begin_step: { step_id: 'draft' } });
    const asked = await call('finished_step', finished(session_id));
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
    expect(await call('submit_verdict', { ...given, result: pass })).toMatchObject({
      error: expect.stringContaining('[gate_verdict_refused]') as unknown,
    });
    for (const attempts of [2, 3]) {
      writeFileSync(join(cwd, 'report.md'), `changed ${attempts}`);
      const again = await call('finished_step', finished(session_id));
      expect(
        await call('submit_verdict', {
          ...given,
          ...inInstructions(cwd, again['instructions_path']),
          result: torn,
        }),
      ).toMatchObject({ passed: false, attempts });
    }
    expect(await call('review_status', { session_id })).toMatchObject({
      steps: { draft: { status: 'failed' } },
    });
  });

  it('answers misuse with an error that says what is wrong, and continues', async () => {
    const cwd = project({ 'bad.yaml': 'name: x\nsteps: [\n', 'none.yaml': 'name: x\nsteps: []\n' });
    const { call } = await serve(cwd);
    const errors = {
      outside: await call('start_workflow', { job_file: '../job.yaml' }),
      missing: await call('start_workflow', { job_file: 'no.yaml' }),
      syntax: await call('start_workflow', { job_file: 'bad.yaml' }),
      empty: await call('start_workflow', { job_file: 'none.yaml' }),
      unknown: await call('review_status', { session_id: '../../etc' }),
      shape: await call('finished_step', { session_id: 'x' }),
    };
    expect(errors).toMatchObject({
      outside: { error: expect.stringContaining('[path_outside]') as unknown },
      missing: { error: expect.stringContaining('[file_unreadable]') as unknown },
      syntax: { error: expect.stringMatching(/bad\.yaml:\d+/) as unknown },
      empty: { error: expect.stringContaining('[config_invalid]') as unknown },
      unknown: { error: expect.stringContaining('[run_unknown]') as unknown },
      shape: { error: expect.stringContaining('step_id') as unknown },
    });
    const { session_id } = await call('start_workflow', { job_file: 'job.yaml' });
    expect(await call('finished_step', finished(session_id, { step_id: 'none' }))).toMatchObject({
      error: expect.stringContaining('[gate_step_unknown]') as unknown,
    });
    expect(
      await call('finished_step', finished(session_id, { outputs: { report: 'gone.md' } })),
    ).toMatchObject({ error: expect.stringContaining('gone.md') as unknown });
  });

  it('shares a workflow with other servers, such as that of a subagent', async () => {
    const cwd = project();
    const [one, two] = [await serve(cwd, '--verified'), await serve(cwd, '--verified')];
    const { session_id } = await one.call('start_workflow', { job_file: 'job.yaml' });
    const asked = await one.call('finished_step', finished(session_id));
    const { hash, token } = inInstructions(cwd, asked['instructions_path']);
    const verdict = { session_id, step_id: 'draft', reviewer: 'sub', hash, token, result: pass };
    const both = await Promise.all([
      two.call('submit_verdict', verdict),
      one.call('review_status', { session_id }),
      one.call('get_instructions', { session_id, step_id: 'draft' }),
    ]);
    expect(both).toMatchObject([{ status: 'needs_work' }, { job: 'article' }, { hash }]);
    expect(await one.call('finished_step', finished(session_id))).toMatchObject({
      status: 'next_step',
      outcome: 'approved',
    });
  });

  it('with --verified opens for no reason of the agent beside a model, and cannot continue without the flag [R2-015, R2-017, R2-134]', async () => {
    const cwd = project();
    const declined = { ...pass, passed: false, feedback: 'no source' };
    const server = await modelServer(ollamaProtocol, {
      kind: 'text',
      text: JSON.stringify(declined),
    });
    const model = ['--provider', 'ollama:m', '--base-url', server.url];
    const first = await serve(cwd, '--verified', ...model);
    const { session_id } = await first.call('start_workflow', { job_file: 'job.yaml' });
    const trusted = finished(session_id, { quality_review_override_reason: 'I looked at it' });
    for (const attempts of [1, 2])
      expect(await first.call('finished_step', trusted)).toMatchObject({
        status: 'needs_work',
        outcome: null,
        attempts,
        feedback: expect.stringContaining('opens no gate of a verified session') as unknown,
      });
    await server.close();
    const weaker = await serve(cwd);
    expect(await weaker.call('finished_step', trusted)).toMatchObject({
      error: expect.stringMatching(/^\[gate_session_verified\].*--verified/) as unknown,
    });
  });

  it('sends a model as many files as the server allows, and says so [R2-025]', async () => {
    const pages = Array.from({ length: 6 }, (_, index) => `p${index}.md`);
    const job = `name: j\nsteps:\n  - id: draft\n    outputs: { pages: files }\n    reviews: [{ run_each: step, quality_criteria: { Sources: Are they named? } }]\n`;
    const cwd = project({
      'job.yaml': job,
      ...Object.fromEntries(pages.map((name) => [name, 'page'])),
    });
    const server = await modelServer(ollamaProtocol, { kind: 'text', text: JSON.stringify(pass) });
    const model = ['--provider', 'ollama:m', '--base-url', server.url];
    const outputs = { pages };
    const few = await serve(cwd, ...model);
    const { session_id } = await few.call('start_workflow', { job_file: 'job.yaml' });
    expect(await few.call('finished_step', finished(session_id, { outputs }))).toMatchObject({
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
    await server.close();
  });

  it('names the way out of a person after each refusal, and the person takes it [R2-025]', async () => {
    const cwd = project();
    const declined = {
      passed: false,
      feedback: 'no source',
      criteria_results: [{ criterion: 'Sources', passed: false, feedback: 'none' }],
    };
    const server = await modelServer(ollamaProtocol, {
      kind: 'text',
      text: JSON.stringify(declined),
    });
    const model = ['--provider', 'ollama:m', '--base-url', server.url];
    const { call } = await serve(cwd, '--verified', '--max-attempts', '2', ...model);
    const { session_id } = await call('start_workflow', { job_file: 'job.yaml' });
    const id = String(session_id);
    const waits = `tell them that step draft of session ${id} waits for them.`;
    const first = await call('finished_step', finished(id));
    expect(first).toMatchObject({ status: 'needs_work', feedback: 'no source' });
    expect(first['next']).toBe(
      'Fix what the feedback names, and call finished_step again. A person can accept the step ' +
        `as it is: ${waits}`,
    );
    writeFileSync(join(cwd, 'report.md'), 'Tea is very old.');
    const last = await call('finished_step', finished(id));
    expect(last['error']).toMatch(/^\[gate_attempts_used\] .*Stop here, and tell the person\./s);
    expect(last['error']).toContain(waits);

    const accept = `reviewloop accept ${id} draft --reason "Legal has checked it" --by Ada`;
    const person = await shell(cwd, accept);
    expect(person).toMatchObject({
      code: 0,
      out: 'accepted by Ada: step draft\nnext step: publish\n',
    });
    expect(await call('review_status', { session_id: id })).toMatchObject({
      verified: true,
      steps: { draft: { status: 'accepted', override: { who: 'Ada' } } },
    });
    expect(await call('finished_step', finished(id))).toMatchObject({
      status: 'next_step',
      outcome: 'accepted',
      next: null,
    });
    // the decision holds for this content only
    writeFileSync(join(cwd, 'report.md'), 'Tea cures everything.');
    expect((await call('finished_step', finished(id)))['error']).toContain('gate_attempts_used');
    expect(readFileSync(join(cwd, '.reviewloop/audit.jsonl'), 'utf8')).toContain(
      'Legal has checked it',
    );
    await server.close();
  });

  it('says of a review that takes too long which option gives it more time', async () => {
    const cwd = project();
    const server = await modelServer(ollamaProtocol, { kind: 'silence' });
    const model = ['--provider', 'ollama:m', '--base-url', server.url, '--review-timeout', '0.2'];
    const { call } = await serve(cwd, ...model);
    const { session_id } = await call('start_workflow', { job_file: 'job.yaml' });
    expect(await call('finished_step', finished(session_id))).toMatchObject({
      status: 'needs_work',
      error: 'timed_out',
      next: expect.stringContaining('a higher --review-timeout') as unknown,
    });
    await server.close();
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
