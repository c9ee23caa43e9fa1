import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Diff } from '../../../../src/diff/diff-source.js';
import { newStageRequest } from '../../../../src/reviewer-stage/command/new-stage-request.js';
import {
  readStageRequest,
  saveStageRequest,
} from '../../../../src/reviewer-stage/command/stage-request.js';
import { streams } from '../../../support/command-streams.js';
import { folderOf } from '../../cli/harness.js';
import { settings } from './stage-place.js';

type Known = Parameters<typeof newStageRequest>[2];
const diff: Diff = { base: 'b'.repeat(40), head: 'working-tree', files: [], text: '' };
const task = { source: 'TASK.md', text: 'Add tea' };

/** The request of a command in /shop. */
function requestOf(more: Partial<typeof settings> = {}, known: Partial<Known> = {}) {
  return newStageRequest(
    streams('/shop').io,
    { ...settings, ...more },
    { diff, own: [], config: false, allowTruncated: [], task, again: undefined, ...known },
  );
}

describe('the request of a review of a diff', () => {
  it('has all that another process needs to go on', () => {
    const request = requestOf(
      {
        ...{ session: 'mine', paths: ['src'], verify: ['npm test'], human: 'prompt', again: true },
        ...{ provider: 'openai:m', baseUrl: 'http://localhost', providerEnv: ['KEY'] },
      },
      { own: ['TASK.md', undefined, false], config: 'own.mjs', allowTruncated: ['big.ts'] },
    );
    expect(request).toMatchObject({
      ...{
        kind: 'stage',
        schemaVersion: 2,
        sessionId: 'mine',
        cwd: '/shop',
        task,
        base: diff.base,
      },
      ...{ diff: { kind: 'working-tree', base: diff.base }, paths: ['src'], own: ['TASK.md'] },
      ...{ config: '/shop/own.mjs', allowTruncated: ['big.ts'], verify: ['npm test'], again: true },
      ...{
        human: 'prompt',
        provider: 'openai:m',
        baseUrl: 'http://localhost',
        providerEnv: ['KEY'],
      },
      process: { pid: process.pid, place: expect.stringMatching(/./) as string },
    });
    expect(request).not.toHaveProperty('command');
    expect(new Date(request.at).toISOString()).toBe(request.at);
  });

  it('has an id of its own, and a session that begins like it', () => {
    const [one, two] = [requestOf(), requestOf()];
    expect(one.runId).not.toBe(two.runId);
    expect(one.sessionId).toBe(one.runId.slice(0, 13));
    expect(requestOf().config).toBe(false);
  });

  it('keeps a range and the stage as they were named', () => {
    expect(requestOf({ diff: 'A..B' }).diff).toEqual({ kind: 'range', range: 'A..B' });
    expect(requestOf({ diff: undefined, staged: true }).diff).toEqual({ kind: 'staged' });
    expect(requestOf({ diff: 'HEAD~3' }).diff).toEqual({ kind: 'working-tree', base: diff.base });
  });

  it('has the command that repeats it in its session, without secrets', () => {
    const secret = `ghp_${'a1B2c3'.repeat(6)}`;
    const asked: object[] = [];
    const { command, sessionId } = requestOf(
      {},
      {
        again: (more) => {
          asked.push(more);
          return ['--task-text', `use ${secret}`];
        },
      },
    );
    expect(command).toMatch(/^reviewloop review --task-text /);
    expect(command).not.toContain(secret);
    expect(asked).toEqual([{ fix: false, write: false, session: sessionId }]);
  });

  it('is read as it was stored; what is no such request is refused or left alone', async () => {
    const store = await folderOf({
      'runs/other/request.json': '{"runId":"other"}',
      'runs/list/request.json': '[]',
      'runs/null/request.json': 'null',
      'runs/broken/request.json': '{',
      'runs/old/request.json': '{"kind":"stage","schemaVersion":1}',
    });
    const request = requestOf({}, { config: 'own.mjs' });
    await saveStageRequest(store, request);
    const read = (id: string) => readStageRequest(join(store, 'runs', id));
    expect(await read(request.runId)).toEqual(request);
    for (const id of ['none', 'other', 'list', 'null']) expect(await read(id), id).toBeUndefined();
    for (const id of ['broken', 'old'])
      await expect(read(id), id).rejects.toMatchObject({ code: 'file_unreadable' });
  });
});
