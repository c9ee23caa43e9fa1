import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { StepSnapshots } from '@/engine/workspace-snapshots.js';
import {
  criterion,
  memoryStore,
  type PipelineOptions,
  type Policy,
  type Workspace,
} from '@/index.js';
import { type FakeWorkspace, fakeClock, fakeWorkspace } from '@/testing/index.js';
import {
  deferred,
  failed,
  logged,
  never,
  passed,
  pipelineOf,
  reviewer,
  suspended,
} from './support.js';

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
  pipelineOf({ workspace, produce: async () => 'done', criteria: { fine: () => true }, ...more });

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

const filesOf = (workspace: FakeWorkspace) => Object.fromEntries(workspace.files);

const approve = { kind: 'approve', by: 'Ann' } as const;

const person = reviewer<string>(
  'person',
  async (_, context) => {
    await context.ask('ok', { question: 'ok?', allowed: ['approve'], gaps: [] });
    return [passed('person')];
  },
  { tier: 'confirm' },
);

/** What was done with a workspace, with short names for its trees. */
function callsOf({ calls }: FakeWorkspace): string[] {
  const names = new Map<string, string>();
  return calls.map((call) => {
    const [what = '', tree = ''] = call.split(' ');
    if (!names.has(tree)) names.set(tree, String.fromCharCode(65 + names.size));
    return `${what} ${names.get(tree)}`;
  });
}

describe('the workspace of a run that a person continues', () => {
  it('has the proposals of a reviewer, although the reviewer is not asked again', async () => {
    const workspace = fakeWorkspace({ 'a.txt': 'one' });
    const asked: string[] = [];
    const next = new Map([
      ['one', 'two'],
      ['two', 'three'],
    ]);
    const mending = reviewer<string>('mending', async ({ output }, context) => {
      const isDraft = await context.check(z.boolean(), async () => {
        const text = String(workspace.files.get('a.txt'));
        asked.push(text);
        const better = next.get(text);
        if (better !== undefined) workspace.files.set('a.txt', better);
        return better !== undefined;
      });
      return isDraft ? { assessments: [failed('mending')], proposal: output } : [passed('mending')];
    });
    const policy: Policy = ({ review: { gaps } }) =>
      gaps[0] === undefined
        ? { kind: 'approve', reason: 'no gap' }
        : { kind: 'revise', reason: 'on', from: 'latest', blocking: [gaps[0]] };
    const pipeline = loop(workspace, { criteria: {}, reviewers: [mending, person], policy });
    const waiting = suspended(await pipeline.run('task', { runId: 'r' }));
    expect(waiting.reviews).toHaveLength(2);
    workspace.files.set('a.txt', 'edited meanwhile');
    expect(await pipeline.answer(waiting.requests[0], approve)).toMatchObject({
      status: 'approved',
      workspace: waiting.workspace,
    });
    expect(filesOf(workspace)).toEqual({ 'a.txt': 'three' });
    expect(asked).toEqual(['one', 'two', 'three']);
  });

  it('has what a revision made, and the work before it is not done again', async () => {
    const workspace = fakeWorkspace({ 'a.txt': '' });
    const done: string[] = [];
    const write = (text: string) => async (): Promise<string> => {
      done.push(text);
      workspace.files.set('a.txt', `${workspace.files.get('a.txt')}${text}`);
      return 'done';
    };
    const pipeline = loop(workspace, {
      produce: write('one '),
      address: write('two '),
      criteria: { two: async () => workspace.files.get('a.txt')?.includes('two') || 'no two' },
      human: { policy: 'require' },
    });
    const waiting = suspended(await pipeline.run('task', { runId: 'r' }));
    workspace.files.set('a.txt', 'edited meanwhile');
    expect(await pipeline.answer(waiting.requests[0], approve)).toMatchObject({
      status: 'approved',
      output: 'done',
      workspace: waiting.workspace,
    });
    expect(filesOf(workspace)).toEqual({ 'a.txt': 'one two ' });
    expect(done).toEqual(['one ', 'two ']);
  });

  it('is that from before the run where the run begins anew', async () => {
    const workspace = fakeWorkspace({ log: 'before' });
    const store = memoryStore();
    const pipeline = (version: string) =>
      loop(workspace, {
        produce: async () => {
          workspace.files.set('log', `${workspace.files.get('log')}, ${version}`);
          return 'done';
        },
        human: { policy: 'require' },
        onChange: 'restart',
        version,
        store,
      });
    suspended(await pipeline('one').run('task', { runId: 'r' }));
    expect(filesOf(workspace)).toEqual({ log: 'before, one' });
    suspended(await pipeline('two').resume('r'));
    expect(filesOf(workspace)).toEqual({ log: 'before, two' });
    const waiting = suspended(await pipeline('three').resume('r'));
    workspace.files.set('log', 'edited meanwhile');
    expect(await pipeline('three').answer(waiting.requests[0], approve)).toMatchObject({
      status: 'approved',
    });
    expect(filesOf(workspace)).toEqual({ log: 'before, three' });
  });

  it('is neither recorded nor told of if it is as the run left it', async () => {
    const workspace = fakeWorkspace({ 'a.txt': 'mine' });
    const { logger, lines } = logged('warn', 'error');
    const store = memoryStore();
    const pipeline = loop(workspace, { human: { policy: 'require' }, store, logger });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    await pipeline.answer(request, approve);
    const names = (await store.read('r'))?.flatMap((record) =>
      record.type === 'step' ? [record.name] : [],
    );
    expect(names?.filter((name) => name.startsWith('workspace/'))).toEqual(['workspace/start']);
    expect(lines).toEqual([]);
  });

  it('is kept if somebody changed it, and the log says so', async () => {
    const workspace = fakeWorkspace({ 'a.txt': 'mine' });
    const { logger, lines } = logged('warn', 'error');
    const pipeline = loop(workspace, { human: { policy: 'require' }, logger });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    workspace.files.set('b.txt', 'new');
    const found = await workspace.snapshot();
    await pipeline.answer(request, approve);
    expect(lines).toEqual([{ level: 'warn', run: 'r', found }]);
    expect(filesOf(workspace)).toEqual({ 'a.txt': 'mine' });
  });
});

