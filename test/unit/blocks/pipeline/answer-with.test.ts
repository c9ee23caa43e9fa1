import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileAudit, fileStore, verifyAudit } from '@/adapters/stores/file/index.js';
import { answerWith } from '@/blocks/pipeline/answer-with.js';
import { definePipeline } from '@/blocks/pipeline/define-pipeline.js';
import type { PipelineOptions } from '@/blocks/pipeline/pipeline-options.js';
import type { HumanAnswer, HumanRequest } from '@/core/human.js';
import { digestOf } from '@/core/json.js';
import type { Outcome } from '@/core/outcome.js';
import { filePerson } from '@/faces/people/file-person.js';
import { webhook } from '@/faces/people/webhook.js';
import type { AuditEntry, AuditSink } from '@/ports/audit-chain.js';
import type { HumanGate } from '@/ports/human-gate.js';
import { memoryStore } from '@/ports/memory-store.js';
import { expectCode } from '../../../support/matchers.js';
import { tempFolder } from '../../../support/temp-folder.js';

const folder = () => tempFolder('reviewloop-people');
const requestOf = (id: string, more: Partial<HumanRequest> = {}): HumanRequest => ({
  ...{ id, runId: 'r', digest: 'd', question: 'q', gaps: [], allowed: [] },
  ...more,
});
const askedIn = (outcome: Outcome<string>): HumanRequest | undefined =>
  outcome.status === 'suspended' ? outcome.requests[0] : undefined;

const pipelineOf = (more: Partial<PipelineOptions<string, string>> = {}) =>
  definePipeline<string, string>({
    produce: async (task) => task,
    criteria: { fine: (output) => !output.includes('bad') || 'bad' },
    human: { policy: 'require' },
    ...more,
  });
const gateOf = (...answers: (HumanAnswer | undefined)[]): HumanGate & { asked: HumanRequest[] } => {
  const asked: HumanRequest[] = [];
  return {
    asked,
    ask: async (request) => {
      asked.push(request);
      return answers.shift();
    },
  };
};
const sinkOf = (): AuditSink & { entries: AuditEntry[] } => {
  const entries: AuditEntry[] = [];
  return { entries, record: async (entry) => ({ seq: entries.push(entry), hash: '0'.repeat(64) }) };
};

describe('answerWith', () => {
  it('asks until the run ends, with the texts that it is given', async () => {
    const pipeline = pipelineOf({ address: async (output) => `${output}!` });
    const gate = gateOf(
      { kind: 'revise', by: 'Ada', note: 'louder' },
      { kind: 'approve', by: 'Ada' },
    );
    const outcome = await answerWith(pipeline, await pipeline.run('x'), gate);
    expect(outcome).toMatchObject({ status: 'approved', output: 'x!' });
    expect(gate.asked).toHaveLength(2);
  });

  it('hands its signal to the person, and its store to the run', async () => {
    const { signal } = new AbortController();
    const store = memoryStore();
    const pipeline = pipelineOf();
    const outcome = await pipeline.run('x', { runId: 'r', store });
    const given: unknown[] = [];
    const gate: HumanGate = {
      ask: async (_request, _texts, options) => {
        given.push(options?.signal);
        return { kind: 'approve', by: 'Ada' };
      },
    };
    expect(await answerWith(pipeline, outcome, gate, { signal, store })).toMatchObject({
      approved: true,
    });
    expect(given).toEqual([signal]);
    await expect(answerWith(pipeline, outcome, gate, { stor: store } as never)).rejects.toThrow(
      'answerWith has no option `stor`',
    );
  });

  it('stays suspended without an answer, and leaves ended runs alone', async () => {
    const pipeline = pipelineOf();
    const suspended = await pipeline.run('x');
    expect(await answerWith(pipeline, suspended, gateOf(undefined))).toBe(suspended);
    const approved = await answerWith(pipeline, suspended, gateOf({ kind: 'approve', by: 'Ada' }));
    const gate = gateOf();
    expect(await answerWith(pipeline, approved, gate)).toBe(approved);
    expect(gate.asked).toEqual([]);
  });
});

