import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileStore } from '@/adapters/stores/file/index.js';
import { folderStore } from '@/faces/cli-kit/open-store.js';
import { stepReport } from '@/faces/commands/quality-gate/run-gate.js';
import { gateServer } from '@/faces/mcp/gate-server.js';
import { gateTools } from '@/faces/mcp/gate-tools.js';
import { runResources } from '@/faces/mcp/serve-mcp.js';
import { Workflows } from '@/faces/mcp/workflows.js';
import { takeLock } from '@/node/lock.js';
import { systemClock } from '@/ports/clock.js';
import { GateStepSchema } from '@/products/quality-gate/gate-job.js';
import { QualityGate } from '@/products/quality-gate/quality-gate.js';
import { fakeClock, scriptedProvider } from '@/testing/index.js';
import { gateFolder } from '../../../support/gate-folder.js';
import { expectCode } from '../../../support/matchers.js';
import { misspelt, renamed } from '../../../support/misspelt.js';
import { askingPipeline } from '../../../support/waiting-runs.js';
import { answerOf } from '../../products/quality-gate/support.js';
import { runCli } from '../cli/harness.js';

/** A server in a folder with one job, and what connects clients to it. */
async function serving(job: object = { name: 'a', steps: [{ id: 'draft' }] }) {
  const root = gateFolder({ 'job.json': JSON.stringify(job) });
  const folder = join(root, 'gates');
  const { make, close } = await gateServer({ gate: new QualityGate({ root }), folder });
  onTestFinished(close);
  const connect = async (): Promise<Client> => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test', version: '1.0.0' });
    await Promise.all([make().connect(far as never), client.connect(near)]);
    return client;
  };
  return { root, connect };
}

it('a server of the gate serves each connection with the same workflows, and answers errors as results with their code', async () => {
  const steps = [{ id: 'draft', outputs: { note: 'string' } }];
  const { connect } = await serving({ name: 'article', steps });
  const [one, two] = [await connect(), await connect()];
  expect(one.getServerVersion()).toMatchObject({ name: 'reviewloop', version: '0.0.0' });
  const job = { job_file: 'job.json' };
  const started = await one.callTool({ name: 'start_workflow', arguments: job });
  const { session_id } = started.structuredContent as { session_id: string };
  const finish = (step_id: string, outputs: object) =>
    two.callTool({ name: 'finished_step', arguments: { session_id, step_id, outputs } });
  expect(await finish('draft', { note: 'done' })).toMatchObject({
    structuredContent: { status: 'workflow_complete', outcome: 'accepted' },
  });
  expect(await finish('none', {})).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^\[gate_step_unknown\]/) as string }],
  });
  await Promise.all([one.close(), two.close()]);
});

const unreviewed = {
  name: 'article',
  steps: [{ id: 'draft', outputs: { report: 'file' }, reviews: [] }],
};

function project() {
  const root = gateFolder({ 'job.json': JSON.stringify(unreviewed), 'report.md': 'text' });
  const folder = join(root, 'gates');
  return { root, folder, workflows: new Workflows({ gate: new QualityGate({ root }), folder }) };
}

/** Whether somebody holds the lock of a workflow. */
function isLocked(folder: string, id: string): boolean {
  const place = join(folder, id, 'state.lock');
  const locks = readdirSync(place).filter((name) => name.startsWith('lock.'));
  return locks.some((name) => !readFileSync(join(place, name), 'utf8').includes('"released"'));
}

