import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { failing } from '../support/matchers.js';
import { faultyPage, folderOf, goodPage } from '../unit/cli/harness.js';
import { type Exit, run } from './cli-harness.js';

vi.setConfig({ testTimeout: 120_000 });

const review = ['review', 'a.html', '--task-text', 'Sign in', '--no-requirements', '-q'];

/** A configuration that counts how often its criterion is called. */
const counting = (human: string): string => `import { appendFileSync } from 'node:fs';
export default { human: ${human}, criteria: ['html', { id: 'counted', name: 'Counted', description: 'counts', severity: 'major', category: 'quality',
  async validate() { appendFileSync(new URL('calls', import.meta.url), '.'); return { passed: true, score: 1, details: '' }; } }] };`;

async function started(
  files: Readonly<Record<string, string>>,
): Promise<{ readonly cwd: string; readonly id: string; readonly exit: Exit }> {
  const cwd = await folderOf(files);
  const exit = await run(cwd, review);
  const [id = ''] = await readdir(join(cwd, '.reviewloop/runs'));
  return { cwd, id, exit };
}

const reportOf = async (cwd: string, id: string): Promise<unknown> =>
  JSON.parse(await readFile(join(cwd, '.reviewloop/runs', id, 'review.json'), 'utf8'));

describe('an answer in another process', () => {
  test('goes on from the journal: the files are not read and the checks not made again', async () => {
    const { cwd, id, exit } = await started({
      'a.html': goodPage,
      'reviewloop.config.mjs': counting("{ policy: 'require' }"),
    });
    expect([exit.code, exit.out]).toEqual([
      53,
      expect.stringMatching(
        /\nSUSPENDED: .*\nquestion: .*\nnext: reviewloop answer \S+ approve\n$/,
      ),
    ]);
    const next = /next: reviewloop (.*)\n$/.exec(exit.out)?.[1]?.split(' ') ?? [];
    await writeFile(join(cwd, 'a.html'), faultyPage);
    const answered = await run(cwd, [...next, '--by', 'Ada']);
    expect([answered.code, answered.out]).toEqual([
      0,
      expect.stringMatching(/^APPROVED: no gaps\n/),
    ]);
    expect(await readFile(join(cwd, 'calls'), 'utf8')).toBe('.');
    expect(await reportOf(cwd, id)).toMatchObject({ status: 'approved', code: 'person_approved' });
    expect(await run(cwd, [...next])).toMatchObject(failing(2, /\[request_unknown\]/));
  });

  test('works from another folder, with the store named', async () => {
    const { cwd, id } = await started({
      'a.html': goodPage,
      'reviewloop.config.mjs': counting("{ policy: 'require' }"),
    });
    const elsewhere = await folderOf();
    expect(
      await run(elsewhere, [
        'answer',
        id,
        'reject',
        '--by',
        'Ada',
        '--store',
        `file:${join(cwd, '.reviewloop')}`,
      ]),
    ).toMatchObject({ code: 51 });
  });

  test('two answers at once: one counts', async () => {
    const { cwd, id } = await started({
      'a.html': goodPage,
      'reviewloop.config.mjs': counting("{ policy: 'require' }"),
    });
    const both = await Promise.all([
      run(cwd, ['answer', id, 'approve', '--by', 'Ada']),
      run(cwd, ['answer', id, 'reject', '--by', 'Bob']),
    ]);
    const codes = both.map(({ code }) => code);
    expect([0, 51].filter((code) => codes.includes(code))).toHaveLength(1);
    expect(both.map(({ err }) => err).join('')).toMatch(
      /\[(request_unknown|request_answered|answer_not_allowed|run_busy)\]/,
    );
    expect(await reportOf(cwd, id)).toMatchObject({
      status: codes.includes(0) ? 'approved' : 'rejected',
    });
  });

  test('no answer counts once the question has expired', async () => {
    const { cwd, id } = await started({
      'a.html': goodPage,
      'reviewloop.config.mjs': counting("{ policy: 'require', expiresAfterMs: 3000 }"),
    });
    expect(await run(cwd, ['answer', id, 'revise'])).toMatchObject(
      failing(2, /\[reason_required\]/),
    );
    expect(await run(cwd, ['answer', 'ffffffff', 'approve'])).toMatchObject(
      failing(2, /\[run_unknown\]/),
    );
    expect(await reportOf(cwd, id)).toMatchObject({ status: 'suspended' });
    await new Promise((resolve) => setTimeout(resolve, 3100));
    expect(await run(cwd, ['answer', id, 'approve'])).toMatchObject(
      failing(2, /\[request_expired\]/),
    );
    expect(await reportOf(cwd, id)).toMatchObject({ status: 'timed_out' });
  });
});

describe('an override in another process', () => {
  test('lets through what an ended run holds', async () => {
    const { cwd, id, exit } = await started({
      'a.html': faultyPage,
      'reviewloop.config.mjs': counting("{ policy: 'auto' }"),
    });
    expect(exit.code).toBe(50);
    expect(await run(cwd, ['answer', id, 'approve'])).toMatchObject(
      failing(2, /\[answer_not_allowed\]/),
    );
    expect(await run(cwd, ['override', id])).toMatchObject(failing(2, /\[reason_required\]/));
    expect(
      await run(cwd, ['override', id, '--reason', 'shipped anyway', '--by', 'Ada']),
    ).toMatchObject({ code: 0, out: expect.stringContaining('ACCEPTED') });
    expect(await reportOf(cwd, id)).toMatchObject({
      status: 'accepted',
      acceptance: { kind: 'override', by: 'Ada', reason: 'shipped anyway' },
    });
    expect((await run(cwd, ['runs', id])).out).toContain(
      'accepted by: Ada (override): shipped anyway',
    );
    expect(await readFile(join(cwd, 'calls'), 'utf8')).toBe('.');
  });
});
