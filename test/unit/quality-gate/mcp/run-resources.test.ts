import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStores } from '../../../../src/cli-kit/run-stores.js';
import { stepReport } from '../../../../src/quality-gate/command/step-report.js';
import { GateStepSchema } from '../../../../src/quality-gate/index.js';
import { runResources } from '../../../../src/quality-gate/mcp/run-resources.js';
import { fakeClock } from '../../../../src/testing/index.js';
import { gateFolder } from '../../../support/gate-folder.js';
import { askingPipeline } from '../../../support/waiting-runs.js';

/** What a client reads of a store. */
async function readAll(cwd: string, folder = join(cwd, '.reviewloop')) {
  const [questions, report] = runResources(folder);
  return { questions: await questions?.read(), report: await report?.read() };
}

/** A stored report, written so many seconds after the first. */
function storeReport(folder: string, session: string, seconds: number): void {
  const report = stepReport({
    ...{ step: GateStepSchema.parse({ id: 'draft' }), session, outputs: {}, exitCode: 0 },
    ...{ began: 0, now: 0 },
    answer: {
      ...{ status: 'next_step', outcome: 'approved', feedback: null },
      ...{ failed_reviews: null, error: null, unanswered: [] },
    },
  });
  const place = join(folder, 'runs', session);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'review.json'), JSON.stringify(report));
  utimesSync(join(place, 'review.json'), 1_000_000 + seconds, 1_000_000 + seconds);
}

/** Stores what only commands store beside a run. */
function commandStarted(folder: string, runId: string): void {
  const place = join(folder, 'runs', runId);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'review.json'), '{}');
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
    for (const [session, seconds] of [
      ['a', 1],
      ['b', 3],
      ['c', 2],
    ] as const)
      storeReport(folder, session, seconds);
    mkdirSync(join(folder, 'runs', 'no-report'));
    expect((await readAll(cwd)).report).toMatchObject({ runId: 'gate-b-draft' });
  });

  it('is each question with the command that answers it, newest first', async () => {
    const cwd = gateFolder();
    const { store } = openStores(join(cwd, '.reviewloop'));
    const clock = fakeClock(1_000_000);
    const pipeline = askingPipeline(store, undefined, clock);
    for (const runId of ['one', 'two']) {
      await pipeline.run('tea', { runId });
      commandStarted(join(cwd, '.reviewloop'), runId);
      clock.advance(1000);
    }
    expect((await readAll(cwd)).questions).toMatchObject({
      more: false,
      requests: ['two', 'one'].map((runId) => ({ runId })),
    });
    expect(JSON.stringify(await readAll(cwd))).not.toContain('reviewloop answer');
    const elsewhere = join(cwd, 'elsewhere');
    const other = openStores(elsewhere).store;
    await askingPipeline(other).run('tea', { runId: 'three' });
    commandStarted(elsewhere, 'three');
    expect((await readAll(cwd, elsewhere)).questions).toMatchObject({
      requests: [{ runId: 'three' }],
    });
  });

  it('says that more runs wait than it lists', async () => {
    const cwd = gateFolder();
    const { store } = openStores(join(cwd, '.reviewloop'));
    const pipeline = askingPipeline(store);
    for (let count = 0; count < 51; count += 1) await pipeline.run('tea', { runId: `r${count}` });
    const { questions } = await readAll(cwd);
    expect(questions).toMatchObject({ more: true });
    expect((questions as { requests: unknown[] }).requests).toHaveLength(50);
  });
});