describe('workflows', () => {
  it('release every session between calls, and after an error', async () => {
    const { folder, workflows } = project();
    const started = [];
    for (let count = 0; count < 5; count += 1) started.push(await workflows.start('job.json'));
    const [{ session_id: id } = { session_id: '' }] = started;
    const session = await workflows.session(id);
    await expectCode(session.finishedStep({ stepId: 'no', outputs: {} }), 'gate_step_unknown');
    const locked = started.map(({ session_id }) => isLocked(folder, session_id));
    expect(locked).toEqual(Array(5).fill(false));
  });

  it('refuse a job file that was changed by hand', async () => {
    const { folder, workflows } = project();
    const { session_id: id } = await workflows.start('job.json');
    const { session_id: other } = await workflows.start('job.json');
    const file = join(folder, id, 'job.json');
    const use = async () => (await workflows.session(id)).reviewStatus();
    for (const text of [
      '{',
      '{"schema":2}',
      JSON.stringify({ schema: 1, session_id: id, job: { name: 'x', steps: [] } }),
      readFileSync(join(folder, other, 'job.json'), 'utf8'),
    ]) {
      writeFileSync(file, text);
      await expect(use(), text).rejects.toMatchObject({ code: 'file_unreadable' });
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
    rmSync(file);
    await expect(use()).rejects.toMatchObject({ code: 'run_unknown' });
  });

  it('refuse a job file that is not text, and leave no files', async () => {
    const { root, folder, workflows } = project();
    writeFileSync(join(root, 'binary.yaml'), Buffer.from([0, 1]));
    await expectCode(workflows.start('binary.yaml'), 'file_unreadable');
    expect(existsSync(folder)).toBe(false);
  });
});

it('tools refuse input that their schema does not allow', async () => {
  const { workflows } = project();
  const signal = new AbortController().signal;
  for (const { input, call } of gateTools(workflows)) {
    expect(input.safeParse({}).success).toBe(false);
    await expect((async () => call({}, signal))()).rejects.toThrow();
  }
});

const result = answerOf(false, 'no');
const all: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  start_workflow: { job_file: 'job.json' },
  finished_step: {
    ...{ session_id: 's', step_id: 'draft', outputs: { report: 'report.md' }, notes: 'n' },
    quality_review_override_reason: 'r',
  },
  review_status: { session_id: 's' },
  get_instructions: { session_id: 's', step_id: 'draft' },
  submit_verdict: {
    ...{ session_id: 's', step_id: 'draft', reviewer: 'r', hash: 'h', token: 't', result },
  },
};

const connected = async (): Promise<Client> => (await serving()).connect();

async function answerTo(client: Client, name: string, input: object): Promise<string> {
  const { isError, content } = await client.callTool({ name, arguments: { ...input } });
  expect(isError, JSON.stringify(input)).toBe(true);
  return (content as { readonly text: string }[])[0]?.text ?? '';
}

it('refuses each misspelt argument of each tool, with the nearest and all known ones [R2-103]', async () => {
  const client = await connected();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(all).sort());
  for (const { name, inputSchema } of tools) {
    const input = all[name] ?? {};
    expect(Object.keys(inputSchema.properties ?? {}).sort()).toEqual(Object.keys(input).sort());
    expect(inputSchema).toMatchObject({ additionalProperties: false });
    for (const key of Object.keys(input))
      for (const wrong of misspelt(key)) {
        const text = await answerTo(client, name, renamed(input, key, wrong));
        expect(text).toContain(`unknown argument \`${wrong}\`; the nearest is ${key}`);
      }
  }
});

it('refuses misspelt members of a verdict, at each depth [R2-103]', async () => {
  const client = await connected();
  const input = all['submit_verdict'] ?? {};
  const [criterion = {}] = result.criteria_results;
  const refused = async (key: string, wrong: string, made: object) =>
    expect(await answerTo(client, 'submit_verdict', { ...input, result: made }), key).toContain(
      `unknown argument \`${wrong}\``,
    );
  for (const key of Object.keys(result))
    for (const wrong of misspelt(key)) await refused(key, wrong, renamed(result, key, wrong));
  for (const key of Object.keys(criterion))
    for (const wrong of misspelt(key)) {
      const criteria_results = [renamed(criterion, key, wrong)];
      await refused(key, wrong, { ...result, criteria_results });
    }
});

it('names the argument that is meant by a part of its name, and lists the others [R2-103]', async () => {
  const client = await connected();
  const input = all['finished_step'] ?? {};
  expect(await answerTo(client, 'finished_step', { ...input, override_reason: 'fine' })).toContain(
    'unknown argument `override_reason`; the nearest is quality_review_override_reason; the arguments are session_id, step_id,',
  );
  expect(await answerTo(client, 'finished_step', { ...input, frobnicate: 1 })).toContain(
    'unknown argument `frobnicate`; the arguments are session_id, step_id, outputs, notes,',
  );
});

// put together here, so that no tool takes this file for a leak
const key = `ghp_${'a1B2c3'.repeat(6)}`;

const review = { run_each: 'step', quality_criteria: { Complete: 'Is it complete?' } };
const step = { id: 'draft', outputs: { report: 'file' }, reviews: [review] };

interface Place {
  readonly write: (name: string, text: string) => void;
  readonly call: (name: string, input: object) => Promise<{ text: string; failed: boolean }>;
}

async function place(): Promise<Place> {
  const { root, connect } = await serving();
  const client = await connect();
  return {
    write: (name, text) => writeFileSync(join(root, name), text),
    call: async (name, input) => {
      const { isError, content } = await client.callTool({ name, arguments: { ...input } });
      const [first] = content as { readonly text: string }[];
      return { text: first?.text ?? '', failed: isError === true };
    },
  };
}

