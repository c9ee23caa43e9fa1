import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gateTools } from '../../../../src/quality-gate/mcp/gate-tools.js';
import { Workflows } from '../../../../src/quality-gate/mcp/workflows.js';
import { QualityGate } from '../../../../src/quality-gate/quality-gate.js';

const job = { name: 'article', steps: [{ id: 'draft', outputs: { report: 'file' }, reviews: [] }] };

function project(): {
  readonly root: string;
  readonly folder: string;
  readonly workflows: Workflows;
} {
  const root = mkdtempSync(join(tmpdir(), 'workflows-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'job.json'), JSON.stringify(job));
  writeFileSync(join(root, 'report.md'), 'text');
  const folder = join(root, 'gates');
  return { root, folder, workflows: new Workflows({ gate: new QualityGate({ root }), folder }) };
}

/** Whether somebody holds the lock of a workflow. */
function isLocked(folder: string, id: string): boolean {
  const locks = readdirSync(join(folder, id)).filter((name) => name.startsWith('lock.'));
  return locks.some((name) => !readFileSync(join(folder, id, name), 'utf8').includes('"released"'));
}

describe('workflows', () => {
  it('release every session between calls', async () => {
    const { folder, workflows } = project();
    const started = [];
    for (let count = 0; count < 5; count += 1) started.push(await workflows.start('job.json'));
    expect(started.map(({ session_id }) => isLocked(folder, session_id))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('share one session among concurrent calls, and release it with the last', async () => {
    const { folder, workflows } = project();
    const { session_id: id } = await workflows.start('job.json');
    const sessions = new Set<unknown>();
    const held: boolean[] = [];
    const call = () =>
      workflows.use(id, async (session) => {
        sessions.add(session);
        held.push(isLocked(folder, id));
        return session.reviewStatus();
      });
    await Promise.all([call(), call(), call()]);
    expect([sessions.size, held, isLocked(folder, id)]).toEqual([1, [true, true, true], false]);
    await call();
    expect(sessions.size).toBe(2);
  });

  it('release a session after an error, and on close', async () => {
    const { folder, workflows } = project();
    const { session_id: id } = await workflows.start('job.json');
    await expect(workflows.use(id, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(isLocked(folder, id)).toBe(false);
    let go = (): void => {};
    const waiting = workflows.use(id, () => new Promise<void>((done) => (go = done)));
    await expect.poll(() => isLocked(folder, id)).toBe(true);
    await workflows.close();
    expect(isLocked(folder, id)).toBe(false);
    go();
    await waiting;
  });

  it('refuse a job file that was changed by hand', async () => {
    const { folder, workflows } = project();
    const { session_id: id } = await workflows.start('job.json');
    const { session_id: other } = await workflows.start('job.json');
    const file = join(folder, id, 'job.json');
    const use = () => workflows.use(id, (session) => session.reviewStatus());
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
    await expect(workflows.start('binary.yaml')).rejects.toMatchObject({ code: 'file_unreadable' });
    expect(existsSync(folder)).toBe(false);
  });
});

describe('tools', () => {
  it('refuse input that their schema does not allow', async () => {
    const { workflows } = project();
    const signal = new AbortController().signal;
    for (const { input, call } of gateTools(workflows)) {
      expect(input.safeParse({}).success).toBe(false);
      await expect((async () => call({}, signal))()).rejects.toThrow();
    }
  });
});
