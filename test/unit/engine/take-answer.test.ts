import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileStore } from '@/adapters/stores/file/index.js';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import { inboxHandler } from '@/faces/inbox/index.js';
import { runReport } from '@/faces/reports/index.js';
import {
  type AuditSink,
  type HumanAnswer,
  memoryStore,
  type Outcome,
  type PipelineOptions,
  ReviewLoopError,
  type Store,
} from '@/index.js';
import type { AuditEntry } from '@/ports/audit-chain.js';
import { fakeClock } from '@/testing/index.js';
import { tempFolder } from '../../support/temp-folder.js';
import { auditList, origin, posted, token } from '../../support/waiting-runs.js';
import { asksAbout, failing, openCheck, pipelineOf, suspended } from './support.js';

/** A pipeline with an audit log, and its records. */
function recording(more: Partial<PipelineOptions<string, string>> = {}) {
  const entries: AuditEntry[] = [];
  const store: Store = memoryStore();
  const pipeline = pipelineOf({
    produce: async () => 'draft',
    criteria: { long: () => true },
    store,
    clock: fakeClock(77),
    audit: { record: async (entry) => ({ seq: entries.push(entry), hash: '0'.repeat(64) }) },
    ...more,
  });
  const answers = async () =>
    ((await store.read('r')) ?? []).filter(({ type }) => type === 'answer');
  return { pipeline, entries, answers, store };
}

describe('the records of an answer', () => {
  it('say what reviewers had approved', async () => {
    const { pipeline, entries, answers } = recording({ human: { policy: 'require' } });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    const { id, digest } = request;
    const outcome = await pipeline.answer(request, { kind: 'approve', by: 'Ann', reason: 'good' });
    expect(outcome.status).toBe('approved');
    const audited = { kind: 'answer', who: 'Ann', runId: 'r', version: digest, request: id };
    expect(entries).toStrictEqual([
      { ...audited, verdict: 'approved', decision: 'approve', reason: 'good' },
    ]);
    expect(await answers()).toEqual([
      {
        type: 'answer',
        id,
        digest,
        answer: { kind: 'approve', by: 'Ann', reason: 'good' },
        at: 77,
      },
    ]);
  });

  it('say that reviewers had not approved, and that the answer is an override', async () => {
    const { pipeline, entries } = recording({
      criteria: { long: () => 'too short' },
      policy: () => ({ kind: 'ask', reason: 'hm', question: 'well?', allowed: ['override'] }),
    });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    await pipeline.answer(request, { kind: 'override', by: 'Ann', reason: 'a draft' });
    expect(entries).toMatchObject([
      { kind: 'override', verdict: 'not approved', decision: 'override', reason: 'a draft' },
    ]);
    expect(entries[0]).not.toHaveProperty('details');
  });

  it('have the note of a revision', async () => {
    const { pipeline, entries } = recording({
      human: { policy: 'require' },
      address: async (text) => `${text}!`,
    });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    await pipeline.answer(request, { kind: 'revise', by: 'Ann', note: 'louder' });
    expect(entries).toMatchObject([{ decision: 'revise', reason: 'louder' }]);
  });

  it('of an override of an ended run say how it had ended', async () => {
    const { pipeline, entries, answers } = recording({ reviewers: [failing('a')] });
    const ended = await pipeline.run('task', { runId: 'r' });
    const digest = ended.version ?? '';
    const given = { by: 'Ann', reason: 'a draft' };
    const outcome = await pipeline.override({ runId: 'r', digest }, given);
    expect(outcome).toMatchObject({
      status: 'accepted',
      code: 'person_overrode',
      decidedBy: 'Ann',
      acceptance: { kind: 'override', ...given },
    });
    expect(entries).toStrictEqual([
      {
        ...{ kind: 'override', who: 'Ann', runId: 'r', version: digest, decision: 'override' },
        ...{ verdict: `${ended.status} (${ended.code})`, reason: 'a draft' },
      },
    ]);
    expect(await answers()).toMatchObject([{ digest, answer: { kind: 'override' }, at: 77 }]);
  });

  it('of decisions have each of them, and what was asked', async () => {
    const reviewers = [openCheck('tone'), openCheck('colour')];
    const human = { policy: 'auto', notify: async () => {} } as const;
    const { pipeline, entries, answers } = recording({ reviewers, human });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    const decisions = { tone: 'yes' } as const;
    await pipeline.answer(request, { kind: 'decide', by: 'Ann', decisions });
    expect(entries).toMatchObject([
      { kind: 'answer', verdict: 'not approved', decision: 'decide', details: decisions },
    ]);
    expect(entries[0]).not.toHaveProperty('reason');
    const questions = { tone: 'Is tone met?', colour: 'Is colour met?' };
    expect(await answers()).toMatchObject([{ id: request.id, questions }]);
  });

  it('of decisions about an ended run have them too, the last one counts', async () => {
    const reviewers = [openCheck('tone'), openCheck('colour')];
    const { pipeline, entries, answers } = recording({ reviewers });
    const { version: digest = '' } = await pipeline.run('task', { runId: 'r' });
    const decide = (decisions: Record<string, 'yes' | 'no'>, by: string) =>
      pipeline.decide({ runId: 'r', digest }, { by, decisions, reason: `by ${by}` });
    await decide({ tone: 'no' }, 'Ann');
    expect(entries).toMatchObject([
      { kind: 'answer', version: digest, decision: 'decide', details: { tone: 'no' } },
    ]);
    expect(entries[0]).not.toHaveProperty('request');
    const outcome = await decide({ tone: 'yes', colour: 'yes' }, 'Bo');
    expect(outcome.status).toBe('approved');
    expect(outcome.review?.assessments).toMatchObject([
      { criterion: 'long' },
      { criterion: 'tone', decidedBy: 'Bo', explanation: 'decided by Bo: by Bo' },
      { criterion: 'colour', decidedBy: 'Bo' },
    ]);
    const records = await answers();
    const questions = { tone: 'Is tone met?', colour: 'Is colour met?' };
    expect(records[0]).toMatchObject({ digest, questions, at: 77 });
    expect(new Set(records.map((record) => 'id' in record && record.id)).size).toBe(records.length);
  });
});

