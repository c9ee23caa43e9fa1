import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Diff } from '@/core/diff/diff-source.js';
import { merged } from '@/faces/cli-kit/flags/merged.js';
import {
  buildStage,
  lacksModel,
  loadReviewer,
  stageSources,
} from '@/faces/commands/reviewer-stage/build-stage.js';
import { newStageRequest } from '@/faces/commands/reviewer-stage/review-diff.js';
import { planner, verifyWork } from '@/faces/commands/reviewer-stage/stage-facts.js';
import {
  readStageRequest,
  type StageRequest,
} from '@/faces/commands/reviewer-stage/stage-request.js';
import { saveRequest } from '@/faces/reports/run-folder.js';
import { folderFiles } from '@/node/store-file.js';
import type { ConfiguredReviewer } from '@/products/reviewer-stage/config.js';
import { checklistJudge } from '../../../../support/checklist-judge.js';
import { streams } from '../../../../support/command-streams.js';
import { newRepository } from '../../../../support/git-repository.js';
import { errorWith } from '../../../../support/matchers.js';
import { good, needsWork, saying } from '../../../products/reviewer-stage/support.js';
import { folderOf } from '../../cli/harness.js';
import { settings } from './stage-place.js';
import { requestOf, storedPlace, workWith } from './stored-place.js';

const off = {
  ...{ intent_alignment: false, code_quality: false, completeness: false, consistency: false },
  safety: false,
};
const own = (answer: Parameters<typeof saying>[1]): ConfiguredReviewer => ({
  dimensions: { ...off, own: saying('own', answer) },
});

async function built(
  config: ConfiguredReviewer,
  more: Partial<Parameters<typeof buildStage>[1]> = {},
) {
  const place = await storedPlace();
  const request = requestOf(place);
  const { io } = streams(place.cwd);
  const said: string[] = [];
  const stage = await buildStage(io, {
    ...{ request, config, provider: undefined, store: place.store, allowedSecrets: [] },
    say: async (lines) => void said.push(...lines),
    ...more,
  });
  const review = () =>
    stage.review(workWith(request, 'export const a = 1;\n'), { runId: request.runId });
  return { place, stage, said, review };
}
const outcomeOf = async (...args: Parameters<typeof built>) =>
  (await (await built(...args)).review()).outcome;

describe('the stage of a configuration', () => {
  it('asks its planner, as often as it may', async () => {
    const low = own(needsWork);
    expect(await outcomeOf(low)).toBe('rejected');
    const failing = await built({ ...low, replan: 'exit 3' });
    expect((await failing.review()).outcome).toBe('failed');
    expect(failing.said.join('\n')).toContain('Cycling to Planner');
    expect(await outcomeOf({ ...low, replan: 'exit 3', maxCycles: 0 })).toBe('escalated');
  });

  it('goes back to the planner after a person declined, unless it is to stop', async () => {
    const declined = async (more: ConfiguredReviewer) => {
      const { stage, review } = await built({
        ...own(good),
        ...{ humanReview: 'require', replan: 'exit 3' },
        ...more,
      });
      const { run } = await review();
      if (run.status !== 'suspended') throw new Error(run.status);
      return (await stage.answer(run.requests[0], { kind: 'reject', by: 'Ada' })).outcome;
    };
    expect(await declined({})).toBe('failed');
    expect(await declined({ onDecline: 'stop' })).toBe('declined');
  });

  it('asks the model that is given, and then leaves nothing to code alone', async () => {
    const config = { dimensions: { ...off, safety: true } };
    const provider = checklistJudge([]);
    const asked = await (await built(config, { provider })).review();
    expect(asked.decision).toBe('APPROVED');
    expect(provider.requests).toHaveLength(1);
    expect(asked.run.review?.assessments.map(({ criterion }) => criterion)).not.toContain(
      'changes',
    );
    const open = await (await built(config)).review();
    expect(open.run.review?.assessments.map(({ criterion }) => criterion)).toContain('changes');
    expect([lacksModel({ config, provider }), lacksModel({ config, provider: undefined })]).toEqual(
      [...[false, true]],
    );
    expect(lacksModel({ config: own(good), provider: undefined })).toBe(false);
  });

  it('stores lessons where it may learn', async () => {
    for (const learn of [true, undefined]) {
      const { place, review } = await built(own(needsWork), { learn });
      await review();
      expect(existsSync(join(place.cwd, '.reviewloop/lessons.jsonl'))).toBe(learn === true);
    }
  });
});

