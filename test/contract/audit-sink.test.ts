import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileAudit, verifyAudit } from '@/adapters/stores/file/index.js';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import {
  type AuditEntry,
  type AuditMark,
  type AuditRecord,
  type AuditSink,
  auditLine,
  checkedEntry,
  nextRecord,
} from '@/ports/audit-chain.js';
import { auditSinkContract } from '@/testing/index.js';
import { newDirectory } from '../unit/adapters/stores/file-support.js';
import { faultsOf } from './faults.js';

interface Place {
  readonly open: () => AuditSink;
  readonly read: () => Promise<readonly AuditRecord[]>;
}

const places: Readonly<Record<string, () => Place>> = {
  fileAudit: () => {
    const folder = newDirectory();
    return {
      open: () => fileAudit(folder),
      read: async () => {
        const records: AuditRecord[] = [];
        await verifyAudit(folder, { onRecord: (record) => void records.push(record) });
        return records;
      },
    };
  },
  'the audit log of sqliteStore': () => {
    const folder = newDirectory();
    mkdirSync(folder, { recursive: true });
    const store = sqliteStore(join(folder, 'runs.db'));
    return {
      open: () => sqliteStore(join(folder, 'runs.db')).audit,
      read: async () => {
        const records: AuditRecord[] = [];
        await store.verifyAudit({ onRecord: (record) => void records.push(record) });
        return records;
      },
    };
  },
};

for (const [name, makePlace] of Object.entries(places)) {
  describe(`${name} keeps the contract of audit sinks`, () => {
    const made = new Map<AuditSink, Place>();
    const placeOf = (sink: AuditSink): Place => made.get(sink) ?? makePlace();
    const make = (): AuditSink => {
      const place = makePlace();
      const sink = place.open();
      made.set(sink, place);
      return sink;
    };
    for (const { name: title, run } of auditSinkContract(make, {
      read: (sink) => placeOf(sink).read(),
      reopen: (sink) => placeOf(sink).open(),
    }))
      it(title, run);
  });
}

describe('auditSinkContract finds sinks that break it', () => {
  /** A log in an array, and how one of its records comes about. */
  const listed = new Map<AuditSink, AuditRecord[]>();
  const logOf = (
    make: (entry: AuditEntry, records: AuditRecord[]) => Promise<AuditMark> | AuditMark,
  ): AuditSink => {
    const records: AuditRecord[] = [];
    const sink = { record: async (entry: AuditEntry) => make(entry, records) };
    listed.set(sink, records);
    return sink;
  };
  const append = (entry: AuditEntry, records: AuditRecord[]): AuditMark => {
    const record = nextRecord(checkedEntry(entry), { last: records.at(-1), at: '2026-01-01' });
    records.push(record);
    return { seq: record.seq, hash: record.hash };
  };
  const broken = async (makeSink: () => AuditSink, reopen?: () => AuditSink): Promise<string> => {
    const cases = auditSinkContract(makeSink, {
      read: async (sink) => listed.get(sink) ?? [],
      reopen,
    });
    return (await faultsOf(cases)).join('\n');
  };

  it('none of which is the yardstick: a chained array', async () =>
    expect(await broken(() => logOf(append))).toBe(''));

  it.each<[string, Parameters<typeof logOf>[0], RegExp]>([
    [
      'one that takes any entry',
      (entry, records) => {
        const record = nextRecord(entry, { last: records.at(-1), at: '2026-01-01' });
        records.push(record);
        return record;
      },
      /must be refused/,
    ],
    [
      'one that returns before two writers have their own number',
      async (entry, records) => {
        const last = records.at(-1);
        await Promise.resolve();
        const record = nextRecord(checkedEntry(entry), { last, at: '2026-01-01' });
        records.push(record);
        return { seq: record.seq, hash: record.hash };
      },
      /the numbers: expected/,
    ],
    [
      'one that merges equal entries',
      (entry, records) => {
        const known = records.find(({ who }) => who === entry.who);
        return known === undefined ? append(entry, records) : { seq: known.seq, hash: known.hash };
      },
      /the numbers: expected/,
    ],
    [
      'one that drops the reason',
      ({ reason: _, ...entry }, records) => append(entry, records),
      /the record: expected/,
    ],
    [
      'one that stores secrets',
      (entry, records) => {
        const mark = append(entry, records);
        const [record] = records.splice(-1);
        if (record !== undefined) records.push({ ...record, reason: entry.reason });
        return mark;
      },
      /a secret in a reason/,
    ],
    [
      'one whose records are not chained',
      (entry, records) => {
        const { seq } = append(entry, records);
        const [record] = records.splice(-1);
        const loose = nextRecord(checkedEntry(entry), { last: undefined, at: '2026-01-01' });
        if (record !== undefined) records.push({ ...record, ...loose, seq });
        return { seq, hash: loose.hash };
      },
      /was changed after it was written|does not follow/,
    ],
  ])('%s', async (_, make, expected) => {
    expect(await broken(() => logOf(make))).toMatch(expected);
  });

  it('one that begins anew when it is opened again', async () => {
    const found = await broken(
      () => logOf(append),
      () => logOf(append),
    );
    expect(found).toMatch(/the next number: expected 2, got 1/);
  });
});

it('a record in a file is the line that the chain checks', async () => {
  const folder = newDirectory();
  await fileAudit(folder).record({ kind: 'answer', who: 'Ada' });
  const records: AuditRecord[] = [];
  await verifyAudit(folder, { onRecord: (record) => void records.push(record) });
  const text = readFileSync(join(folder, 'audit.jsonl'), 'utf8');
  expect(text).toBe(records.map((record) => `${auditLine(record)}\n`).join(''));
});
