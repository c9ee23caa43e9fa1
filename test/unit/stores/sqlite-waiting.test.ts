import { expect, it } from 'vitest';
import { sqliteStore } from '../../../src/stores/sqlite/index.js';
import { newFile } from './sqlite-support.js';

it('lists the runs that wait from an index, whatever their number', async () => {
  const store = sqliteStore(newFile());
  const plan = await store.query(
    `EXPLAIN QUERY PLAN SELECT run_id, changed_at, pipeline FROM runs
     WHERE status = 'suspended' AND (changed_at, run_id) < (1, 'a')
     ORDER BY changed_at DESC, run_id DESC LIMIT 25`,
  );
  expect(JSON.stringify(plan)).toContain('runs_by_status_time');
  expect(JSON.stringify(plan)).not.toContain('TEMP B-TREE');
  await store.close();
});
