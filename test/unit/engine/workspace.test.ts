import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { criterion, memoryStore, type PipelineOptions, runAll, type Workspace } from '@/index.js';
import { silentLogger } from '@/ports/logger.js';
import { type FakeWorkspace, fakeClock, fakeWorkspace } from '@/testing/index.js';
import { throwing } from '../../support/throwing.js';
import {
  deferred,
  failed,
  failsWith,
  never,
  passed,
  pipelineOf,
  reviewer,
  revising,
  suspended,
  untilNoGap,
  working,
} from './support.js';

const Text = z.string();

const filesOf = (workspace: FakeWorkspace) => Object.fromEntries(workspace.files);

/** Passes while the file holds the word; reads the disk, not the output. */
const holds = (workspace: FakeWorkspace, path: string, word: string) =>
  reviewer<string>(`${path}-${word}`, async () => [
    workspace.files.get(path)?.includes(word)
      ? passed(`${path}-${word}`)
      : failed(`${path}-${word}`),
  ]);

function loop(workspace: FakeWorkspace, more: Partial<PipelineOptions<string, string>> = {}) {
  return pipelineOf({
    workspace,
    produce: async () => {
      workspace.files.set('a.txt', 'draft');
      return 'done';
    },
    address: async (output) => {
      workspace.files.set('a.txt', 'draft, mended');
      return output;
    },
    reviewers: [holds(workspace, 'a.txt', 'mended')],
    ...more,
  });
}

