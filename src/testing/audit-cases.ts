import {
  AuditChain,
  type AuditEntry,
  AuditMarkSchema,
  type AuditRecord,
  type AuditSink,
  auditLine,
} from '../ports/audit-chain.js';
import {
  ensure,
  ensureEqual,
  ensureRefused,
  type StoreCase,
  type StoreCases,
} from './contract-case.js';

const entry: AuditEntry = { kind: 'answer', who: 'Ada', decision: 'approve' };

const cases: readonly StoreCase<AuditSink>[] = [
  {
    name: 'records are numbered from 1, and each mark has a hash of its own',
    run: async (sink) => {
      const marks = [];
      for (const who of ['Ada', 'Ben', 'Ada']) marks.push(await sink.record({ ...entry, who }));
      for (const mark of marks)
        ensure(
          AuditMarkSchema.safeParse(mark).success,
          `a mark must be { seq, hash } with a SHA-256, got ${JSON.stringify(mark)}`,
        );
      ensureEqual(
        marks.map(({ seq }) => seq),
        [1, 2, 3],
        'the numbers',
      );
      ensure(new Set(marks.map(({ hash }) => hash)).size === 3, 'equal entries need two hashes');
    },
  },
  {
    name: 'a malformed entry is refused with invalid_options and takes no number',
    run: async (sink) => {
      await sink.record(entry);
      await ensureRefused((wrong) => sink.record(wrong), entry, {
        ...{ kind: ['', 'two words'], who: [''], runId: [7], details: [{ a: 1 }], unknown: ['x'] },
      });
      ensureEqual((await sink.record(entry)).seq, 2, 'the next number');
    },
  },
  {
    name: 'concurrent records get numbers without a gap, each once',
    run: async (sink) => {
      const marks = await Promise.all(
        Array.from({ length: 40 }, (_, index) => sink.record({ ...entry, who: `person ${index}` })),
      );
      ensureEqual(
        marks.map(({ seq }) => seq).sort((a, b) => a - b),
        marks.map((_, index) => index + 1),
        'the numbers',
      );
    },
  },
];

/** Returns the records of the log of a place, the oldest first. */
type ReadRecords = (place: string) => Promise<readonly AuditRecord[]>;

function readCases(read: ReadRecords): readonly StoreCase<AuditSink>[] {
  return [
    {
      name: 'an entry is read back whole, with any text',
      run: async (sink, _, place) => {
        const odd =
          'line\nbreak "quotes" \'); DROP TABLE audit; -- \u2028 ü 😀 \u0000 \ud800 __proto__';
        const whole: AuditEntry = {
          kind: 'override',
          who: odd,
          runId: 'a run',
          version: 'digest',
          request: 'a request',
          verdict: odd,
          decision: odd,
          reason: odd,
          details: { note: odd },
        };
        const { seq, hash } = await sink.record(whole);
        const [record, ...more] = await read(place);
        ensure(more.length === 0, 'one entry must be one record');
        const { schema, at, previous, ...rest } = record ?? {};
        ensureEqual(rest, { ...whole, seq, hash }, 'the record');
        ensureEqual(schema, 1, 'the schema');
        ensure(!Number.isNaN(Date.parse(at ?? '')), `the time must be ISO 8601, got ${at}`);
        ensureEqual(previous, '0'.repeat(64), 'the hash before the first record');
      },
    },
    {
      name: 'secrets are removed before a record is stored',
      run: async (sink, _, place) => {
        const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
        await sink.record({ ...entry, reason: `use ${secret}`, details: { note: secret } });
        ensure(
          !JSON.stringify(await read(place)).includes(secret),
          'a secret in a reason must not be stored',
        );
      },
    },
    {
      name: 'records form one chain, also of concurrent writers, and nothing is lost',
      run: async (sink, _, place) => {
        const people = Array.from({ length: 40 }, (_, index) => `person ${index}`);
        const marks = await Promise.all(people.map((who) => sink.record({ ...entry, who })));
        const records = await read(place);
        const chain = new AuditChain();
        for (const record of records)
          for (const { what } of chain.next(auditLine(record)).problems) ensure(false, what);
        ensureEqual(records.map(({ who }) => who).sort(), [...people].sort(), 'the people');
        for (const { seq, hash } of marks)
          ensureEqual(records[seq - 1]?.hash, hash, `the hash of record ${seq}`);
      },
    },
  ];
}

const reopened: readonly StoreCase<AuditSink>[] = [
  {
    name: 'numbers go on when the log is opened again',
    run: async (sink, reopen) => {
      await sink.record(entry);
      ensureEqual((await (await reopen()).record(entry)).seq, 2, 'the next number');
    },
  },
];

export function auditCases(read: ReadRecords | undefined): StoreCases<AuditSink> {
  return { cases: read === undefined ? cases : [...cases, ...readCases(read)], reopened };
}
