import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inboxHandler } from '../../../src/inbox/index.js';
import {
  definePipeline,
  type HumanAnswer,
  memoryStore,
  type Outcome,
  type Store,
} from '../../../src/index.js';
import { runReport } from '../../../src/reports/index.js';
import { fileStore } from '../../../src/stores/file/index.js';
import { sqliteStore } from '../../../src/stores/sqlite/index.js';
import { auditList, origin, posted, token } from '../../support/waiting-runs.js';
import { suspended } from './support.js';

// put together here, so that no tool takes this file for a leak
const secret = `ghp_${'a1B2c3'.repeat(6)}`;
const words = `the key is ${secret}`;
const clean = 'the key is [REDACTED:github-token]';

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
  const folder = mkdtempSync(join(tmpdir(), 'reviewloop-answers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = storeOf(folder);
  const audit = auditList();
  const heard: unknown[] = [];
  let version = 0;
  const pipeline = definePipeline<string, string>({
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
  const pipeline = definePipeline<string, string>({
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