describe('the audit log of a pipeline', () => {
  it('hears of answers and overrides with who, why, the verdict of the machine and the version (FR-060, FR-063, AC-039, RV-13)', async () => {
    const audit = sinkOf();
    const pipeline = pipelineOf({ audit });
    const first = await pipeline.run('x');
    await answerWith(pipeline, first, gateOf({ kind: 'reject', by: 'Ada', reason: 'not now' }));
    const store = pipelineOf({ audit, human: { policy: 'auto' } });
    const ended = await store.run('bad', { runId: 'o' });
    const version = digestOf(ended.output);
    expect(
      await store.override(
        { runId: 'o', digest: version },
        { by: 'Bo', reason: 'legal checked it' },
      ),
    ).toMatchObject({ status: 'accepted' });
    expect(audit.entries).toEqual([
      {
        kind: 'answer',
        who: 'Ada',
        runId: first.runId,
        version: askedIn(first)?.digest,
        request: expect.any(String),
        verdict: 'approved',
        decision: 'reject',
        reason: 'not now',
      },
      {
        kind: 'override',
        who: 'Bo',
        runId: 'o',
        version,
        verdict: `${ended.status} (${ended.code})`,
        decision: 'override',
        reason: 'legal checked it',
      },
    ]);
  });

  it('decides first: what it does not take is not decided, and can be answered again', async () => {
    let broken = true;
    const audit: AuditSink = {
      record: async () => {
        if (broken) throw new Error('disk full');
        return { seq: 1, hash: '0'.repeat(64) };
      },
    };
    const pipeline = pipelineOf({ audit });
    const suspended = await pipeline.run('x');
    const gate = (): HumanGate => gateOf({ kind: 'approve', by: 'Ada' });
    await expectCode(answerWith(pipeline, suspended, gate()), 'audit_unwritable');
    broken = false;
    expect(await answerWith(pipeline, suspended, gate())).toMatchObject({ status: 'approved' });
    expect(() => pipelineOf({ audit: {} as never })).toThrow(/audit/);
  });

  it('is not told of answers that are refused', async () => {
    const audit = sinkOf();
    const pipeline = pipelineOf({ audit });
    const suspended = await pipeline.run('x');
    await expectCode(
      answerWith(pipeline, suspended, gateOf({ kind: 'override', by: 'Ada', reason: '' })),
      'reason_required',
    );
    expect(audit.entries).toEqual([]);
  });

  it('is complete: every decision on a kept run is there, and the run keeps the mark of its last one (NFR-012, FR-064)', async () => {
    const directory = folder();
    const pipeline = pipelineOf({
      store: fileStore(directory),
      audit: fileAudit(directory),
      address: async (output) => `${output}!`,
    });
    const suspended = await pipeline.run('x', { runId: 'kept' });
    await answerWith(
      pipeline,
      suspended,
      gateOf({ kind: 'revise', by: 'Ada', note: 'louder' }, { kind: 'reject', by: 'Bo' }),
    );
    const log = await readFile(join(directory, 'audit.jsonl'), 'utf8');
    expect(log.match(/"decision":"\w+"/g)).toEqual(['"decision":"revise"', '"decision":"reject"']);
    expect(await verifyAudit(directory)).toMatchObject({ intact: true, records: 2 });
    await writeFile(join(directory, 'audit.jsonl'), `${log.split('\n')[0]}\n`);
    expect(await verifyAudit(directory)).toMatchObject({
      intact: false,
      problems: [{ problem: 'missing' }],
    });
  });
});

