import { definePipeline } from '@/index.js';
import type { AuditEntry, AuditSink } from '@/ports/audit-chain.js';
import type { Clock } from '@/ports/clock.js';
import { memoryStore } from '@/ports/memory-store.js';
import type { Store } from '@/ports/store.js';

/** The token of the inboxes of tests. */
export const token = 't'.repeat(40);
/** The address under which tests open the inbox. */
export const origin = 'http://127.0.0.1:4000';

/** A log of decisions that a test reads, or that refuses to write. */
export function auditList(fails = false): AuditSink & { readonly entries: AuditEntry[] } {
  const entries: AuditEntry[] = [];
  return {
    entries,
    record: async (entry) => {
      if (fails) throw new Error('the disk is full');
      entries.push(entry);
      return { seq: entries.length, hash: '0'.repeat(64) };
    },
  };
}

/** A pipeline whose runs wait for a person. */
export function askingPipeline(store: Store = memoryStore(), audit?: AuditSink, clock?: Clock) {
  return definePipeline({
    name: 'letters',
    produce: async (task: string) => `Dear reader, ${task}`,
    address: async (output) => `${output}!`,
    criteria: { long: (text: string) => text.length > 5 || 'too short' },
    human: { policy: 'require' },
    store,
    ...(audit !== undefined && { audit }),
    ...(clock !== undefined && { clock }),
  });
}

/** A run that waits for a person, and what answers it. */
export async function waitingRun(task = 'welcome', audit?: AuditSink) {
  const store = memoryStore();
  const pipeline = askingPipeline(store, audit);
  const outcome = await pipeline.run(task);
  if (outcome.status !== 'suspended') throw new Error(outcome.reason);
  const { answer } = pipeline;
  return { store, pipeline, outcome, answer, request: outcome.requests[0] };
}

/** A request to an inbox, as the page of the inbox sends it. */
export function asked(
  path: string,
  init: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> } = {},
): Request {
  return new Request(`${origin}${path}`, {
    ...init,
    headers: {
      host: '127.0.0.1:4000',
      authorization: `Bearer ${token}`,
      'sec-fetch-site': 'same-origin',
      ...(init.method === 'POST' && { origin, 'content-type': 'application/json' }),
      ...init.headers,
    },
  });
}

/** The request that answers a question. */
export function posted(
  reference: { readonly runId: string; readonly id: string; readonly digest: string },
  answer: unknown,
  headers: Readonly<Record<string, string>> = {},
): Request {
  const { runId, digest } = reference;
  return asked(`/api/requests/${reference.id}/answer`, {
    method: 'POST',
    body: JSON.stringify({ runId, digest, answer }),
    headers,
  });
}

/** Runs of a pipeline of code: `Ticket-20` is approved, `ticket-17` waits. */
export async function runsOfCode(store: Store): Promise<void> {
  const pipeline = {
    name: 'replies',
    produce: async (ticket: string) => `We refund ${ticket}.`,
    criteria: { polite: (reply: string) => reply.length > 3 || 'too short' },
    store,
  };
  await definePipeline(pipeline).run('40 EUR', { runId: 'Ticket-20' });
  await definePipeline({ ...pipeline, human: { policy: 'require' } }).run('50 EUR', {
    runId: 'ticket-17',
  });
}
