import Libsql from 'libsql';
import { describe, expectTypeOf, it } from 'vitest';
import type { SqliteRow } from '@/adapters/stores/sqlite/driver.js';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import type { AuditSink, LessonStore, Store, VerdictStore } from '@/index.js';
import type { AttemptStore, TaskReviewOptions } from '@/products/task-review/index.js';

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

  it('keeps attempts for the review of tasks, by the one port', () => {
    const { attempts } = sqliteStore('runs.db');
    expectTypeOf(attempts).toEqualTypeOf<AttemptStore>();
    expectTypeOf(attempts).toExtend<TaskReviewOptions['attempts']>();
    // @ts-expect-error: not the whole of an attempt
    void attempts.record({ taskId: 'a', reviewStatus: 'passed' });
  });
});