it.each([
  [
    'a criterion',
    { ...step, reviews: [{ ...review, quality_criteria: 0 }] },
    '"quality_criteria":0',
  ],
  ['an output', { ...step, outputs: 0 }, '"outputs":0'],
])('%s with the name __proto__ is refused, not dropped', async (_, made, gap) => {
  const { write, call } = await place();
  const named = gap.replace('0', '{"__proto__":"file"}');
  write('job.json', JSON.stringify({ name: 'a', steps: [made] }).replace(gap, named));
  const { text, failed } = await call('start_workflow', { job_file: 'job.json' });
  expect(failed).toBe(true);
  expect(text).toContain('__proto__');
});

it('an output of a call with the name __proto__ is refused, and so is a step', async () => {
  const { write, call } = await place();
  write('job.json', JSON.stringify({ name: 'a', steps: [step] }));
  write('report.md', 'tea');
  const { text } = await call('start_workflow', { job_file: 'job.json' });
  const { session_id } = JSON.parse(text) as { session_id: string };
  const outputs: unknown = JSON.parse('{"report":"report.md","__proto__":"x"}');
  const said = await call('finished_step', { session_id, step_id: 'draft', outputs });
  expect(said.failed).toBe(true);
  expect(said.text).toContain('__proto__');
  write('job.json', JSON.stringify({ name: 'a', steps: [{ ...step, id: '__proto__' }] }));
  expect((await call('start_workflow', { job_file: 'job.json' })).failed).toBe(true);
});

it('no answer contains a key of the files or of the call', async () => {
  const { write, call } = await place();
  const texts: string[] = [];
  const say = async (job: object, path = 'job.json'): Promise<void> => {
    write('job.json', JSON.stringify(job));
    texts.push((await call('start_workflow', { job_file: path })).text);
  };
  await say({ name: key, steps: [{ ...step, name: key, description: key }] });
  await say({ name: 'a', steps: [step], [key]: 1 });
  await say({ name: 'a', steps: [{ ...step, reviews: [{ ...review, run_each: key }] }] });
  await say({ name: 'a', steps: [step] }, `${key}.json`);
  texts.push((await call('review_status', { session_id: key })).text);
  expect(texts.join('\n')).not.toContain(key.slice(0, 12));
});

it('an error about a path has a code, and does not repeat a long one', async () => {
  const { write, call } = await place();
  write('job.json', '{}');
  const outside = `../../products/quality-gate/${'b'.repeat(5000)}`;
  for (const path of ['job.json/x', 'a'.repeat(5000), outside]) {
    const { text } = await call('start_workflow', { job_file: path });
    expect(text).toMatch(/^\[(?:file_unreadable|path_outside)\]/);
    expect(text.length).toBeLessThan(1000);
  }
});