it('the commands that verify are those of the configuration, then those of the request', async () => {
  const request = requestOf(await storedPlace(), { verify: ['three'] });
  const verifyIn = (config: ConfiguredReviewer) => merged(stageSources, request, config).verify;
  expect(verifyIn({ verify: ['one', ['two', 'x']] })).toEqual(['one', ['two', 'x'], 'three']);
  expect(verifyIn({})).toEqual(['three']);
});

describe('the configuration of a review', () => {
  it('is none where none shall be read, or none is there', async () => {
    const none = { config: {}, file: false, provider: undefined };
    const cwd = await folderOf();
    expect(await loadReviewer(cwd, false)).toMatchObject({ ...none, secrets: { entries: [] } });
    expect(await loadReviewer(cwd, undefined)).toMatchObject(none);
  });

  it('names the model of its section, or else that of the whole', async () => {
    const reviewer = "provider: { id: 'own', generate: async () => ({}) }";
    const load = async (text: string) =>
      loadReviewer(
        await folderOf({ 'reviewloop.config.mjs': `export default { ${text} };` }),
        undefined,
      );
    expect(
      await load(`provider: 'openai:m', learn: true, reviewer: { ${reviewer} }`),
    ).toMatchObject({
      ...{ provider: { id: 'own' }, learn: true, file: expect.stringContaining('mjs') as string },
    });
    expect(await load("provider: 'openai:m', reviewer: { max_cycles: 1 }")).toMatchObject({
      ...{ provider: { name: 'openai:m' }, config: { maxCycles: 1 }, learn: false },
    });
  });
});

const never = new AbortController().signal;