describe('a pipeline with a workspace', () => {
  it('tells versions apart by their trees, although their outputs are equal', async () => {
    const workspace = fakeWorkspace({ 'kept.txt': 'mine' });
    const outcome = await loop(workspace).run('task');
    const workspaceOf = expect.any(String);
    expect(outcome).toMatchObject({ status: 'approved', output: 'done', workspace: workspaceOf });
    expect(new Set(outcome.reviews.map((review) => review.version)).size).toBe(2);
    expect(filesOf(workspace)).toEqual({ 'kept.txt': 'mine', 'a.txt': 'draft, mended' });
    expect(await workspace.snapshot()).toBe(outcome.workspace);
  });

  it('ends as unchanged only when output and tree are unchanged', async () => {
    const workspace = fakeWorkspace();
    const outcome = await loop(workspace, { address: async (output) => output }).run('task');
    expect(outcome).toMatchObject({ status: 'stalled', code: 'output_unchanged' });
  });

  it('sees a return to an earlier tree as oscillation', async () => {
    const workspace = fakeWorkspace();
    const contents = ['second', 'draft'];
    const outcome = await loop(workspace, {
      address: async (output) => {
        workspace.files.set('a.txt', contents.shift() ?? '');
        return output;
      },
      policy: untilNoGap,
      budget: { reviews: 5 },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'stalled', code: 'oscillation' });
  });

  it('revises from the tree of the best version after an attempt that was not kept, and ends with it', async () => {
    const workspace = fakeWorkspace();
    const found: unknown[] = [];
    const outcome = await loop(workspace, {
      address: async (_output, _gaps, context) => {
        found.push(filesOf(workspace));
        workspace.files.delete('a.txt');
        workspace.files.set(`junk-${context.iteration}.txt`, 'x');
        return `attempt ${context.iteration}`;
      },
      reviewers: [holds(workspace, 'a.txt', 'draft'), holds(workspace, 'a.txt', 'mended')],
      policy: revising('best'),
    }).run('task');
    expect(outcome).toMatchObject({ status: 'exhausted', code: 'iterations', output: 'done' });
    expect(found).toEqual([{ 'a.txt': 'draft' }, { 'a.txt': 'draft' }]);
    expect(filesOf(workspace)).toEqual({ 'a.txt': 'draft' });
  });

  it('approves the tree that was reviewed, also when reviewers leave things in it; each stage sees that tree', async () => {
    const workspace = fakeWorkspace();
    const seen: unknown[] = [];
    const dirty = working('dirty', () => {
      workspace.files.set('coverage.txt', '100 %');
      workspace.files.set('a.txt', 'formatted');
    });
    const look = () => {
      seen.push(filesOf(workspace));
      workspace.files.delete('a.txt');
    };
    const later = working('later', look, { tier: 'model' });
    const outcome = await loop(workspace, { reviewers: [dirty, later] }).run('task');
    expect(outcome.status).toBe('approved');
    expect(seen).toEqual([{ 'a.txt': 'draft' }]);
    expect(filesOf(workspace)).toEqual({ 'a.txt': 'draft' });
  });

  it('never approves when the reviewed tree cannot be brought back', async () => {
    const workspace = fakeWorkspace();
    const outcome = await loop(workspace, {
      workspace: { ...workspace, restore: async () => {} },
      reviewers: [working('dirty', () => workspace.files.set('a.txt', 'worse'))],
    }).run('task');
    expect(outcome).toMatchObject({
      status: 'failed',
      code: 'workspace_failed',
      approved: false,
      output: 'done',
    });
  });

  const faults: readonly (readonly [string, () => Promise<string>])[] = [
    ['throws', () => Promise.reject(new Error('disk full'))],
    ['gives no digest', async () => ''],
    ['throws at once', throwing('broken')],
  ];
  it.each(faults)(
    'fails with the output of produce when snapshot %s after it',
    async (_, broken) => {
      const workspace = fakeWorkspace();
      let made = false;
      const snapshot = async (): Promise<string> => (made ? broken() : workspace.snapshot());
      const produce = async (): Promise<string> => {
        made = true;
        return 'paid for';
      };
      const breaking = loop(workspace, { workspace: { ...workspace, snapshot }, produce });
      const failed = { status: 'failed', code: 'workspace_failed', output: 'paid for' };
      expect(await breaking.run('task')).toMatchObject(failed);
    },
  );

  it('fails with the best version when address cannot start from its tree', async () => {
    const workspace = fakeWorkspace();
    let calls = 0;
    const restore = async (digest: string): Promise<void> => {
      calls += 1;
      if (calls === 1) throw new Error('no space');
      await workspace.restore(digest);
    };
    const outcome = await loop(workspace, { workspace: { ...workspace, restore } }).run('task');
    expect(outcome).toMatchObject({ status: 'failed', code: 'workspace_failed', output: 'done' });
    expect(outcome.reason).toContain('no space');
    expect(filesOf(workspace)).toEqual({ 'a.txt': 'draft' });
  });

  it('leaves the tree from before the run when produce fails', async () => {
    const workspace = fakeWorkspace({ 'kept.txt': 'mine' });
    const produce = async (): Promise<string> => {
      workspace.files.set('half.txt', 'x');
      workspace.files.delete('kept.txt');
      throw new Error('broken');
    };
    const outcome = await loop(workspace, { produce }).run('task');
    expect(outcome).toMatchObject({ status: 'failed', code: 'produce_failed' });
    expect(filesOf(workspace)).toEqual({ 'kept.txt': 'mine' });
  });

  it('leaves the best tree when the run is cancelled inside address', async () => {
    const workspace = fakeWorkspace();
    const controller = new AbortController();
    const outcome = await loop(workspace, {
      address: async () => {
        workspace.files.set('half.txt', 'x');
        controller.abort(new Error('stop'));
        return new Promise<string>(() => {});
      },
    }).run('task', { signal: controller.signal });
    expect(outcome).toMatchObject({ status: 'cancelled', output: 'done' });
    expect(filesOf(workspace)).toEqual({ 'a.txt': 'draft' });
  });

  it('keeps what fixers do to the workspace, and takes back what a failing one did', async () => {
    const workspace = fakeWorkspace();
    const fixing = (id: string, fix: () => void) =>
      criterion<string, string>(id, () => workspace.files.has(id) || 'missing', {
        fix: async (output) => {
          workspace.files.set(id, 'fixed');
          fix();
          return output;
        },
      });
    const outcome = await loop(workspace, {
      reviewers: [fixing('one', throwing('half done')), fixing('two', () => {})],
      address: async (output, gaps) => {
        expect(gaps.map((gap) => gap.criterionId)).toEqual(['one']);
        expect(filesOf(workspace)).toEqual({ 'a.txt': 'draft', two: 'fixed' });
        workspace.files.set('one', 'by hand');
        return output;
      },
    }).run('task');
    expect(outcome.status).toBe('approved');
    expect(filesOf(workspace)).toEqual({ 'a.txt': 'draft', one: 'by hand', two: 'fixed' });
  });

  it('does not reuse a verdict over an equal view of the output when the tree is another', async () => {
    const workspace = fakeWorkspace();
    let asked = 0;
    const check = () => {
      asked += 1;
      return workspace.files.get('a.txt')?.includes('mended') || 'not mended';
    };
    const scoped = criterion<string, string>('scoped', check, { scope: () => 'the same view' });
    expect((await loop(workspace, { reviewers: [scoped] }).run('task')).status).toBe('approved');
    expect(asked).toBe(2);
  });
});

