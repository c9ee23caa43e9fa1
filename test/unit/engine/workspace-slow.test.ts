import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline, type PipelineOptions, type Workspace } from '../../../src/index.js';
import { fakeClock, fakeWorkspace } from '../../../src/testing/index.js';
import { deferred, loadEngine, never } from './support.js';

beforeAll(loadEngine);

/** A workspace that tells what it does, and whose next snapshots wait for the test. */
function slow() {
  const inner = fakeWorkspace({ 'a.txt': 'mine' });
  const calls: string[] = [];
  const gates: Promise<void>[] = [];
  const workspace: Workspace = {
    snapshot: async () => {
      calls.push('snapshot');
      await gates.shift();
      const tree = await inner.snapshot();
      calls.push('snapshot done');
      return tree;
    },
    restore: async (tree) => {
      calls.push('restore');
      await inner.restore(tree);
    },
    claim: async () => ({ release: async () => void calls.push('release') }),
  };
  return { inner, workspace, calls, gates };
}

const loop = (workspace: Workspace, more: Partial<PipelineOptions<string, string>> = {}) =>
  definePipeline<string, string>({
    workspace,
    produce: async () => 'done',
    criteria: { fine: () => true },
    ...more,
  });

/** Whether a promise has settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = (): void => {
    settled = true;
  };
  promise.then(settle, settle);
  for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next));
  return settled;
}

describe('a workspace that answers too late', () => {
  it('makes the run fail in time, and keeps its claim until it has answered', async () => {
    const clock = fakeClock();
    const { inner, workspace, calls, gates } = slow();
    const gate = deferred<void>();
    const produce = async (): Promise<string> => {
      inner.files.set('a.txt', 'new');
      gates.push(gate.promise);
      return 'done';
    };
    const pipeline = loop(workspace, { produce, clock, timeouts: { workspaceMs: 1000 } });
    const running = pipeline.run('task');
    await isSettled(running);
    await clock.advanceAsync(1000);
    expect(await isSettled(running)).toBe(true);
    expect(await running).toMatchObject({ status: 'failed', code: 'workspace_failed' });
    expect(calls).not.toContain('release');
    await expect(pipeline.run('task')).rejects.toMatchObject({ code: 'workspace_busy' });
    gate.resolve();
    await isSettled(never());
    expect(calls.slice(2)).toEqual(['snapshot', 'snapshot done', 'release']);
    gates.length = 0;
    const again = loop(workspace, { clock }).run('task');
    expect(await again).toMatchObject({ status: 'approved' });
  });

  /** A run that is cancelled while its workspace is saved after a revision. */
  const cancelled = () => {
    const clock = fakeClock();
    const { inner, workspace, gates } = slow();
    const gate = deferred<void>();
    const controller = new AbortController();
    const running = loop(workspace, {
      criteria: { no: () => 'no' },
      address: async (output) => {
        inner.files.set('a.txt', 'half');
        gates.push(gate.promise);
        setImmediate(() => controller.abort(new Error('stop')));
        return output;
      },
      clock,
    }).run('task', { signal: controller.signal });
    return { clock, inner, gate, running };
  };

  it('does not keep a cancelled run for long', async () => {
    const { clock, running } = cancelled();
    expect(await isSettled(running)).toBe(false);
    await clock.advanceAsync(2000);
    expect(await isSettled(running)).toBe(true);
    expect(await running).toMatchObject({ status: 'cancelled', output: 'done' });
  });

  it('gives a cancelled run its tree back if it answers soon', async () => {
    const { clock, inner, gate, running } = cancelled();
    await isSettled(running);
    await clock.advanceAsync(1000);
    gate.resolve();
    expect(await running).toMatchObject({ status: 'cancelled' });
    expect(Object.fromEntries(inner.files)).toEqual({ 'a.txt': 'mine' });
  });

  it('is released again if it was claimed for a run that has ended by then', async () => {
    const { workspace, calls } = slow();
    const claimed = deferred<{ release: () => Promise<void> }>();
    const controller = new AbortController();
    const running = loop({ ...workspace, claim: () => claimed.promise }).run('task', {
      signal: controller.signal,
    });
    await isSettled(running);
    controller.abort(new Error('stop'));
    expect(await running).toMatchObject({ status: 'cancelled' });
    expect(calls).toEqual([]);
    claimed.resolve({ release: async () => void calls.push('release') });
    await isSettled(never());
    expect(calls).toEqual(['release']);
  });

  it('does not take away the approval of a run that is cancelled only after that', async () => {
    const { workspace } = slow();
    const controller = new AbortController();
    const claim = async () => ({
      release: () => {
        controller.abort(new Error('stop'));
        return never<void>();
      },
    });
    const { signal } = controller;
    expect(await loop({ ...workspace, claim }).run('task', { signal })).toMatchObject({
      status: 'approved',
      output: 'done',
    });
  });

  it('delays a run that fails by the time of two calls, and no more', async () => {
    const clock = fakeClock();
    const { workspace, gates } = slow();
    const running = loop(workspace, {
      criteria: { no: () => 'no' },
      address: async (output) => {
        gates.push(never());
        return output;
      },
      clock,
      timeouts: { workspaceMs: 1000 },
    }).run('task');
    await isSettled(running);
    await clock.advanceAsync(1000);
    await isSettled(running);
    await clock.advanceAsync(1000);
    expect(await isSettled(running)).toBe(true);
    expect(await running).toMatchObject({ status: 'failed', code: 'workspace_failed' });
  });
});

describe('a workspace', () => {
  it.each([[''], [7], [undefined], [null]])(
    'whose state is always %j has none that could be approved',
    async (tree) => {
      const calls: string[] = [];
      const workspace = {
        snapshot: async () => tree,
        restore: async () => void calls.push('restore'),
      } as unknown as Workspace;
      expect(await loop(workspace).run('task')).toMatchObject({
        status: 'failed',
        code: 'workspace_failed',
        output: undefined,
        error: { value: tree },
      });
      expect(calls).toEqual([]);
    },
  );

  it('that cannot be released ends the run as failed', async () => {
    const { workspace } = slow();
    const claim = async () => ({ release: () => Promise.reject(new Error('still locked')) });
    const { status, code, reason } = await loop({ ...workspace, claim }).run('task');
    expect([status, code]).toEqual(['failed', 'port_failed']);
    expect(reason).toContain('still locked');
  });

  it('is as before when `produce` fails, also if a step of it had changed nothing yet', async () => {
    const inner = fakeWorkspace({ 'a.txt': 'mine' });
    const outcome = await loop(inner, {
      produce: async (_, context) => {
        await context.step('plan', { input: 0, schema: z.string() }, async () => 'a plan');
        inner.files.set('a.txt', 'half');
        throw new Error('no idea');
      },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'failed', code: 'produce_failed' });
    expect(Object.fromEntries(inner.files)).toEqual({ 'a.txt': 'mine' });
  });
});
