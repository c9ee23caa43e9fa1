import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tableNames } from '@/adapters/stores/sqlite/migrations.js';
import { root } from '../architecture/repository.js';
import { type FilledDatabase, filledDatabase } from '../support/filled-database.js';
import { newFile } from '../unit/adapters/stores/sqlite-support.js';

const page = readFileSync(`${root}docs/sql.md`, 'utf8');
const questions = [...page.matchAll(/^(\S[^\n]*\?)\n\n```sql\n([\s\S]*?)```/gm)].map(
  ([, question = '', sql = '']) => ({ question, sql }),
);

describe('docs/sql.md', () => {
  let filled: FilledDatabase;
  beforeAll(async () => {
    filled = await filledDatabase(newFile());
  });
  afterAll(() => filled.store.close());

  it('names every table with every one of its columns', async () => {
    const rows = new Map(
      [...page.matchAll(/^- \*\*`(\w+)`\*\*, ([^\n]*(?:\n {2}[^\n]*)*)/gm)].map(
        ([, table = '', columns = '']) => [
          table,
          [...columns.matchAll(/`(\w+)`/g)].map(([, name]) => name),
        ],
      ),
    );
    expect([...rows.keys()].sort()).toEqual([...tableNames].sort());
    for (const [table, named] of rows) {
      const columns = (
        await filled.store.query(`SELECT name FROM pragma_table_info('${table}')`)
      ).map((row) => String(row['name']));
      // the marks of the log of decisions are for `verifyAudit`
      const told = columns.filter((name) => !name.startsWith('audit_'));
      expect(
        told.filter((name) => !named.includes(name)),
        table,
      ).toEqual([]);
    }
  });

  it('asks ten questions', () => expect(questions).toHaveLength(10));

  it.each(questions)('$question', async ({ sql }) => {
    const rows = await filled.store.query(sql);
    expect(rows.length).toBeGreaterThan(0);
  });

  it('gets the answers that the runs gave', async () => {
    const answerTo = async (beginning: string) =>
      filled.store.query(
        questions.find(({ question }) => question.startsWith(beginning))?.sql ?? '',
      );
    expect(await answerTo('What waits')).toMatchObject([
      { run_id: 'waiting', question: 'ship it?', expires_at: null },
    ]);
    expect((await answerTo('Which criteria'))[0]).toMatchObject({ criterion: 'tone', fixes: 1 });
    expect((await answerTo('What does each'))[0]).toMatchObject({
      reviewer: 'judge',
      calls: expect.any(Number),
    });
    expect(
      (await answerTo('How does the score')).filter((row) => row['run_id'] === 'mended'),
    ).toMatchObject([
      { iteration: 1, gained: null, decision: 'revise' },
      { iteration: 2, gained: expect.any(Number), decision: 'approve' },
    ]);
    expect(await answerTo('Which judges')).toMatchObject([
      { criterion: 'broken', code: 'reviewer_threw' },
    ]);
    expect(await answerTo('Who accepted')).toMatchObject([
      { who: 'bob' },
      { who: 'ann', run_id: 'answered' },
    ]);
    expect(await answerTo('Where do')).toMatchObject([{ task_id: 'TASK-002', human_by: 'ann' }]);
    expect(await answerTo('What is the status')).toMatchObject([
      { task_id: 'TASK-001', attempts: 2, review_status: 'passed' },
      { task_id: 'TASK-002', review_issues: 2 },
    ]);
    expect(await answerTo('Which reviews')).toMatchObject([
      { task_id: 'TASK-001', attempt: 1, machine: 'not_run' },
    ]);
  });
});
