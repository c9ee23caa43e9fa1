import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  criterion,
  definePipeline,
  type Logger,
  memoryStore,
  type PipelineOptions,
  type Policy,
  type Workspace,
} from '../../../src/index.js';
import { type FakeWorkspace, fakeWorkspace } from '../../../src/testing/index.js';
import { failed, never, passed, reviewer, suspended } from './support.js';

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

/** A logger that keeps what it is told, by level. */
function logged() {
  const lines: object[] = [];
  const note = (level: string) => (fields: object) => void lines.push({ level, ...fields });
  const logger = { debug: () => {}, info: () => {}, warn: note('warn'), error: note('error') };
  return { logger: logger as Logger, lines };
}

function loop(workspace: Workspace, more: Partial<PipelineOptions<string, string>>) {
  return definePipeline<string, string>({
    workspace,
    produce: async () => 'done',
    criteria: { fine: () => true },
    store: memoryStore(),
    ...more,
  });
}

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
      criteria: {
        two: async () => workspace.files.get('a.txt')?.includes('two') || 'no two',
      },
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
    const { logger, lines } = logged();
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
    const { logger, lines } = logged();
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
    const { logger, lines } = logged();
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
    const { logger, lines } = logged();
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