describe('what a run does with its workspace', () => {
  it('is a save before the work and after it, and a check at the end', async () => {
    const workspace = fakeWorkspace({ 'a.txt': 'mine' });
    const outcome = await loop(workspace, {
      produce: async () => {
        workspace.files.set('a.txt', 'new');
        return 'done';
      },
    }).run('task');
    expect(outcome.status).toBe('approved');
    expect(callsOf(workspace)).toEqual(['snapshot A', 'snapshot B', 'restore B', 'snapshot B']);
  });

  it('is a restore before each stage of reviewers, which may change it', async () => {
    const workspace = fakeWorkspace();
    const stage = (tier: 'code' | 'model' | 'confirm') =>
      criterion<string, string>(tier, async () => true, { tier });
    await loop(workspace, {
      criteria: {},
      reviewers: [stage('code'), stage('model'), stage('confirm')],
    }).run('task');
    expect(callsOf(workspace)).toEqual([
      'snapshot A',
      'snapshot A',
      'restore A',
      'restore A',
      'restore A',
      'snapshot A',
    ]);
  });
});

describe('a workspace that fails at the end', () => {
  const broken = (workspace: FakeWorkspace): Workspace & { broken: boolean } => ({
    ...workspace,
    broken: false,
    restore(digest: string) {
      return this.broken ? Promise.reject(new Error('no space')) : workspace.restore(digest);
    },
  });

  it('does not hide why the run ended, and the log says that the tree is not there', async () => {
    const inner = fakeWorkspace({ 'a.txt': 'mine' });
    const workspace = broken(inner);
    const { logger, lines } = logged('warn', 'error');
    const produce = async (): Promise<string> => {
      inner.files.set('a.txt', 'half');
      workspace.broken = true;
      throw new Error('no idea');
    };
    const tree = await inner.snapshot();
    const running = loop(workspace, { produce, logger }).run('task', { runId: 'r' });
    expect(await running).toMatchObject({ status: 'failed', code: 'produce_failed' });
    expect(lines).toEqual([
      { level: 'error', run: 'r', tree, status: 'failed', error: expect.stringContaining('space') },
    ]);
  });

  it('does not hide that the run was cancelled', async () => {
    const inner = fakeWorkspace({ 'a.txt': 'mine' });
    const workspace = broken(inner);
    const controller = new AbortController();
    const produce = (): Promise<string> => {
      inner.files.set('a.txt', 'half');
      workspace.broken = true;
      controller.abort(new Error('stop'));
      return never();
    };
    const { signal } = controller;
    expect(await loop(workspace, { produce }).run('task', { signal })).toMatchObject({
      status: 'cancelled',
    });
  });

  it('turns an ending with a version into a failure that names the workspace', async () => {
    const inner = fakeWorkspace();
    const workspace = broken(inner);
    const outcome = await loop(workspace, {
      criteria: {
        no: async () => {
          workspace.broken = true;
          return 'no';
        },
      },
    }).run('task');
    expect(outcome).toMatchObject({
      status: 'failed',
      code: 'workspace_failed',
      output: 'done',
      error: { cause: { message: 'no space' } },
    });
  });

  it('is told if what a continued run finds cannot be kept', async () => {
    const workspace = fakeWorkspace();
    const { logger, lines } = logged('warn', 'error');
    const store = memoryStore();
    const human = { policy: 'require' } as const;
    const before = suspended(await loop(workspace, { store, human }).run('t', { runId: 'r' }));
    let first = true;
    const snapshot = async (): Promise<string> => {
      if (!first) return workspace.snapshot();
      first = false;
      throw new Error('a socket');
    };
    const again = loop({ ...workspace, snapshot }, { store, human, logger });
    expect(await again.answer(before.requests[0], approve)).toMatchObject({ status: 'approved' });
    expect(lines).toEqual([
      { level: 'warn', run: 'r', error: expect.stringContaining('a socket') },
    ]);
  });
});