describe('two runs on one workspace', () => {
  it('the second is refused with workspace_busy, and the first goes on', async () => {
    const workspace = fakeWorkspace();
    const [started, gate] = [deferred<void>(), deferred<void>()];
    const pipeline = loop(workspace, {
      produce: async () => {
        started.resolve();
        await gate.promise;
        workspace.files.set('a.txt', 'mended');
        return 'done';
      },
    });
    const first = pipeline.run('one');
    await started.promise;
    await expect(pipeline.run('two')).rejects.toMatchObject({ code: 'workspace_busy' });
    await failsWith(loop(workspace).review('two', 'x'), 'workspace_busy');
    gate.resolve();
    expect((await first).status).toBe('approved');
    expect((await loop(workspace).run('three')).status).toBe('approved');
  });

  it('a batch runs one task at a time', async () => {
    const workspace = fakeWorkspace();
    const statuses: string[] = [];
    for await (const { outcome } of runAll(loop(workspace), ['a', 'b', 'c']))
      statuses.push(outcome.status);
    expect(statuses).toEqual(['approved', 'approved', 'approved']);
  });

  it('the claim of a workspace is released, also after a refusal', async () => {
    const workspace = fakeWorkspace();
    const claims: string[] = [];
    let busy = true;
    const claiming: Workspace = {
      ...workspace,
      claim: async () => {
        if (busy) throw new Error('held elsewhere');
        claims.push('claimed');
        return { release: async () => void claims.push('released') };
      },
    };
    const pipeline = loop(workspace, { workspace: claiming });
    const { status, code, reason } = await pipeline.run('a');
    expect([status, code]).toEqual(['failed', 'port_failed']);
    expect(reason).toContain('held elsewhere');
    busy = false;
    expect((await pipeline.run('a')).status).toBe('approved');
    expect(claims).toEqual(['claimed', 'released']);
  });

  it('refuses a workspace that is none when the pipeline is built', () => {
    expect(() =>
      loop(fakeWorkspace(), { workspace: { snapshot: async () => 'x' } as unknown as Workspace }),
    ).toThrow(/workspace/);
  });
});

describe('a run with a workspace that goes on', () => {
  const ask = { question: 'is it?', allowed: ['approve', 'reject'], gaps: [] } as const;
  const asking = working('person', (context) => context.ask('ok', ask), { tier: 'confirm' });

  it('is suspended with the tree of the version in question, and approved with it, whatever happened to it meanwhile', async () => {
    const workspace = fakeWorkspace();
    const pipeline = loop(workspace, {
      reviewers: [holds(workspace, 'a.txt', 'mended'), asking],
      store: memoryStore(),
    });
    const waiting = suspended(await pipeline.run('task', { runId: 'r' }));
    expect(filesOf(workspace)).toEqual({ 'a.txt': 'draft, mended' });
    workspace.files.set('a.txt', 'edited by hand');
    workspace.files.set('new.txt', 'by hand');
    const found = await workspace.snapshot();
    const outcome = await pipeline.answer(waiting.requests[0], { kind: 'approve', by: 'ann' });
    expect(outcome).toMatchObject({ status: 'approved', workspace: waiting.workspace });
    expect(filesOf(workspace)).toEqual({ 'a.txt': 'draft, mended' });
    await workspace.restore(found);
    expect(filesOf(workspace)).toEqual({ 'a.txt': 'edited by hand', 'new.txt': 'by hand' });
  });

  it('overrides the version by its digest, which covers the tree', async () => {
    const workspace = fakeWorkspace();
    const pipeline = loop(workspace, { address: async () => 'worse', store: memoryStore() });
    const ended = await pipeline.run('task', { runId: 'r' });
    expect(ended.approved).toBe(false);
    const place = { runId: 'r', digest: ended.reviews[0]!.version };
    const outcome = await pipeline.override(place, { by: 'ann', reason: 'prototype' });
    expect(outcome).toMatchObject({ status: 'accepted', output: 'done' });
    expect(filesOf(workspace)).toEqual({ 'a.txt': 'draft' });
  });

  it('keeps what it found before it brings its own tree back, and records it', async () => {
    const workspace = fakeWorkspace();
    const store = memoryStore();
    const pipeline = loop(workspace, { store });
    await pipeline.run('task', { runId: 'r' });
    workspace.files.set('later.txt', 'work of a week');
    await pipeline.run('task', { runId: 'r' });
    expect(filesOf(workspace)).toEqual({ 'a.txt': 'draft, mended' });
    const found = (await store.read('r'))?.find(
      (record) => record.type === 'step' && record.name.startsWith('workspace/found'),
    );
    await workspace.restore((found as { workspace: string }).workspace);
    expect(workspace.files.get('later.txt')).toBe('work of a week');
  });

  it('makes a replayed step find the workspace as it left it', async () => {
    const workspace = fakeWorkspace({ log: '' });
    const write = (line: string): void =>
      void workspace.files.set('log', `${workspace.files.get('log')}${line};`);
    const done: string[] = [];
    let breaks = true;
    const pipeline = loop(workspace, {
      store: memoryStore(),
      reviewers: [holds(workspace, 'log', 'two')],
      produce: async (_, context) => {
        const step = (name: string, breaks: boolean) =>
          context.step(name, { input: name, schema: Text }, async () => {
            done.push(name);
            write(name);
            if (breaks) throw new Error('killed');
            return name;
          });
        write('before');
        await step('one', false);
        write('between');
        await step('two', breaks);
        return workspace.files.get('log') ?? '';
      },
    });
    expect((await pipeline.run('task', { runId: 'r' })).code).toBe('produce_failed');
    breaks = false;
    workspace.files.set('log', 'something else');
    const outcome = await pipeline.run('task', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'approved', output: 'before;one;between;two;' });
    expect(done).toEqual(['one', 'two', 'two']);
  });

  it('does a recorded step again that was recorded without its tree', async () => {
    const store = memoryStore();
    let produced = 0;
    const produce = async (): Promise<string> => {
      produced += 1;
      return 'done';
    };
    await pipelineOf({ store, produce }).run('task', { runId: 'r' });
    const later = pipelineOf({ store, produce, workspace: fakeWorkspace() });
    const outcome = await later.run('task', { runId: 'r' });
    expect(outcome.status).toBe('approved');
    expect(produced).toBe(2);
  });
});