describe('filePerson', () => {
  it('writes the request, and takes the answer that names it', async () => {
    const directory = folder();
    const pipeline = pipelineOf();
    const suspended = await pipeline.run('x');
    const person = filePerson(directory);
    expect(
      await answerWith(pipeline, suspended, person, {
        texts: () => ({ summary: 'what came of it' }),
      }),
    ).toBe(suspended);
    const request = askedIn(suspended);
    const place = join(directory, request?.id ?? '');
    expect(JSON.parse(await readFile(join(place, 'request.json'), 'utf8'))).toMatchObject({
      schemaVersion: 1,
      request: { id: request?.id, question: request?.question },
      texts: { summary: 'what came of it' },
    });
    const put = (value: unknown) =>
      writeFile(
        join(place, 'answer.json'),
        typeof value === 'string' ? value : JSON.stringify(value),
      );
    const answer = { kind: 'approve', by: 'Ada' };
    for (const wrong of [
      '',
      'approve',
      {},
      { schemaVersion: 1, id: request?.id, digest: request?.digest, answer: { kind: 'approve' } },
    ]) {
      await put(wrong);
      await expectCode(answerWith(pipeline, suspended, person), 'answer_invalid');
    }
    await put({ schemaVersion: 1, id: request?.id, digest: 'other', answer });
    await expectCode(answerWith(pipeline, suspended, person), 'request_stale');
    await put({ schemaVersion: 1, id: request?.id, digest: request?.digest, answer });
    expect(await answerWith(pipeline, suspended, person)).toMatchObject({ status: 'approved' });
  });

  it('stays inside its folder, and says what cannot be written', async () => {
    const directory = folder();
    await filePerson(directory).ask(requestOf('../../x', { allowed: ['approve'] }));
    expect(await readFile(join(directory, '.._.._x', 'request.json'), 'utf8')).toContain(
      '"../../x"',
    );
    await writeFile(join(directory, 'file'), '');
    await expectCode(
      filePerson(join(directory, 'file')).ask(requestOf('a')),
      expect.stringMatching(/file_unreadable|output_unwritable/),
    );
    expect(() => filePerson('')).toThrow(/directory/);
  });
});

describe('webhook', () => {
  async function server(
    status: number,
  ): Promise<{ url: string; told: { headers: IncomingMessage['headers']; body: string }[] }> {
    const told: { headers: IncomingMessage['headers']; body: string }[] = [];
    const listening = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        told.push({ headers: request.headers, body });
        response.writeHead(status, { location: '/elsewhere' }).end('{"approve":true}');
      });
    });
    await new Promise<void>((done) => void listening.listen(0, '127.0.0.1', done));
    onTestFinished(() => void listening.close());
    return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}/hook`, told };
  }

  it.each([
    [undefined, undefined],
    ['https://reviews.example.org/inbox', 'https://reviews.example.org/inbox/#request/'],
    [
      'https://reviews.example.org/inbox/#token=secret',
      'https://reviews.example.org/inbox/#request/',
    ],
  ])('links to the question in the inbox at %s', async (inbox, expected) => {
    const { url, told } = await server(200);
    const notify = webhook({ url, inbox });
    const outcome = await pipelineOf({ human: { policy: 'require', notify } }).run('x');
    const request = askedIn(outcome);
    const { link } = JSON.parse(told[0]?.body ?? '');
    expect(link).toBe(expected && `${expected}${request?.runId}/${request?.id}`);
    expect(() => webhook({ url, inbox: 'reviews' })).toThrow(/a URL of http or https/);
  });

  it('tells of the question with a signature, and is never an answer', async () => {
    const { url, told } = await server(200);
    const secret = `ghp_${'a1B2c3'.repeat(6)}`;
    const notify = webhook({
      url,
      headers: async (body) => ({ 'x-signature': String(body.length) }),
    });
    const pipeline = pipelineOf({ human: { policy: 'require', notify } });
    const outcome = await pipeline.run('x');
    expect(outcome.status).toBe('suspended');
    const [first] = told;
    const request = askedIn(outcome);
    expect(JSON.parse(first?.body ?? '')).toMatchObject({
      schemaVersion: 1,
      request: { id: request?.id, digest: request?.digest },
    });
    expect(first?.headers).toMatchObject({
      'x-signature': String(first?.body.length),
      'idempotency-key': request?.id,
      'content-type': 'application/json',
    });
    if (request !== undefined) await notify({ ...request, question: `is ${secret} right?` });
    expect(told[1]?.body).not.toContain(secret);
  });

  it.each([302, 404, 500])('rejects when it is answered with %i', async (status) => {
    const { url } = await server(status);
    await expect(webhook({ url })(requestOf('i'))).rejects.toMatchObject({ code: 'notify_failed' });
    const pipeline = pipelineOf({ human: { policy: 'require', notify: webhook({ url }) } });
    expect((await pipeline.run('x')).status).toBe('suspended');
  });

  it('checks its options', () => {
    for (const options of [
      { url: 'file:///etc/passwd' },
      { url: '' },
      { url: 'http://x', timeoutMs: 0 },
      { url: 'http://x', headers: 1 },
      { url: 'http://x', nope: 1 },
    ])
      expect(() => webhook(options as never)).toThrow(/expected|no option/);
  });
});