/** The snapshots of `address`, and what they did with the workspace. */
function made() {
  const done: string[] = [];
  const trees = {
    open: async (tree: string) => void done.push(`open ${tree}`),
    save: async (still: boolean) => {
      done.push(still ? 'save' : 'save, more to come');
      return `t${done.length}`;
    },
  };
  return { done, steps: new StepSnapshots({ trees, whole: 'address', from: 'parent' }) };
}

describe('the snapshots of work with steps', () => {
  it('begin with the tree of the parent, and end with one of their own', async () => {
    const { done, steps } = made();
    await steps.prepare('address');
    await steps.prepare('address/one');
    expect(await steps.keep('address/one')).toBe('t2');
    expect(steps.tree).toBeUndefined();
    expect(await steps.keep('address')).toBe('t3');
    expect(steps.tree).toBe('t3');
    expect(done).toEqual(['open parent', 'save, more to come', 'save']);
  });

  it('follow replayed steps by their trees, until a step is made anew', async () => {
    const { done, steps } = made();
    const replayed = (value: number, workspace?: string) => ({
      value,
      usage: undefined,
      workspace,
    });
    await steps.prepare('address');
    expect(await steps.follow('address/one', replayed(1, 'one'))).toBe(1);
    expect(await steps.follow('address/none', replayed(2))).toBe(2);
    await steps.prepare('address/two');
    expect(await steps.follow('address/three', replayed(3, 'three'))).toBe(3);
    expect(done).toEqual(['open parent', 'open one']);
    expect(steps.tree).toBeUndefined();
  });

  it('take the tree of the whole from its record, which the caller restores', async () => {
    const { done, steps } = made();
    expect(await steps.follow('address', { value: 1, usage: undefined, workspace: 'end' })).toBe(1);
    expect(steps.tree).toBe('end');
    expect(done).toEqual([]);
  });
});
