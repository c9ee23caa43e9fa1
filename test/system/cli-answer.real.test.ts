import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { ending, failing } from '../support/matchers.js';
import { faultyPage, folderOf, goodPage } from '../unit/faces/cli/harness.js';
import { run } from './cli-harness.js';

vi.setConfig({ testTimeout: 120_000 });

const review = ['review', 'a.html', '--task-text', 'Sign in', '--no-requirements', '-q'];

/** A configuration that counts how often its criterion is called. */
const counting = (human: string): string => `import { appendFileSync } from 'node:fs';
export default { human: ${human}, criteria: ['html', { id: 'counted', name: 'Counted', description: 'counts', severity: 'major', category: 'quality',
  async validate() { appendFileSync(new URL('calls', import.meta.url), '.'); return { passed: true, score: 1, details: '' }; } }] };`;

/** Reviews a page, of which a person may have to decide. */
async function started(human = "{ policy: 'require' }", page = goodPage) {
  const cwd = await folderOf({ 'a.html': page, 'reviewloop.config.mjs': counting(human) });
  const exit = await run(cwd, review);
  const [id = ''] = await readdir(join(cwd, '.reviewloop/runs'));
  return { cwd, id, exit };
}

const reportOf = async (cwd: string, id: string): Promise<unknown> =>
  JSON.parse(await readFile(join(cwd, '.reviewloop/runs', id, 'review.json'), 'utf8'));

describe('an answer in another process', () => {
  test('goes on from the journal: the files are not read and the checks not made again', async () => {
    const { cwd, id, exit } = await started();
    expect(exit).toMatchObject(
      ending(
        53,
        /\nNOT APPROVED YET: [\s\S]*\n {2}question: .*\n[\s\S]*\nnext: reviewloop answer \S+ approve\n {2}or: reviewloop inbox /,
      ),
    );
    const next = /next: reviewloop (.*)\n/.exec(exit.out)?.[1]?.split(' ') ?? [];
    await writeFile(join(cwd, 'a.html'), faultyPage);
    expect(await run(cwd, [...next, '--by', 'Ada'])).toMatchObject(
      ending(0, /\nAPPROVED BY Ada\n/),
    );
    expect(await readFile(join(cwd, 'calls'), 'utf8')).toBe('.');
    expect(await reportOf(cwd, id)).toMatchObject({ status: 'approved', code: 'person_approved' });
    expect(await run(cwd, [...next])).toMatchObject(failing(2, /\[request_unknown\]/));
  });

  test('works from another folder, with the store named', async () => {
    const { cwd, id } = await started();
    const store = `file:${join(cwd, '.reviewloop')}`;
    const answer = ['answer', id, 'reject', '--by', 'Ada', '--store', store];
    expect(await run(await folderOf(), answer)).toMatchObject({ code: 51 });
  });

  test('two answers at once: one counts', async () => {
    const { cwd, id } = await started();
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
    const { cwd, id } = await started("{ policy: 'require', expiresAfterMs: 3000 }");
    const refused = async (code: string, ...answer: string[]) =>
      expect(await run(cwd, ['answer', ...answer])).toMatchObject(failing(2, `[${code}]`));
    await refused('reason_required', id, 'revise');
    await refused('run_unknown', 'ffffffff', 'approve');
    expect(await reportOf(cwd, id)).toMatchObject({ status: 'suspended' });
    await new Promise((resolve) => setTimeout(resolve, 3100));
    await refused('request_expired', id, 'approve');
    expect(await reportOf(cwd, id)).toMatchObject({ status: 'timed_out' });
  });
});

test('an override in another process lets through what an ended run holds', async () => {
  const { cwd, id, exit } = await started("{ policy: 'auto' }", faultyPage);
  expect(exit.code).toBe(50);
  expect(await run(cwd, ['answer', id, 'approve'])).toMatchObject(
    failing(2, /\[answer_not_allowed\]/),
  );
  expect(await run(cwd, ['override', id])).toMatchObject(failing(2, /\[reason_required\]/));
  const reason = ['--reason', 'shipped anyway', '--by', 'Ada'];
  expect(await run(cwd, ['override', id, ...reason])).toMatchObject(
    ending(0, 'APPROVED BY Ada, against'),
  );
  expect(await reportOf(cwd, id)).toMatchObject({
    status: 'accepted',
    acceptance: { kind: 'override', by: 'Ada', reason: 'shipped anyway' },
  });
  expect((await run(cwd, ['runs', id])).out).toContain(
    'Reviewers did not approve. Ada did: "shipped anyway".',
  );
  expect(await readFile(join(cwd, 'calls'), 'utf8')).toBe('.');
});