/** A pipeline whose reviewer fails, and what its audit log is given. */
function audited(more: Partial<PipelineOptions<string, string>> = {}) {
  const entries: AuditEntry[] = [];
  const audit: AuditSink = {
    record: async (entry) => ({ seq: entries.push(entry), hash: 'f'.repeat(64) }),
  };
  const pipeline = pipelineOf({
    produce: async () => 'v1',
    criteria: { a: () => 'no' },
    policy: asksAbout,
    audit,
    ...more,
  });
  return { entries, pipeline };
}

it('the entry of an audit log about an answer names its question, and has neither a reason nor details that nobody gave', async () => {
  const { entries, pipeline } = audited();
  const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
  await pipeline.answer(request, { kind: 'skip', by: 'Ann' });
  expect(entries).toStrictEqual([
    {
      kind: 'answer',
      who: 'Ann',
      runId: 'r',
      version: request.digest,
      request: request.id,
      verdict: 'not approved',
      decision: 'skip',
    },
  ]);
});

describe('an audit log that fails', () => {
  const answered = async (thrown: unknown) => {
    const { pipeline } = audited({ audit: { record: () => Promise.reject(thrown) } });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    return pipeline.answer(request, { kind: 'approve', by: 'Ann', reason: 'fine' });
  };

  it('with an error of its own keeps its code', async () => {
    const thrown = new ReviewLoopError('invalid_options', 'the entry is refused');
    await expect(answered(thrown)).rejects.toBe(thrown);
  });

  it('with any other one is named, and tells why', async () => {
    const thrown = new Error('disk full');
    await expect(answered(thrown)).rejects.toMatchObject({
      code: 'audit_unwritable',
      cause: thrown,
    });
  });
});

// put together here, so that no tool takes this file for a leak
const secret = `ghp_${'a1B2c3'.repeat(6)}`;

const words = `the key is ${secret}`;

const clean = 'the key is [REDACTED:github]';

const answers: readonly HumanAnswer[] = [
  { kind: 'approve', by: 'ann', reason: words },
  { kind: 'reject', by: 'ann', reason: words },
  { kind: 'revise', by: 'ann', note: words },
  { kind: 'skip', by: 'ann', reason: words },
  { kind: 'override', by: 'ann', reason: words },
  { kind: 'decide', by: 'ann', decisions: { tone: 'no' }, reason: words },
];

const kinds = answers.map((answer) => [answer.kind, answer] as const);

const stores: Readonly<Record<string, (folder: string) => Store>> = {
  memory: () => memoryStore(),
  file: (folder) => fileStore(folder),
  sqlite: (folder) => sqliteStore(join(folder, 'db.sqlite')),
};