describe('a step that was reviewed', () => {
  const reviews = [{ run_each: 'step', quality_criteria: { Sources: 'Are there any?' } }];
  const job = {
    name: 'article',
    steps: [
      { id: 'draft', outputs: { report: 'file' }, reviews },
      { id: 'publish', outputs: { note: 'string' } },
    ],
  };
  const pass = answerOf(true, 'fine', 'Sources');
  const fail = { passed: false, feedback: 'no source' };

  type Answer = Readonly<Record<string, unknown>>;

  /** A verified workflow of the server, whose agent starts its own reviewer. */
  async function workflow() {
    const cwd = gateFolder({ 'job.json': JSON.stringify(job), 'report.md': 'text' });
    const workflows = new Workflows({
      gate: new QualityGate({ root: cwd }),
      folder: join(cwd, '.reviewloop', 'gates'),
      mode: 'self',
      verified: true,
      maxAttempts: 2,
    });
    const tools = new Map(gateTools(workflows).map(({ name, call }) => [name, call]));
    const call = async (name: string, input: object): Promise<Answer> => ({
      ...(await tools.get(name)?.(input, new AbortController().signal)),
    });
    const { session_id: id } = await workflows.start('job.json');
    const finish = (step: string, outputs: object): Promise<Answer> =>
      call('finished_step', { session_id: id, step_id: step, outputs });
    const submit = async (result: object): Promise<Answer> => {
      const { instructions_path: path } = await finish('draft', { report: 'report.md' });
      const text = readFileSync(join(cwd, String(path)), 'utf8');
      const [hash, token] = ['hash', 'token'].map(
        (key) => new RegExp(`${key}: (\\S+)`).exec(text)?.[1],
      );
      return call('submit_verdict', {
        ...{ session_id: id, step_id: 'draft', reviewer: 'sub', hash, token, result },
      });
    };
    const accept = ['accept', id, 'draft', '--reason', 'seen', '--by', 'Ada'];
    return { cwd, id, call, finish, submit, accept };
  }

  describe('a person who accepts a step of a workflow', () => {
    it('opens it with a name and a reason, and it stays verified', async () => {
      const { cwd, id, call, finish, submit, accept } = await workflow();
      await submit(fail);
      const out = 'accepted by Ada: step draft\nnext step: publish\n';
      expect(await runCli(cwd, accept)).toEqual({ code: 0, err: '', out });
      expect(await call('review_status', { session_id: id })).toMatchObject({
        verified: true,
        steps: { draft: { status: 'accepted', override: { who: 'Ada', reason: 'seen' } } },
      });
      expect(readFileSync(join(cwd, '.reviewloop/audit.jsonl'), 'utf8')).toContain('"who":"Ada"');
      const last = await finish('publish', { note: 'done' });
      expect(last).toMatchObject({ status: 'workflow_complete' });
    });

    it('reads what is next, as data too', async () => {
      const { cwd, id, finish, submit, accept } = await workflow();
      await submit(fail);
      await finish('publish', { note: 'done' });
      const { out } = await runCli(cwd, [...accept, '--format', 'json']);
      expect(JSON.parse(out)).toEqual({
        ...{ schemaVersion: 1, session_id: id, step_id: 'draft', by: 'Ada' },
        ...{ status: 'workflow_complete', outcome: 'accepted', begin_step: null },
      });
      expect((await runCli(cwd, accept)).out).toBe(
        'accepted by Ada: step draft\nthe workflow is complete\n',
      );
    });

    it('accepts what was handed in below the root of the workflow', async () => {
      const { cwd, submit, accept } = await workflow();
      await submit(fail);
      const place = ['--store', `file:${join(cwd, '.reviewloop')}`, '--root', cwd];
      expect(await runCli(gateFolder(), [...accept, ...place])).toMatchObject({ code: 0 });
    });

    it('cannot accept a step of which nothing was handed in', async () => {
      const { cwd, id } = await workflow();
      const { code, err } = await runCli(cwd, ['accept', id, 'draft', '--reason', 'seen']);
      expect(code).not.toBe(0);
      expect(err).toContain('gate_output_invalid');
    });
  });

  it('a submitted verdict says what to do next: fix, go on, or leave it to a person', async () => {
    const { cwd, submit } = await workflow();
    expect(await submit(fail)).toMatchObject({
      ...{ status: 'needs_work', passed: false, attempts: 1, feedback: 'no source' },
      next: expect.stringContaining('fixes the failed criteria') as unknown,
    });
    writeFileSync(join(cwd, 'report.md'), 'more text');
    expect(await submit(pass)).toMatchObject({
      ...{ status: 'needs_work', passed: true, attempts: 1 },
      next: expect.stringContaining('the gate opens if the outputs are unchanged') as unknown,
    });
    writeFileSync(join(cwd, 'report.md'), 'other text');
    expect(await submit(fail)).toMatchObject({
      ...{ status: 'failed', passed: false, attempts: 2 },
      next: expect.stringContaining('A person decides') as unknown,
    });
  });
});

/** What a client reads of a store. */
async function readAll(cwd: string, folder = join(cwd, '.reviewloop')) {
  const [questions, report] = runResources(folderStore(folder));
  return { questions: await questions?.read(), report: await report?.read() };
}

/** Stores what a command tells of a run, so many seconds after the first. */
function storeReport(folder: string, runId: string, report: object, seconds = 0): void {
  const place = join(folder, 'runs', runId);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'review.json'), JSON.stringify(report));
  utimesSync(join(place, 'review.json'), 1_000_000 + seconds, 1_000_000 + seconds);
}

function storeStep(folder: string, session: string, seconds: number): void {
  const report = stepReport({
    ...{ step: GateStepSchema.parse({ id: 'draft' }), session, outputs: {}, exitCode: 0 },
    ...{ began: 0, now: 0 },
    answer: {
      ...{ status: 'next_step', outcome: 'approved', feedback: null },
      ...{ failed_reviews: null, error: null, unanswered: [] },
    },
  });
  storeReport(folder, session, report, seconds);
}