it('a pipeline without a workspace records no trees and gives none', async () => {
  const store = memoryStore();
  const outcome = await pipelineOf({ store }).run('task', { runId: 'r' });
  expect('workspace' in outcome).toBe(false);
  expect(JSON.stringify(await store.read('r'))).not.toContain('workspace');
});

it('a run that ended early, and whose workspace cannot be restored says why it ended: that it timed out, or was cancelled', async () => {
  for (const [timeoutMs, status] of [
    [1000, 'timed_out'],
    [undefined, 'cancelled'],
  ] as const) {
    const clock = fakeClock();
    const stop = new AbortController();
    const begun = deferred<void>();
    const inner = fakeWorkspace({ 'a.txt': 'mine' });
    const errors: object[] = [];
    const running = pipelineOf({
      produce: () => {
        inner.files.set('a.txt', 'changed');
        begun.resolve();
        return never();
      },
      workspace: { ...inner, restore: () => Promise.reject(new Error('no disk')) },
      logger: { ...silentLogger, error: (fields) => errors.push(fields) },
      clock,
      ...(timeoutMs !== undefined && { budget: { timeoutMs } }),
    }).run('task', { signal: stop.signal });
    await begun.promise;
    if (timeoutMs === undefined) stop.abort();
    else await clock.advanceAsync(timeoutMs);
    expect(await running).toMatchObject({ status });
    expect(errors).toMatchObject([{ status }]);
  }
});

describe('the review of an output beside its files', () => {
  it('leaves these as they were, whatever a judge proposes', async () => {
    const workspace = fakeWorkspace({ 'a.txt': 'draft' });
    const mending = reviewer<string>('mending', async ({ output }) => {
      workspace.files.set('a.txt', 'done');
      return { assessments: [failed('text')], proposal: `${output}.` };
    });
    const review = await pipelineOf({ workspace, reviewers: [mending] }).review('task', 'x');
    expect(review.assessments).toMatchObject([{ verdict: 'fail' }]);
    expect(Object.fromEntries(workspace.files)).toEqual({ 'a.txt': 'draft' });
  });

  it('is cancelled where its signal is aborted before the files were saved', async () => {
    const stop = new AbortController();
    const begun = deferred<void>();
    const snapshot = () => {
      begun.resolve();
      return never<string>();
    };
    const pipeline = pipelineOf({ workspace: { snapshot, restore: async () => {} } });
    const reviewing = pipeline.review('task', 'x', { signal: stop.signal });
    const ended = expect(reviewing).rejects.toMatchObject({ code: 'cancelled' });
    await begun.promise;
    stop.abort(new Error('enough'));
    await ended;
  });
});
