import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gateTools } from '../../../../src/quality-gate/mcp/gate-tools.js';
import { Workflows } from '../../../../src/quality-gate/mcp/workflows.js';
import { QualityGate } from '../../../../src/quality-gate/quality-gate.js';
import { gateFolder } from '../../../support/gate-folder.js';
import { runCli } from '../../cli/harness.js';

const job = {
  name: 'article',
  steps: [
    {
      id: 'draft',
      outputs: { report: 'file' },
      reviews: [{ run_each: 'step', quality_criteria: { Sources: 'Are there any?' } }],
    },
    { id: 'publish', outputs: { note: 'string' } },
  ],
};
const pass = {
  passed: true,
  feedback: 'fine',
  criteria_results: [{ criterion: 'Sources', passed: true }],
};
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
  return { cwd, id, call, finish, submit };
}

describe('a person who accepts a step of a workflow', () => {
  it('opens it with a name and a reason, and it stays verified', async () => {
    const { cwd, id, call, finish, submit } = await workflow();
    await submit(fail);
    const accepted = await runCli(cwd, ['accept', id, 'draft', '--reason', 'seen', '--by', 'Ada']);
    expect(accepted).toEqual({
      code: 0,
      err: '',
      out: 'accepted by Ada: step draft\nnext step: publish\n',
    });
    expect(await call('review_status', { session_id: id })).toMatchObject({
      verified: true,
      steps: { draft: { status: 'accepted', override: { who: 'Ada', reason: 'seen' } } },
    });
    expect(readFileSync(join(cwd, '.reviewloop/audit.jsonl'), 'utf8')).toContain('"who":"Ada"');
    expect(await finish('publish', { note: 'done' })).toMatchObject({
      status: 'workflow_complete',
    });
  });

  it('reads what is next, as data too', async () => {
    const { cwd, id, finish, submit } = await workflow();
    await submit(fail);
    await finish('publish', { note: 'done' });
    const args = ['accept', id, 'draft', '--reason', 'seen', '--by', 'Ada'];
    const { out } = await runCli(cwd, [...args, '--format', 'json']);
    expect(JSON.parse(out)).toEqual({
      ...{ schemaVersion: 1, session_id: id, step_id: 'draft', by: 'Ada' },
      ...{ status: 'workflow_complete', outcome: 'accepted', begin_step: null },
    });
    expect((await runCli(cwd, args)).out).toBe(
      'accepted by Ada: step draft\nthe workflow is complete\n',
    );
  });

  it('accepts what was handed in below the root of the workflow', async () => {
    const { cwd, id, submit } = await workflow();
    await submit(fail);
    const elsewhere = gateFolder();
    const place = ['--store', `file:${join(cwd, '.reviewloop')}`, '--root', cwd];
    const args = ['accept', id, 'draft', '--reason', 'seen', '--by', 'Ada', ...place];
    expect(await runCli(elsewhere, args)).toMatchObject({ code: 0 });
  });

  it('cannot accept a step of which nothing was handed in', async () => {
    const { cwd, id } = await workflow();
    const { code, err } = await runCli(cwd, ['accept', id, 'draft', '--reason', 'seen']);
    expect(code).not.toBe(0);
    expect(err).toContain('gate_output_invalid');
  });
});

describe('a submitted verdict', () => {
  it('says what to do next: fix, go on, or leave it to a person', async () => {
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
