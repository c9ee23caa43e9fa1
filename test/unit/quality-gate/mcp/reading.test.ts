import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { takeLock } from '../../../../src/node/lock.js';
import { systemClock } from '../../../../src/ports/clock.js';
import { gateTools } from '../../../../src/quality-gate/mcp/gate-tools.js';
import { Workflows } from '../../../../src/quality-gate/mcp/workflows.js';
import { QualityGate } from '../../../../src/quality-gate/quality-gate.js';
import { scriptedProvider } from '../../../../src/testing/index.js';
import { gateFolder } from '../../../support/gate-folder.js';

const job = {
  name: 'article',
  steps: [
    {
      id: 'draft',
      outputs: { report: 'file' },
      reviews: [{ run_each: 'step', quality_criteria: { Complete: 'Is it?' } }],
    },
  ],
};
const answer = JSON.stringify({
  passed: true,
  feedback: 'good',
  criteria_results: [{ criterion: 'Complete', passed: true }],
});

it('answers review_status and get_instructions while a review runs, here or in another process [R2-120]', async () => {
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
  const reviewing = workflows.use(session_id, (session) =>
    session.finishedStep({ stepId: 'draft', outputs: { report: 'report.md' } }),
  );
  await expect.poll(() => asked).toBe(1);
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
  expect(await reviewing).toMatchObject({ status: 'workflow_complete' });
});

it('reads a workflow whose folder another process has locked [R2-120]', async () => {
  const root = gateFolder({ 'job.json': JSON.stringify(job) });
  writeFileSync(join(root, 'report.md'), 'text');
  const folder = join(root, 'gates');
  const workflows = new Workflows({ gate: new QualityGate({ root }), folder });
  const { session_id: id } = await workflows.start('job.json');
  const lock = await takeLock(join(folder, id), {
    clock: systemClock,
    heartbeatMs: 5000,
    patienceMs: 60_000,
  });
  expect(lock).toBeDefined();
  expect(await workflows.read(id, (session) => session.reviewStatus())).toMatchObject({
    session_id: id,
  });
  await lock?.release();
});