describe('verification of work', () => {
  it('is a line for the shell or a program with arguments, each with how it ended', async () => {
    const cwd = await folderOf();
    expect(
      await verifyWork(['echo one && exit 3', ['echo', 'a  b; exit 1'], ['/nowhere/at/all']], {
        cwd,
        signal: never,
      }),
    ).toEqual([
      { name: 'echo one && exit 3', passed: false, details: 'one' },
      { name: 'echo a  b; exit 1', passed: true, details: 'a  b; exit 1' },
      {
        name: '/nowhere/at/all',
        passed: false,
        details: expect.stringContaining('/nowhere/at/all') as string,
      },
    ]);
  });

  it('keeps the end of a long output, without secrets and control characters', async () => {
    const [result] = await verifyWork(
      [
        `printf 'start\\033[31m'; head -c 9000 /dev/zero | tr '\\0' x; echo; echo AKIA${'ABCDEFGH12345678'}`,
      ],
      { cwd: await folderOf(), signal: never },
    );
    expect(result?.details).toMatch(/^\[\d+ characters left out\]\nx+\n/);
    expect(result?.details?.length).toBeLessThan(4100);
    for (const gone of ['AKIA', '\u001b', 'start']) expect(result?.details).not.toContain(gone);
  });

  it('ends with the command that the user ends', async () => {
    await expect(
      verifyWork(['sleep 60'], { cwd: await folderOf(), signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('a planner that is a command', () => {
  const parts = () => {
    const repository = newRepository();
    repository.write('a.js', 'export const a = 1;\n');
    const base = repository.commit();
    repository.write('a.js', 'export const a = 2;\n');
    const request: StageRequest = {
      ...{ kind: 'stage', schemaVersion: 2, runId: 'r', sessionId: 's', at: '' },
      ...{ cwd: repository.cwd, task: { source: 't', text: 'Change a' } },
      ...{ diff: { kind: 'working-tree', base }, paths: [], own: [], base, config: false },
      ...{ verify: [], allowTruncated: [], again: false, human: undefined, provider: undefined },
      ...{
        model: undefined,
        baseUrl: undefined,
        contextTokens: undefined,
        structured: undefined,
        providerEnv: [],
      },
    };
    const about = { verify: ['test -f a.js'], allowedSecrets: [], signal: never };
    return { request, ...about, say: async () => {} };
  };
  const work = (plan?: string) => ({
    ...{ sessionId: 's', request: 'Change a', executionResults: [], changedFiles: [] },
    verificationResults: [
      { name: 'test -f a.js', passed: false },
      { name: 'by hand', passed: true },
    ],
    ...(plan !== undefined && { plan }),
  });
  const feedback = { reason: 'no', text: 'name it b', issues: [] };

  it('prints the new plan; nothing keeps the old one, or none; its own verifications are made again', async () => {
    for (const [command, before, after] of [
      ['echo anew', 'old', 'anew'],
      ['true', 'old', 'old'],
      [['true'], undefined, undefined],
    ] as const) {
      const next = await planner(command, parts())(
        feedback as never,
        { work: work(before), cycle: 1, signal: never } as never,
      );
      expect(next.plan).toBe(after);
      expect(next.changedFiles.map(({ path }) => path)).toEqual(['a.js']);
      expect(next.verificationResults).toEqual([
        { name: 'by hand', passed: true },
        { name: 'test -f a.js', passed: true, details: '' },
      ]);
    }
  });

  it('fails the run where it fails, with the end of what it said', async () => {
    const replan = planner('cat >&2; exit 4', parts());
    await expect(
      replan(feedback as never, { work: work(), cycle: 1, signal: never } as never),
    ).rejects.toMatchObject(errorWith('address_failed', 'ended with exit code 4: name it b'));
  });
});

describe('the request of a review of a diff', () => {
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

  it('has all that another process needs to go on', () => {
    const request = requestOf(
      {
        ...{ session: 'mine', paths: ['src'], verify: ['npm test'], human: 'prompt', again: true },
        ...{ provider: 'openai:m', baseUrl: 'http://localhost', providerEnv: ['KEY'] },
      },
      { own: ['TASK.md', undefined, false], config: 'own.mjs', allowTruncated: ['big.ts'] },
    );
    expect(request).toMatchObject({
      ...{ kind: 'stage', schemaVersion: 2, sessionId: 'mine', cwd: '/shop', task },
      base: diff.base,
      ...{ diff: { kind: 'working-tree', base: diff.base }, paths: ['src'], own: ['TASK.md'] },
      ...{ config: '/shop/own.mjs', allowTruncated: ['big.ts'], verify: ['npm test'], again: true },
      ...{ human: 'prompt', provider: 'openai:m', baseUrl: 'http://localhost' },
      providerEnv: ['KEY'],
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
    const place = await folderOf({
      'runs/other/request.json': '{"runId":"other"}',
      'runs/list/request.json': '[]',
      'runs/null/request.json': 'null',
      'runs/broken/request.json': '{',
      'runs/old/request.json': '{"kind":"stage","schemaVersion":1}',
    });
    const request = requestOf({}, { config: 'own.mjs' });
    const files = folderFiles(place);
    await saveRequest(files, request);
    const read = (id: string) => readStageRequest(files, id);
    expect(await read(request.runId)).toEqual(request);
    for (const id of ['none', 'other', 'list', 'null']) expect(await read(id), id).toBeUndefined();
    for (const id of ['broken', 'old'])
      await expect(read(id), id).rejects.toMatchObject({ code: 'file_unreadable' });
  });
});