/** A run that waits, and everything that anybody hears, reads or finds about it. */
async function waiting(kind: HumanAnswer['kind'], storeOf: (folder: string) => Store) {
  const folder = tempFolder('reviewloop-answers');
  const store = storeOf(folder);
  const audit = auditList();
  const heard: unknown[] = [];
  let version = 0;
  const pipeline = pipelineOf({
    produce: async () => 'work',
    address: async (_, gaps, { note }) => {
      heard.push(gaps, note);
      version += 1;
      return `work ${version}`;
    },
    criteria: {
      tone: () =>
        kind === 'decide'
          ? { passed: false, score: 0, details: '', undecided: 'nobody knows' }
          : true,
      strict: () => (kind === 'override' ? 'no' : true),
    },
    human: { policy: 'require', notify: async () => {} },
    budget: { reviews: 3 },
    store,
    audit,
    ...(kind !== 'decide' && {
      policy: () => ({
        kind: 'ask' as const,
        question: 'fine?',
        reason: 'a person decides',
        allowed: ['approve', 'reject', 'revise', 'skip', 'override'] as const,
      }),
    }),
  });
  pipeline.on('run-end', (event) => heard.push(event));
  pipeline.on('review-end', (event) => heard.push(event));
  const outcome = suspended(await pipeline.run('task', { runId: 'r' }));
  const everything = async (end: unknown): Promise<string> => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
    const told = [end, audit.entries, heard, await store.read('r')];
    return `${JSON.stringify(told)}${files.join('\n')}`;
  };
  return { pipeline, store, audit, outcome, everything };
}

describe.each(Object.entries(stores))('a key in an answer, over the %s store', (_, storeOf) => {
  it.each(kinds)('%s is neither stored nor told [R2-074]', async (kind, answer) => {
    const { pipeline, outcome, everything, audit } = await waiting(kind, storeOf);
    const end: Outcome<string> = await pipeline.answer(outcome.requests[0], answer);
    const all = await everything([end, runReport(end)]);
    expect(all).not.toContain(secret);
    expect(all).toContain(clean);
    expect(audit.entries[0]?.reason).toBe(clean);
  });

  it.each(kinds)(
    '%s through the inbox is neither stored nor told [R2-074]',
    async (kind, given) => {
      const { by: _by, ...answer } = given;
      const { pipeline, store, audit, outcome, everything } = await waiting(kind, storeOf);
      let end: unknown;
      const handle = inboxHandler({
        store,
        audit,
        answer: async (reference, checked) => {
          expect(JSON.stringify(checked)).not.toContain(secret);
          end = await pipeline.answer(reference, checked);
          return end as Outcome<string>;
        },
        token,
        by: 'ann',
        origins: [origin],
      });
      const response = await handle(posted(outcome.requests[0], answer));
      const said = await response.text();
      expect(response.status, said).toBe(200);
      expect(said).not.toContain(secret);
      const all = await everything(end);
      expect(all).not.toContain(secret);
      expect(all).toContain(clean);
    },
  );
});

it('a key in an override or in decisions after the end is neither stored nor told [R2-074]', async () => {
  const store = memoryStore();
  const audit = auditList();
  const pipeline = pipelineOf({
    produce: async () => 'work',
    criteria: {
      tone: () => ({ passed: false, score: 0, details: '', undecided: 'nobody knows' }),
      other: () => ({ passed: false, score: 0, details: '', undecided: 'nobody knows' }),
    },
    store,
    audit,
  });
  const first = await pipeline.run('task', { runId: 'r' });
  const reference = { runId: 'r', digest: first.version ?? '' };
  const decided = await pipeline.decide(reference, {
    by: 'ann',
    decisions: { tone: 'yes' },
    reason: words,
  });
  const over = await pipeline.override(reference, { by: 'ann', reason: words });
  expect(over).toMatchObject({ status: 'accepted', acceptance: { reason: clean } });
  const all = JSON.stringify([decided, over, audit.entries, await store.read('r')]);
  expect(all).not.toContain(secret);
  expect(audit.entries.map(({ reason }) => reason)).toEqual([clean, clean]);
});

describe('a reference to a run', () => {
  const pipeline = pipelineOf({});
  const good = { runId: 'r', id: 'a', digest: 'b' };

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'r'],
    ['no run', { ...good, runId: undefined }],
    ['an id that no run can have', { ...good, runId: 'a b' }],
    ['no digest', { ...good, digest: undefined }],
    ['a digest that is none', { ...good, digest: 7 }],
  ])('that has %s is refused as such', async (_, wrong) => {
    const refused = (name: string) => ({
      code: 'invalid_options',
      message: expect.stringContaining(`\`${name}\``),
    });
    const approve = { kind: 'approve', by: 'Ann' } as const;
    await expect(async () => pipeline.answer(wrong as never, approve)).rejects.toMatchObject(
      refused('request'),
    );
    const given = { by: 'Ann', reason: 'prototype' };
    await expect(async () => pipeline.override(wrong as never, given)).rejects.toMatchObject(
      refused('version'),
    );
    const decisions = { by: 'Ann', decisions: { a: 'yes' } } as const;
    await expect(async () => pipeline.decide(wrong as never, decisions)).rejects.toMatchObject(
      refused('version'),
    );
  });
});