describe('what a client reads beside the tools', () => {
  it('is nothing before the first run', async () => {
    expect(await readAll(gateFolder())).toEqual({
      questions: { schemaVersion: 1, requests: [], more: false },
      report: null,
    });
  });

  it('is the report that was stored last, past runs without one', async () => {
    const cwd = gateFolder();
    const folder = join(cwd, '.reviewloop');
    for (const [index, session] of ['a', 'c', 'b'].entries()) storeStep(folder, session, index);
    mkdirSync(join(folder, 'runs', 'no-report'));
    expect((await readAll(cwd)).report).toMatchObject({ runId: 'gate-b-draft' });
  });

  it('is each question with the command that answers it, newest first', async () => {
    const cwd = gateFolder();
    const store = fileStore(join(cwd, '.reviewloop'));
    const clock = fakeClock(1_000_000);
    const pipeline = askingPipeline(store, undefined, clock);
    for (const runId of ['one', 'two']) {
      await pipeline.run('tea', { runId });
      storeReport(join(cwd, '.reviewloop'), runId, {});
      clock.advance(1000);
    }
    expect((await readAll(cwd)).questions).toMatchObject({
      more: false,
      requests: ['two', 'one'].map((runId) => ({ runId })),
    });
    expect(JSON.stringify(await readAll(cwd))).not.toContain('reviewloop answer');
    const elsewhere = join(cwd, 'elsewhere');
    const other = fileStore(elsewhere);
    await askingPipeline(other).run('tea', { runId: 'three' });
    storeReport(elsewhere, 'three', {});
    expect((await readAll(cwd, elsewhere)).questions).toMatchObject({
      requests: [{ runId: 'three' }],
    });
  });

  it('says that more runs wait than it lists', async () => {
    const cwd = gateFolder();
    const store = fileStore(join(cwd, '.reviewloop'));
    const pipeline = askingPipeline(store);
    for (let count = 0; count < 51; count += 1) await pipeline.run('tea', { runId: `r${count}` });
    const { questions } = await readAll(cwd);
    expect(questions).toMatchObject({ more: true });
    expect((questions as { requests: unknown[] }).requests).toHaveLength(50);
  });
});

describe('reading', () => {
  const job = { name: 'article', steps: [step] };
  const answer = JSON.stringify(answerOf(true));

  it('answers review_status and get_instructions while a review runs, here or in another process, and pays for one review [R2-120]', async () => {
    const root = gateFolder({ 'report.md': 'text', 'job.json': JSON.stringify(job) });
    let go = (): void => undefined;
    const waiting = new Promise<void>((done) => {
      go = done;
    });
    const model = scriptedProvider(() => answer);
    let asked = 0;
    const provider = {
      ...model,
      generate: async (request: Parameters<typeof model.generate>[0]) => {
        asked += 1;
        await waiting;
        return model.generate(request);
      },
    };
    const folder = join(root, 'gates');
    const workflows = new Workflows({ gate: new QualityGate({ root, provider }), folder });
    const other = new Workflows({ gate: new QualityGate({ root, provider }), folder });
    const { session_id } = await workflows.start('job.json');
    const finish = async (of: Workflows) =>
      (await of.session(session_id)).finishedStep({
        ...{ stepId: 'draft', outputs: { report: 'report.md' } },
      });
    const reviewing = [workflows, workflows, other].map(finish);
    await expect.poll(() => asked).toBe(1);
    expect(isLocked(folder, session_id)).toBe(true);
    for (const one of [workflows, other]) {
      const tools = gateTools(one);
      const call = (name: string, input: object) =>
        tools.find((tool) => tool.name === name)?.call(input, new AbortController().signal);
      expect(await call('review_status', { session_id })).toMatchObject({
        steps: { draft: { status: 'pending' } },
      });
      expect(await call('get_instructions', { session_id, step_id: 'draft' })).toEqual({
        hash: null,
        instructions_path: null,
      });
    }
    go();
    for (const done of await Promise.all(reviewing))
      expect(done).toMatchObject({ status: 'workflow_complete' });
    expect([asked, isLocked(folder, session_id)]).toEqual([1, false]);
  });

  it('reads a workflow whose folder another process has locked [R2-120]', async () => {
    const root = gateFolder({ 'report.md': 'text', 'job.json': JSON.stringify(job) });
    const folder = join(root, 'gates');
    const workflows = new Workflows({ gate: new QualityGate({ root }), folder });
    const { session_id: id } = await workflows.start('job.json');
    const times = { clock: systemClock, heartbeatMs: 5000, patienceMs: 60_000 };
    const lock = await takeLock(join(folder, id, 'state.lock'), times);
    expect(lock).toBeDefined();
    const status = await (await workflows.session(id)).reviewStatus();
    expect(status).toMatchObject({ session_id: id });
    await lock?.release();
  });
});
