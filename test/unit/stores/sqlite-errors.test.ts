import { describe, expect, it } from 'vitest';
import { ReviewLoopError } from '../../../src/core/errors.js';
import { storeErrors } from '../../../src/stores/errors.js';
import { databaseError, isBusy } from '../../../src/stores/sqlite/database-errors.js';
import { stateOf } from '../../../src/stores/sqlite/run-writer.js';
import { fakeClock } from '../../../src/testing/index.js';

const otherwise = { error: 'journal_write_failed', what: 'cannot be written' } as const;
const errorOf = (error: unknown): unknown => databaseError('runs.db', error, otherwise);

describe('errors of drivers', () => {
  it.each([
    [
      'libsql and better-sqlite3, by their code',
      Object.assign(new Error('locked'), { code: 'SQLITE_BUSY_SNAPSHOT' }),
      'store_busy',
    ],
    [
      'node:sqlite, by its extended number',
      Object.assign(new Error('locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 | (2 << 8) }),
      'store_busy',
    ],
    [
      'node:sqlite, of a file that is no database',
      Object.assign(new Error('no'), { errcode: 26 }),
      'journal_corrupt',
    ],
    [
      'node:sqlite, by a number that says nothing',
      Object.assign(new Error('no'), { errcode: 1 }),
      'journal_write_failed',
    ],
    [
      'libsql when it connects',
      new Error('ConnectionFailed("Unable to open: 11")'),
      'journal_corrupt',
    ],
    [
      'libsql when it connects, by a number that says nothing',
      new Error('ConnectionFailed("Unable to open: 1")'),
      'journal_write_failed',
    ],
    ['an error of another kind', new Error('disk gone'), 'journal_write_failed'],
    ['what is no error', 'disk gone', 'journal_write_failed'],
  ])('of %s', (_, error, code) => {
    expect(errorOf(error)).toMatchObject({ code, cause: error, value: 'runs.db' });
    expect(isBusy(error)).toBe(code === 'store_busy');
  });

  it('ours stay as they are', () => {
    const own = new ReviewLoopError(storeErrors.journal_fenced, 'x');
    expect(errorOf(own)).toBe(own);
  });
});

describe('who has a run', () => {
  const elsewhere: Parameters<typeof stateOf>[0] = {
    epoch: 1,
    holder: 'h',
    pid: 1,
    place: 'another machine',
    beat_at: 0,
    released_at: null,
  };
  const at = (now: number, watched?: typeof elsewhere) =>
    stateOf(elsewhere, { clock: fakeClock(now), patienceMs: 100 }, watched);

  it('on another machine is watched before it is taken over, whichever way its clock differs', () => {
    expect(at(50)).toBe('held');
    expect(at(5000)).toBe('watch');
    expect(at(5000, elsewhere)).toBe('free');
    expect(at(5000, { ...elsewhere, beat_at: -1 })).toBe('held');
    expect(at(5000, { ...elsewhere, holder: 'another' })).toBe('watch');
  });

  it('and let go of it leaves it free at once', () => {
    expect(stateOf({ ...elsewhere, released_at: 1 }, { clock: fakeClock(), patienceMs: 100 })).toBe(
      'free',
    );
  });
});
