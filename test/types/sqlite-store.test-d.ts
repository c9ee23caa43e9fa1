import Libsql from 'libsql';
import { describe, expectTypeOf, it } from 'vitest';
import type { AuditSink, LessonStore, Store, VerdictStore } from '../../src/index.js';
import { type Attempt, type AttemptEntry, type SqliteRow, sqliteStore } from '../../src/stores/sqlite/index.js';

describe('sqliteStore', () => {
  it('is a store, with the other ports as members', () => {
    const store = sqliteStore('runs.db');
    expectTypeOf(store).toExtend<Store>();
    expectTypeOf(store.verdicts).toExtend<VerdictStore>();
    expectTypeOf(store.lessons).toExtend<LessonStore>();
    expectTypeOf(store.audit).toExtend<AuditSink>();
    expectTypeOf(store.query).returns.resolves.toEqualTypeOf<readonly SqliteRow[]>();
  });

  it('takes connections of libsql, and nothing that is none', () => {
    sqliteStore(new Libsql('runs.db'));
    // @ts-expect-error: no connection
    sqliteStore({ exec: () => {} });
    // @ts-expect-error: no option
    sqliteStore('runs.db', { timeout: 1 });
  });

  it('records attempts', () => {
    const { attempts } = sqliteStore('runs.db');
    expectTypeOf(attempts.record).parameter(0).toEqualTypeOf<AttemptEntry>();
    expectTypeOf(attempts.last).returns.resolves.toEqualTypeOf<Attempt | undefined>();
    // @ts-expect-error: no verdict
    void attempts.record({ taskId: 'a', reviewStatus: 'fine' });
  });
});
